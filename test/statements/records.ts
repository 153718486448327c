// These proofs run inside the tests of test/system/api/statements.test.ts.
/* oxlint-disable vitest/no-standalone-expect */
import { expect } from 'vitest';
import { newId } from '../../src/shared/ids.ts';
import { ok, refused, section, TIME, UUID, type Statement, type World } from './statement.ts';

const agent = section('Agent record');
const voice = section('Voice');
const workspace = section('Workspace');
const number = section('Workspace number');
const subscription = section('Event subscription object');

/** The agent's record has `field` with a matching value. */
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
];
