// These proofs run inside the tests of test/system/statements.test.ts.
/* oxlint-disable vitest/no-standalone-expect */
import { expect } from 'vitest';
import { newId } from '../../src/shared/ids.ts';
import { data, ok, refused, section, type Statement, type World } from './statement.ts';

const agent = section('Agent record');
const voice = section('Voice');
const workspace = section('Workspace');
const number = section('Workspace number');
const call = section('Call');
const subscription = section('Event subscription object');
const states = section('States and transitions');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
/** The agent's record has `field`, and what it holds matches. */
const field = (name: string, expected: unknown) => async (w: World) => {
  expect(await w.record(w.agentId)).toHaveProperty(name, expected);
};
const orNull = (type: typeof String) =>
  expect.toSatisfy((value) => value === null || typeof value === typeof type());
const voiceField = (name: string, check: (value: any) => boolean) => async (w: World) => {
  const { voices } = ok(await w.get('/agent/voices')).body as { voices: Record<string, unknown>[] };
  expect(voices.length).toBeGreaterThan(0);
  expect(voices.filter((v) => !check(v[name]))).toEqual([]);
};
const numberField = (name: string, check: (value: any) => boolean) => async (w: World) => {
  const list = ok(await w.get('/workspace/numbers')).body['workspace_numbers'] as Record<string, unknown>[];
  expect(list.length).toBeGreaterThan(1);
  expect(list.filter((n) => !check(n[name]))).toEqual([]);
};
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isTime = (value: unknown): boolean => typeof value === 'string' && TIME.test(value);
const detail = (name: string, expected: unknown) => async (w: World) => {
  expect(await w.details(await w.insertCall())).toHaveProperty(name, expected);
};
const subscribe = (w: World, change: Record<string, unknown>) =>
  w.edit(w.agentId, 'edit_event_subscriptions', {
    event_subscriptions: [
      {
        event_type: ['call_completed'],
        callback_url: 'https://example.com/a',
        method_type: 'POST',
        ...change,
      },
    ],
  });

