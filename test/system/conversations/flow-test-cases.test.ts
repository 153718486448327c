import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Chats } from '../../../src/app/chats.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { offlineChats } from '../../helpers/agents/offline-chats.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';

let api: TestApi;
let tenant: Tenant;
let chats: Chats;
let agentId: string;

const FLOW = {
  start: 'score',
  variables: [
    { name: 'score', type: 'number' },
    { name: 'why', type: 'text' },
  ],
  nodes: [
    {
      id: 'score',
      type: 'collect',
      variable: 'score',
      ask: 'From 0 to 10, how likely are you to recommend us?',
      edges: [
        { to: 'thanks', if: 'score >= 9' },
        { to: 'why' },
        { to: 'thanks', on: 'failed' },
        { to: 'thanks', on: 'refused' },
      ],
    },
    {
      id: 'why',
      type: 'collect',
      variable: 'why',
      ask: 'What should we do better?',
      edges: [{ to: 'note' }, { to: 'thanks', on: 'failed' }],
    },
    {
      id: 'note',
      type: 'tool',
      tool: 'note_down',
      edges: [{ to: 'thanks' }, { to: 'thanks', on: 'failed' }],
    },
    { id: 'thanks', type: 'end', say: 'Thank you for your time. Goodbye.' },
  ],
};
const TOOL = {
  type: 'API_TOOL',
  name: 'note_down',
  description: 'Notes an opinion down.',
  method: 'POST',
  url: 'https://api.example.com/notes',
  body: { score: { source: 'argument', type: 'integer' }, why: { source: 'argument', type: 'string' } },
};

const post = (path: string, body: object): Promise<Answer> =>
  api.request('POST', `/api/v0/agent/${agentId}/${path}`, { key: tenant.key, body });
const edit = (body: object): Promise<Answer> =>
  api.request('PATCH', '/api/v0/agent/v1', { key: tenant.key, body: { agent_id: agentId, ...body } });

beforeAll(async () => {
  const database = await createTestDatabase();
  chats = offlineChats({ db: database.db, clock: new ManualClock(), hasJobs: true });
  chats.start();
  api = await createTestApi({ chats: chats.desk }, database);
  tenant = await createTenant(api);
  ({ agentId } = await createTestAgent(api, tenant, { intro_message: 'Hello, this is Harbour Travel.' }));
});
afterAll(async () => {
  await chats?.stop();
  await api?.close();
});

it('plays a survey by its flow, from the first message to the goodbye, without a model', async () => {
  expect((await edit({ operation: 'edit_on_call_tools', on_call_tools: [TOOL] })).status).toBe(200);
  expect((await edit({ operation: 'edit_flow', flow: FLOW })).status).toBe(200);
  const unhappy = {
    name: 'Asks why a caller is unhappy',
    lines: ['a six', 'The bus was late'],
    expectations: [
      { type: 'says', any_of: ['how likely are you'], turn: 0 },
      { type: 'says', any_of: ['do better'], turn: 1 },
      { type: 'calls_tool', tool: 'note_down', arguments: { score: 6, why: 'The bus was late' } },
      { type: 'ends', as: ['AGENT_ENDED'] },
    ],
    tool_results: [{ tool: 'note_down', result: { noted: true } }],
  };
  const happy = {
    name: 'Leaves a happy caller alone',
    lines: ['ten'],
    expectations: [
      { type: 'never_says', any_of: ['do better'] },
      { type: 'never_calls_tool', tool: 'note_down' },
      { type: 'ends', as: ['AGENT_ENDED'] },
    ],
  };
  for (const body of [unhappy, happy]) expect((await post('test-cases', body)).status).toBe(200);
  const { body } = await post('test-cases/run', { wait_seconds: 30 });
  const run = body['test_run'] as {
    result: string;
    results: { name: string; turns: { replies: string[] }[] }[];
  };
  expect(run.result).toBe('passed');
  expect(run.results[0]?.turns[0]?.replies).toEqual([
    'Hello, this is Harbour Travel.',
    'From 0 to 10, how likely are you to recommend us?',
  ]);
});
