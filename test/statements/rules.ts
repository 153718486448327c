// These proofs run inside the tests of test/system/api/statements.test.ts.
/* oxlint-disable vitest/no-standalone-expect */
import { expect } from 'vitest';
import { createTenant, createTestApi } from '../helpers/api/api.ts';
import { callbackOfCampaign, largeList, startTwice } from './campaigns.ts';
import {
  broken,
  ENGLISH,
  ok,
  refused,
  section,
  textField,
  UNKNOWN,
  voiceNotFor,
  type Statement,
  type World,
} from './statement.ts';

const events = section('Events');
const errors = section('Errors');
const limits = section('Limits');

const hook = (event_type: unknown, url = 'https://example.com/a') => ({
  event_type,
  callback_url: url,
  method_type: 'POST',
});
const subscribe = (w: World, ...event_subscriptions: object[]) =>
  w.edit(w.agentId, 'edit_event_subscriptions', { event_subscriptions });
const taken = (event: string) => async (w: World) => {
  ok(await subscribe(w, hook([event])));
  expect((await w.version(w.agentId)).event_subscriptions).toMatchObject([{ event_type: [event] }]);
};
/** The minimum and maximum of a call_config key are accepted; values beyond answer 422. */
const bounds =
  (path: string, low: number, high: number, beside: object = {}) =>
  async (w: World): Promise<void> => {
    const [outer = '', inner] = path.split('.');
    const change = (value: number) => ({
      call_config: { ...beside, [outer]: inner === undefined ? value : { [inner]: value } },
    });
    for (const value of [low, high]) ok(await w.create(change(value)));
    for (const value of [low - 1, high + 1])
      refused(await w.create(change(value)), 422, `call_config.${path}`);
  };