export const RECORDS: readonly Statement[] = [
  agent.prove('Returned under `agents` (an object).', async (w) => {
    expect(Object.keys(ok(await w.get(`/agent/${w.agentId}`)).body)).toEqual(['agents']);
  }),
  agent.prove('`id`: string (UUID)', field('id', expect.stringMatching(UUID))),
  agent.prove('`agent_display_name`: string', field('agent_display_name', 'Reminder')),
  agent.prove('`agent_type`: `inbound`, `outbound` or `outbound_inbound`', field('agent_type', 'outbound')),
  agent.prove(
    '`orchestration_mode`: string (a single-prompt agent shows `single_node`)',
    field('orchestration_mode', 'single_node'),
  ),
  agent.prove('`form_fields`: array of objects', field('form_fields', expect.any(Array))),
  agent.prove('`created_at`, `updated_at`: timestamps', async (w) => {
    const record = await w.record(w.agentId);
    expect([record.created_at, record.updated_at].every(isTime)).toBe(true);
  }),
  agent.prove('`inbound_number_id`: string', async (w) => {
    const { agentId } = await w.agent({ agent_type: 'outbound_inbound' });
    expect((await w.record(agentId)).inbound_number_id).toBeNull();
    ok(await w.edit(agentId, 'attach_inbound_number', { number_id: w.tenant.numberId }));
    expect((await w.record(agentId)).inbound_number_id).toBe(w.tenant.numberId);
    ok(await w.edit(agentId, 'remove_inbound_number', { number_id: w.tenant.numberId }));
  }),
  agent.prove('`telephony_id`: string', field('telephony_id', orNull(String))),
  agent.prove(
    '`template_id`, `template_name`, `template_label`, `template_icon`, `template_type`: strings',
    async (w) => {
      for (const name of ['id', 'name', 'label', 'icon', 'type']) {
        await field(`template_${name}`, orNull(String))(w);
      }
    },
  ),
  agent.prove('`is_ab_live`: boolean', field('is_ab_live', false)),
  agent.prove('`active_agent_version_id`: string (UUID)', async (w) => {
    expect((await w.record(w.agentId)).active_agent_version_id).toBe(w.versionId);
  }),
  agent.prove('`ab_versions`: array', field('ab_versions', expect.any(Array))),
  agent.prove('`derived_analytics_keys`: any', async (w) => {
    expect(await w.record(w.agentId)).toHaveProperty('derived_analytics_keys');
  }),
  agent.prove('`classification_labels`: array of string', field('classification_labels', expect.any(Array))),
  agent.prove('`previous_call_summary`: any', async (w) => {
    expect(await w.record(w.agentId)).toHaveProperty('previous_call_summary');
  }),
  agent.prove(
    '`webcall_public_key`: string (public key of the web widget, separate from the API key)',
    field('webcall_public_key', expect.any(String)),
  ),
  agent.prove('`version_details`: object keyed by version ID', async (w) => {
    expect(Object.keys((await w.record(w.agentId)).version_details)).toContain(w.versionId);
  }),
  agent.prove(
    "Each `version_details` entry holds the version's language, voice, prompt (`agent_config`), tools, knowledge bases, `call_config` and `event_subscriptions`.",
    async (w) => {
      expect(await w.version(w.agentId)).toMatchObject({
        language: 'en-US',
        voice: { id: expect.any(String) },
        agent_config: { agent_prompt: expect.any(String) },
        pre_call_tools: expect.any(Array),
        on_call_tools: expect.any(Array),
        post_call_tools: expect.any(Array),
        knowledge_bases: expect.any(Array),
        call_config: { max_call_length: 240 },
        event_subscriptions: expect.any(Array),
      });
    },
  ),

  voice.prove(
    '`id`: string (UUID); use it as `voice_id`',
    voiceField('id', (id) => UUID.test(id)),
  ),
  voice.prove('`name`: string', voiceField('name', isText)),
  voice.prove(
    '`languages`: array of language codes',
    voiceField('languages', (l) => l.every(isText)),
  ),
  voice.prove(
    '`voice_previews`: object mapping language code to preview audio URL',
    voiceField('voice_previews', (p) => Object.values<string>(p).every((url) => URL.canParse(url))),
  ),
  voice.prove(
    '`image_url`: string (URL)',
    voiceField('image_url', (url) => URL.canParse(url)),
  ),
  voice.prove('`gender`: string', voiceField('gender', isText)),
  voice.prove('`created_at`, `updated_at`: timestamps', async (w) => {
    await voiceField('created_at', isTime)(w);
    await voiceField('updated_at', isTime)(w);
  }),

  workspace.prove(
    '`GET /workspace` returns `workspace_info` with `id` (UUID), `name`, `created_at`, `credits` (number, the balance) and `locked_credits` (number).',
    async (w) => {
      expect(ok(await w.get('/workspace')).body['workspace_info']).toMatchObject({
        id: w.tenant.workspaceId,
        name: expect.any(String),
        created_at: expect.stringMatching(TIME),
        credits: 1000,
        locked_credits: 0,
      });
    },
  ),
  workspace.prove(
    'The response may also carry an `api_key` field whose value is hidden or masked.',
    async (w) => {
      expect(ok(await w.get('/workspace')).text).not.toContain(w.tenant.key);
    },
  ),
  workspace.prove(
    '`GET /workspace/all` returns `workspaces`, an array of `{id, name, created_at, role, parent_workspace_id, credits, locked_credits}`.',
    async (w) => {
      const [first] = ok(await w.get('/workspace/all')).body['workspaces'] as object[];
      expect(Object.keys(first ?? {})).toEqual(
        expect.arrayContaining([
          'id',
          'name',
          'created_at',
          'role',
          'parent_workspace_id',
          'credits',
          'locked_credits',
        ]),
      );
    },
  ),
  workspace.prove(
    'A workspace with `parent_workspace_id` set is a child workspace (a client or team space) of that parent.',
    async (w) => {
      const id = newId();
      const at = new Date(w.api.clock.now());
      await w.api.db
        .insertInto('workspaces')
        .values({ id, parent_id: w.tenant.workspaceId, name: 'Child', created_at: at, updated_at: at })
        .execute();
      expect(ok(await w.get('/workspace/all')).body['workspaces']).toContainEqual(
        expect.objectContaining({ id, parent_workspace_id: w.tenant.workspaceId }),
      );
    },
  ),
  workspace.prove('`role` is a string (the value owner occurs).', async (w) => {
    const all = ok(await w.get('/workspace/all')).body['workspaces'] as { role: string }[];
    expect(all.map((one) => one.role)).toContain('owner');
  }),

  number.prove('Some further fields are left out of the listing.', async (w) => {
    const list = ok(await w.get('/workspace/numbers')).body['workspace_numbers'] as object[];
    const secret = list
      .flatMap(Object.keys)
      .filter((key) => /trunk|call_limit|rest|rated|workspace_id/.test(key));
    expect(secret).toEqual([]);
  }),
  number.prove(
    '`id`: string (UUID); the `from_number_id`',
    numberField('id', (id) => UUID.test(id)),
  ),
  number.prove(
    '`number`: string, E.164',
    numberField('number', (n) => /^\+[1-9]\d{6,14}$/.test(n)),
  ),
  number.prove(
    '`agent`: object or null',
    numberField('agent', (a) => typeof a === 'object'),
  ),
  number.prove(
    '`is_test_number`: boolean',
    numberField('is_test_number', (b) => typeof b === 'boolean'),
  ),
  number.prove(
    '`is_spam`: boolean',
    numberField('is_spam', (b) => typeof b === 'boolean'),
  ),
  number.prove('`provider`: string', numberField('provider', isText)),
  number.prove(
    '`display_name`: string',
    numberField('display_name', (t) => typeof t === 'string'),
  ),
  number.prove(
    '`number_pool_id`: string or null',
    numberField('number_pool_id', (id) => id === null || isText(id)),
  ),
  number.prove(
    "Shared test numbers (`is_test_number` true) are usable from the dashboard's test call and cannot be used through the API.",
    async (w) => {
      refused(await w.place({ from_number_id: w.tenant.testNumberId }), 400, 'testing only');
    },
  ),

  call.prove(
    "Shape A: `{status: 'success', data: {call_id, call_direction, call_status, initiated_at, agent_id, custom_args_values}, message}`.",
    async (w) => {
      expect(ok(await w.place()).body).toMatchObject({
        status: 'success',
        data: {
          call_id: expect.stringMatching(UUID),
          call_direction: 'outbound',
          call_status: 'registered',
          initiated_at: expect.stringMatching(TIME),
          agent_id: w.agentId,
          custom_args_values: expect.any(Object),
        },
        message: expect.any(String),
      });
    },
  ),
  call.prove('`custom_args_values` echoes the sent values plus `mobile_number`.', async (w) => {
    expect(data(ok(await w.place({ custom_args_values: { day: 'Tue' } }))).custom_args_values).toEqual({
      day: 'Tue',
      mobile_number: '+14155550002',
    });
  }),
  call.prove('Call details (`GET /calling/call-details`) returns `{status, data}`.', async (w) => {
    const answer = ok(await w.get(`/calling/call-details?id=${await w.insertCall()}`));
    expect(Object.keys(answer.body).sort()).toEqual(['data', 'status']);
  }),
  call.prove('`id`: call ID', detail('id', expect.stringMatching(UUID))),
  call.prove('`call_direction`: string', detail('call_direction', 'outbound')),
  call.prove('`call_status`: see the states table', detail('call_status', 'completed')),
  call.prove(
    '`call_sub_status`: string; the reason detail of the call',
    detail('call_sub_status', 'USER_LEFT'),
  ),
  call.prove('`from_number`, `to_number`: E.164 strings', async (w) => {
    expect(await w.details(await w.insertCall())).toMatchObject({
      from_number: w.tenant.number,
      to_number: '+14155550002',
    });
  }),
  call.prove('`callee_name`: string', detail('callee_name', 'Priya')),
  call.prove('`agent_id`: string', detail('agent_id', expect.stringMatching(UUID))),
  call.prove(
    '`transcription_url`: a JSON-encoded string holding the transcript (a list); may be null',
    async (w) => {
      const id = await w.insertCall();
      expect((await w.details(id)).transcription_url).toBeNull();
      const at = new Date(w.api.clock.now());
      await w.api.db
        .insertInto('call_records')
        .values({
          workspace_id: w.tenant.workspaceId,
          call_id: id,
          transcript: JSON.stringify([
            { role: 'agent', text: 'Hi', startedAt: 0, endedAt: 1, interrupted: false, by: 'speech' },
          ]),
          platform_analysis: JSON.stringify({ summary: 's' }),
          client_analysis: JSON.stringify({ key: 1 }),
          updated_at: at,
        })
        .execute();
      expect(JSON.parse((await w.details(id)).transcription_url)).toMatchObject([{ bot: 'Hi' }]);
    },
  ),
  call.prove(
    '`platform_analysis`, `client_analysis`: present with `send_analysis=true` only after analysis has run; omitted until then',
    async (w) => {
      const id = await w.insertCall();
      const before = await w.details(id, '&send_analysis=true');
      expect([before.platform_analysis, before.client_analysis]).toEqual([undefined, undefined]);
      await w.api.db
        .insertInto('call_records')
        .values({
          workspace_id: w.tenant.workspaceId,
          call_id: id,
          platform_analysis: JSON.stringify({ summary: 's' }),
          client_analysis: JSON.stringify({ key: 1 }),
          updated_at: new Date(w.api.clock.now()),
        })
        .execute();
      expect(await w.details(id, '&send_analysis=true')).toMatchObject({
        platform_analysis: { summary: 's' },
        client_analysis: { key: 1 },
      });
      expect(await w.details(id)).not.toHaveProperty('platform_analysis');
    },
  ),
  call.prove('Phone numbers are sent in E.164 format with country code.', async (w) => {
    for (const mobile_number of ['4155550002', '00914155550002', 'x', '+1']) {
      refused(await w.place({ mobile_number }), 422, 'mobile_number');
    }
  }),

  subscription.prove(
    '`event_type`: array of string (a single string also appears in one example)',
    async (w) => {
      ok(await subscribe(w, { event_type: ['call_started', 'call_completed'] }));
      ok(await subscribe(w, { event_type: 'call_started' }));
      expect((await w.version(w.agentId)).event_subscriptions[0].event_type).toEqual(['call_started']);
      refused(await subscribe(w, { event_type: 'call_finished' }), 422, 'event_type');
    },
  ),
  subscription.prove('`callback_url`: string (URL)', async (w) => {
    refused(await subscribe(w, { callback_url: 'example.com' }), 422, 'callback_url');
    refused(await subscribe(w, { callback_url: undefined }), 422, 'callback_url is required');
  }),
  subscription.prove('`method_type`: string, `POST` in the examples', async (w) => {
    ok(await subscribe(w, { method_type: 'POST' }));
    refused(await subscribe(w, { method_type: 'GET' }), 422, 'method_type');
  }),
  subscription.prove('`headers`: object string to string, sent with each delivery', async (w) => {
    ok(await subscribe(w, { headers: { 'X-A': 'b' } }));
    expect((await w.version(w.agentId)).event_subscriptions[0].headers).toEqual({ 'X-A': 'b' });
    refused(await subscribe(w, { headers: { 'X-A': 1 } }), 422, 'headers.X-A');
  }),

  states.prove('`registered`: queued, waiting to be processed', async (w) => {
    expect(data(ok(await w.place())).call_status).toBe('registered');
  }),
  states.elsewhere(
    'it stays here while the calling window is closed or while a call limit holds it',
    'test/system/claim.test.ts > stops at the limits of workspace, number, trunk and node, and says so on what waits',
  ),
  states.elsewhere('`ongoing`: in progress', 'test/system/claim.test.ts > makes a due call live'),
  states.elsewhere(
    '`retry`: will be retried according to the retry configuration',
    'test/system/settle.test.ts > tries again after the delay of its outcome, then gives up, and costs nothing',
  ),
  states.elsewhere(
    '`completed`: the recipient answered and the call reached a terminal completed state',
    'test/system/settle.test.ts > charges started pulses',
  ),
  states.elsewhere(
    '`failed`: retries exhausted or the provider failed the call',
    'test/system/settle.test.ts > does not try a wrong number again',
  ),
  states.elsewhere(
    '`error`: unexpected terminal error',
    'src/domain/calls/retry-rules.test.ts > never redial after a crash',
  ),
  states.elsewhere(
    '`cancelled`: cancelled before completion',
    'test/system/settle.test.ts > lists an opted-out person and cancels every queued call to them',
  ),
  states.prove('a new individual call starts as `registered` or `ongoing`', async (w) => {
    expect(['registered', 'ongoing']).toContain(data(ok(await w.place())).call_status);
  }),
  states.elsewhere(
    'retries of a call outside the window are pushed to the next opening',
    'test/system/settle.test.ts > moves a retry that would fall outside the window to its opening',
  ),
  states.needs(
    'PATCH /public/agent/{agent_id}',
    'one is active (`active_agent_version_id`), and when an A/B test is live (`is_ab_live`) several versions exist',
    async (w) => {
      const { agentId } = await w.agent();
      ok(await w.edit(agentId, 'create_version', {}));
      const record = await w.record(agentId);
      const ids = Object.keys(record.version_details);
      expect(ids).toHaveLength(2);
      expect(ids).toContain(record.active_agent_version_id);
      const versions = ids.map((version_id) => ({ version_id, call_traffic: 50 }));
      ok(await w.edit(agentId, 'set_ab_test', { versions }));
      expect((await w.record(agentId)).is_ab_live).toBe(true);
    },
  ),
];
