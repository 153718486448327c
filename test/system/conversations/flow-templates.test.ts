import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Chats } from '../../../src/app/chats.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import { FLOW_TEMPLATES } from '../../../src/shared/flow-templates/list.ts';
import { findVariables } from '../../../src/shared/variables.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { offlineChats } from '../../helpers/agents/offline-chats.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';

let api: TestApi;
let tenant: Tenant;
let chats: Chats;

/** Variables that every agent has. */
const CALL = new Set(['callee_name', 'mobile_number']);

beforeAll(async () => {
  const database = await createTestDatabase();
  chats = offlineChats({ db: database.db, clock: new ManualClock(), hasJobs: true });
  chats.start();
  api = await createTestApi({ chats: chats.desk }, database);
  tenant = await createTenant(api);
});
afterAll(async () => {
  await chats?.stop();
  await api?.close();
});

it('has eight templates', () => {
  expect(new Set(FLOW_TEMPLATES.map(({ id }) => id)).size).toBe(8);
});

it.each(FLOW_TEMPLATES)('plays the test cases of the template $id without a model', async (template) => {
  const { agentId } = await createTestAgent(api, tenant, {
    agent_type: template.type,
    primary_language: 'en-US',
    intro_message: template.opening,
    introduction_and_objective: template.objective,
    response_guidelines: template.guidelines,
    task: template.task,
    custom_variables: findVariables(JSON.stringify(template)).filter(
      (name) => !CALL.has(name) && !template.flow.variables.some((variable) => variable.name === name),
    ),
  });
  const post = (path: string, body: object) =>
    api.request('POST', `/api/v0/agent/${agentId}/${path}`, { key: tenant.key, body });
  const check = await post('flow/check', { flow: template.flow });
  expect(check.body).toMatchObject({ errors: [], warnings: [] });
  const edited = await api.request('PATCH', '/api/v0/agent/v1', {
    key: tenant.key,
    body: { operation: 'edit_flow', agent_id: agentId, flow: template.flow },
  });
  expect(edited.status).toBe(200);
  for (const body of template.cases) expect((await post('test-cases', body)).status).toBe(200);
  const { body } = await post('test-cases/run', { wait_seconds: 30 });
  const run = body['test_run'] as { result: string; results: { state: string }[] };
  expect(run.results.filter(({ state }) => state !== 'passed')).toEqual([]);
  expect(run.results).toHaveLength(template.cases.length);
  expect(run.result).toBe('passed');
});

it('shows how the flow moved in each turn of a test conversation', async () => {
  const { flow } = FLOW_TEMPLATES.find(({ id }) => id === 'appointment_booking')!;
  const { agentId } = await createTestAgent(api, tenant, { primary_language: 'en-US' });
  const request = (method: 'PATCH' | 'POST', path: string, body: object) =>
    api.request(method, `/api/v0/agent/${path}`, { key: tenant.key, body });
  const edited = await request('PATCH', 'v1', { operation: 'edit_flow', agent_id: agentId, flow });
  expect(edited.status).toBe(200);
  const { status, body } = await request('POST', `${agentId}/test`, { messages: ['Yes please.'] });
  expect(status).toBe(200);
  const turns = body['turns'] as { flow_steps: object[] }[];
  expect(turns.map((turn) => turn.flow_steps)).toEqual([[], [{ from: 'wish', to: 'caller', by: 'yes' }]]);
});