export const RULES: readonly Statement[] = [
  events.prove(
    'A webhook subscription is set on an agent with `PATCH /agent/v1`, operation `edit_event_subscriptions`.',
    taken('call_completed'),
  ),
  events.prove('The list sent replaces the whole list', async (w) => {
    ok(await subscribe(w, hook(['call_started']), hook(['call_completed'])));
    ok(await subscribe(w, hook(['call_ringing'])));
    expect((await w.version(w.agentId)).event_subscriptions).toHaveLength(1);
  }),
  events.prove(
    'the current list (from `GET /agent/{agent_id}`, `version_details`) must be read and sent back with the change',
    async (w) => {
      ok(
        await subscribe(w, { ...hook(['call_started']), headers: { Authorization: 'Bearer secret-value' } }),
      );
      const list = (await w.version(w.agentId)).event_subscriptions;
      ok(await subscribe(w, ...list, hook(['call_completed'])));
      expect((await w.version(w.agentId)).event_subscriptions).toEqual([
        ...list,
        expect.objectContaining({ event_type: ['call_completed'] }),
      ]);
    },
  ),
  ...(['call_started', 'call_ringing', 'call_ongoing', 'call_completed', 'recording_completed'] as const).map(
    (event) => events.prove(`\`${event}\`: voice agents`, taken(event)),
  ),
  events.prove('`chat_completed`: WhatsApp agents', async (w) => {
    refused(await subscribe(w, hook(['chat_completed'])), 400, 'chat_completed');
  }),
  events.prove('`all_processing_completed`: one final event', taken('all_processing_completed')),
  events.elsewhere(
    'one final event after transcript, recording, platform analysis and custom analysis are available',
    'test/system/analysis/analysis.test.ts > quotes the conversation, types the client keys and emits its events once, in order',
  ),
  events.prove("Subscribing to an event that the agent's channel never sends returns 400.", async (w) => {
    refused(await subscribe(w, hook(['call_started', 'chat_completed'])), 400);
  }),
  events.prove(
    'Two subscriptions for the same event type on the same agent do not coexist: the one sent overwrites the other and no error is returned at setup',
    async (w) => {
      ok(
        await subscribe(
          w,
          hook('call_started', 'https://example.com/1'),
          hook('call_started', 'https://example.com/2'),
        ),
      );
      expect((await w.version(w.agentId)).event_subscriptions).toMatchObject([
        { event_type: ['call_started'], callback_url: 'https://example.com/2' },
      ]);
    },
  ),
  events.elsewhere(
    'Delivery: an HTTP request to `callback_url` using `method_type`, with the configured `headers`.',
    'test/system/webhooks/webhooks.test.ts > sends subscribed events with their headers',
  ),
  events.elsewhere(
    'Success: the receiver returns HTTP 200 within 30 seconds; the body may be any valid JSON or empty.',
    'test/patient/webhooks-clock.test.ts > every receiver gets its attempts within a second of the schedule',
  ),
  events.elsewhere(
    'Retry: non-200 status, timeout over 30 seconds, refused connection, invalid TLS certificate or DNS failure are retried up to 3 times.',
    'test/patient/webhooks-clock.test.ts > every receiver gets its attempts within a second of the schedule',
  ),
  events.elsewhere(
    'Total attempts 4: initial, then 10 seconds, 1 minute and 2 minutes after the previous attempt.',
    'test/system/webhooks/webhooks.test.ts > retries 10 s, 60 s and 120 s after the previous attempt',
  ),
  events.elsewhere(
    'After the last retry fails, delivery for that event stops for good, no notice is sent, the data stays available through the API, and later events are still attempted.',
    'test/system/webhooks/webhooks.test.ts > sends the next event once an earlier one is given up',
  ),
  events.elsewhere(
    'Receivers deduplicate on `call_id` plus `event_type`.',
    'test/system/webhooks/webhooks.test.ts > with the same ID, then gives up',
  ),
  events.prove('Campaign start calls take a `callback_url` of their own.', callbackOfCampaign),

  errors.prove(
    'A failed request returns a 4xx or 5xx status and a JSON body `{message: <string>}`.',
    async (w) => {
      for (const answer of [
        await w.get('/nowhere'),
        await w.get('/workspace', null),
        await w.create({ task: 1 }),
        await w.get(`/agent/${UNKNOWN}`),
        await w.api.request('POST', '/api/v0/public/agent', { key: w.tenant.key, raw: '{' }),
        await broken(w, 'GET', '/agent/voices', undefined),
      ]) {
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.body['message']).toEqual(expect.any(String));
      }
    },
  ),
  errors.prove(
    'Some endpoints add keys beside `message`, for example `code` on create agent (`VOICE_LANGUAGE_MISMATCH`).',
    async (w) => {
      expect((await w.create({ voice_id: voiceNotFor('en-US') })).body['code']).toBe(
        'VOICE_LANGUAGE_MISMATCH',
      );
    },
  ),
  errors.prove('A 429 may carry its reason in `error` instead of `message`.', async () => {
    const api = await createTestApi({ rateLimits: { read: 1, write: 1, dial: 1, authFailures: 0 } });
    const { key } = await createTenant(api);
    await api.request('GET', '/api/v0/workspace', { key });
    const answer = await api.request('GET', '/api/v0/workspace', { key });
    await api.close();
    refused(answer, 429, 'try again');
    expect(answer.body['error']).toBe(answer.body['message']);
  }),
  errors.prove('400: a campaign that already started', startTwice),
  errors.prove(
    '400: a caller number not in the workspace or a test number; a voice that does not support the language; `limit` above the maximum; an event type the channel never sends',
    async (w) => {
      refused(await w.place({ from_number_id: UNKNOWN }), 400);
      refused(await w.place({ from_number_id: w.tenant.testNumberId }), 400);
      refused(await w.create({ voice_id: voiceNotFor('en-US') }), 400);
      refused(await w.get('/calling/history?limit=1000'), 400);
      refused(await subscribe(w, hook('chat_completed')), 400);
    },
  ),
  errors.prove("401: key missing or invalid: `{message: 'Invalid credentials'}`", async (w) => {
    refused(await w.get('/workspace', ''), 401, 'Invalid credentials');
  }),
  errors.elsewhere(
    '402: balance or available credit limit does not cover the call or campaign',
    'test/system/calls/api-calls.test.ts > accepts a call if the unlocked balance covers exactly one pulse',
  ),
  errors.prove(
    '403: the workspace or key cannot use the endpoint; also removing required variables from an outbound agent',
    async (w) => {
      refused(await w.edit(w.agentId, 'edit_custom_vars', { custom_variables: [] }), 403);
    },
  ),
  errors.prove(
    '404: agent, agent version, call, campaign or knowledge base not found in this workspace',
    async (w) => {
      refused(await w.get(`/agent/${UNKNOWN}`), 404);
      refused(await w.edit(w.agentId, 'edit_voice_speed', { voice_speed: 1, version_id: UNKNOWN }), 404);
      refused(await w.get(`/calling/call-details?id=${UNKNOWN}`), 404);
    },
  ),
  errors.elsewhere(
    '409: the same request is already being processed, for example a call history export',
    'test/system/calls/api-calls.test.ts > the others get 409 or the same answer',
  ),
  errors.prove(
    '422: a field is missing or failed validation; `message` names the problem; includes an unknown agent-edit operation',
    async (w) => {
      refused(await w.create({ task: undefined }), 422, 'task is required');
      refused(await w.edit(w.agentId, 'no_such', {}), 422, 'operation');
    },
  ),
  errors.elsewhere(
    '429: rate limit hit; retry later with backoff',
    'test/system/api/api-access.test.ts > answer 429 with message and error',
  ),
  errors.prove('5xx: server-side failure; retry with backoff', async (w) => {
    refused(await broken(w, 'GET', '/agent/voices', undefined), 500);
  }),
  errors.prove('`Provide either from_number_id or from_number, not both` (422)', async (w) => {
    const answer = await w.place({ from_number: w.tenant.number });
    expect([answer.status, answer.body['message']]).toEqual([
      422,
      'Provide either from_number_id or from_number, not both',
    ]);
  }),
  errors.prove(
    '`Default numbers are for testing only. Please provide a real phone number.` (400)',
    async (w) => {
      const answer = await w.place({ from_number_id: w.tenant.testNumberId });
      expect(answer.body['message']).toBe(
        'Default numbers are for testing only. Please provide a real phone number.',
      );
    },
  ),
  errors.prove('`Your current balance is insufficient to initiate this call!` (402)', async (w) => {
    await w.api.db
      .updateTable('workspaces')
      .set({ credits: 0 })
      .where('id', '=', w.tenant.workspaceId)
      .execute();
    const answer = await w.place();
    await w.api.db
      .updateTable('workspaces')
      .set({ credits: 1_000_000_000 })
      .where('id', '=', w.tenant.workspaceId)
      .execute();
    expect([answer.status, answer.body['message']]).toEqual([
      402,
      'Your current balance is insufficient to initiate this call!',
    ]);
  }),
  errors.prove('`Call not found` (404)', async (w) => {
    expect((await w.get('/calling/call-details?id=x')).body['message']).toBe('Call not found');
  }),
  errors.prove('`Agent not found` (404)', async (w) => {
    expect((await w.get('/agent/x')).body['message']).toBe('Agent not found');
  }),
  errors.prove('`Failed to edit agent` (500)', async (w) => {
    const body = { operation: 'edit_voice', agent_id: w.agentId, voice_id: ENGLISH, language: 'en-US' };
    expect((await broken(w, 'PATCH', '/agent/v1', body)).body['message']).toBe('Failed to edit agent');
  }),
  errors.prove('`Failed to fetch agent voices` (500)', async (w) => {
    const answer = await broken(w, 'GET', '/agent/voices', undefined);
    expect(answer.body['message']).toBe('Failed to fetch agent voices');
  }),
  errors.prove('`An unexpected error occurred. Please try again later.` (500)', async (w) => {
    const body = {
      agent_name: 'A',
      introduction_and_objective: 'A',
      response_guidelines: 'A',
      task: 'A',
      primary_language: 'en-US',
      voice_id: ENGLISH,
      intro_message: 'A',
    };
    const answer = await broken(w, 'POST', '/public/agent', body);
    expect([answer.status, answer.body['message']]).toEqual([
      500,
      'An unexpected error occurred. Please try again later.',
    ]);
  }),

  limits.prove('`agent_name` length: create agent, 100 chars', textField('agent_name', 100, true)),
  limits.prove(
    '`introduction_and_objective`: 2000 chars',
    textField('introduction_and_objective', 2000, true),
  ),
  limits.prove('`response_guidelines`: 3000 chars', textField('response_guidelines', 3000, true)),
  limits.prove('`task`: 1500 chars', textField('task', 1500, true)),
  limits.prove('`faq`, `sample_conversations`: 5000 chars each', async (w) => {
    await textField('faq', 5000, false)(w);
    await textField('sample_conversations', 5000, false)(w);
  }),
  limits.prove('`intro_message`: 500 chars', textField('intro_message', 500, true)),
  limits.prove('`max_call_length`: 10 to 3600 s, default 240', bounds('max_call_length', 10, 3600)),
  limits.prove(
    '`idle_timeout_warning`: 0 to 600 s, default 5',
    bounds('idle_timeout_warning', 0, 599, { idle_timeout_end: 600 }),
  ),
  limits.prove(
    '`idle_timeout_end`: 1 to 600 s, default 10',
    bounds('idle_timeout_end', 1, 600, { idle_timeout_warning: 0 }),
  ),
  limits.prove(
    '`noise_suppression_level`: 0 to 100, default 80',
    bounds('noise_filter_config.noise_suppression_level', 0, 100),
  ),
  limits.prove('`volume`: background audio, 0.0 to 1.0', bounds('background_audio_config.volume', 0, 1)),
  limits.prove('`vocab`: edit_vocab, at most 100 words in total', async (w) => {
    ok(await w.edit(w.agentId, 'edit_vocab', { vocab: Array(100).fill('word') }));
    refused(await w.edit(w.agentId, 'edit_vocab', { vocab: Array(101).fill('word') }), 422, 'vocab');
    refused(await w.edit(w.agentId, 'edit_vocab', { vocab: [...Array(99).fill('word'), 'two words'] }), 422);
  }),
  limits.prove('`pre_query_phrase_probability`: edit_query_phrases, 0 to 1', async (w) => {
    const edit = (pre_query_phrase_probability: number) =>
      w.edit(w.agentId, 'edit_query_phrases', {
        pre_query_response_phrases: ['Wait.'],
        pre_query_phrase_probability,
      });
    for (const value of [0, 1]) ok(await edit(value));
    for (const value of [-0.1, 1.1]) refused(await edit(value), 422, 'pre_query_phrase_probability');
  }),
  limits.prove('history `limit`: default 10, max 200, default offset 0', async (w) => {
    expect(ok(await w.get('/calling/history')).body).toMatchObject({ limit: 10, offset: 0 });
    refused(await w.get('/calling/history?limit=201'), 400);
  }),
  limits.prove('campaigns `limit`: `GET /campaign/all`, default 10, default offset 0', async (w) => {
    const { pagination } = ok(await w.get('/campaign/all')).body;
    expect(pagination).toMatchObject({ limit: 10, offset: 0 });
  }),
  limits.prove('agents `limit`: omitted means every agent; default offset 0', async (w) => {
    const { agents, total, offset } = ok(await w.get('/agent/all')).body['data'] as any;
    expect([agents.length, offset]).toEqual([total, 0]);
  }),
  limits.prove('workspace numbers: not paged', async (w) => {
    const numbers = ok(await w.get('/workspace/numbers?limit=1')).body['workspace_numbers'];
    expect(numbers).toHaveLength(2);
  }),
  limits.prove('large-campaign flow: CSV size, intended for 5,000 or more rows', largeList),
  limits.elsewhere(
    'webhook delivery: timeout 30 s, 3 retries',
    'test/system/webhooks/webhooks.test.ts > retries 10 s, 60 s and 120 s after the previous attempt',
  ),
  limits.elsewhere(
    'a call may also be held by a workspace call limit',
    'test/system/scheduler/claim.test.ts > stops at the limits of workspace, number and trunk',
  ),
  limits.elsewhere(
    'A 429 response signals a rate limit.',
    'test/system/api/api-access.test.ts > answer 429 with message and error',
  ),
];
