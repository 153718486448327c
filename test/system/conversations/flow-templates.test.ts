import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Chats } from '../../../src/app/chats.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import { FLOW_TEMPLATES } from '../../../src/shared/flow-templates/list.ts';
import type { FlowTemplate } from '../../../src/shared/flow-templates/template.ts';
import { findVariables } from '../../../src/shared/variables.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { offlineChats } from '../../helpers/agents/offline-chats.ts';
import { startFakeOpenAiServer, type FakeOpenAiServer } from '../../helpers/openai-server.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';

let api: TestApi;
let tenant: Tenant;
let chats: Chats;
/** The same with a stand-in model. */
let model: FakeOpenAiServer;
let withModel: TestApi;
let modelTenant: Tenant;
let modelChats: Chats;

/** Variables that every agent has. */
const CALL = new Set(['callee_name', 'mobile_number']);

beforeAll(async () => {
  const database = await createTestDatabase();
  chats = offlineChats({ db: database.db, clock: new ManualClock(), hasJobs: true });
  chats.start();
  api = await createTestApi({ chats: chats.desk }, database);
  tenant = await createTenant(api);
  model = await startFakeOpenAiServer([{ text: 'A reply of the model.' }]);
  const other = await createTestDatabase();
  const account = { vendor: 'openai-compatible', key: null, baseUrl: model.baseUrl, model: 'tiny' } as const;
  modelChats = offlineChats({ db: other.db, clock: new ManualClock(), hasJobs: true, models: [account] });
  modelChats.start();
  withModel = await createTestApi({ chats: modelChats.desk }, other);
  modelTenant = await createTenant(withModel);
});
afterAll(async () => {
  await chats?.stop();
  await modelChats?.stop();
  await api?.close();
  await withModel?.close();
  await model?.close();
});

it('has eight templates', () => {
  expect(new Set(FLOW_TEMPLATES.map(({ id }) => id)).size).toBe(8);
});

/** Creates an agent of a template and runs the template's test cases; the result of the run. */
async function play(on: TestApi, owner: Tenant, template: FlowTemplate): Promise<string> {
  const { agentId } = await createTestAgent(on, owner, {
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
    on.request('POST', `/api/v0/agent/${agentId}/${path}`, { key: owner.key, body });
  const check = await post('flow/check', { flow: template.flow });
  expect(check.body).toMatchObject({ errors: [], warnings: [] });
  const edited = await on.request('PATCH', '/api/v0/agent/v1', {
    key: owner.key,
    body: { operation: 'edit_flow', agent_id: agentId, flow: template.flow },
  });
  expect(edited.status).toBe(200);
  for (const body of template.cases) expect((await post('test-cases', body)).status).toBe(200);
  const { body } = await post('test-cases/run', { wait_seconds: 30 });
  const run = body['test_run'] as { result: string; results: { state: string }[] };
  expect(run.results.filter(({ state }) => state !== 'passed')).toEqual([]);
  expect(run.results).toHaveLength(template.cases.length);
  return run.result;
}

it.each(FLOW_TEMPLATES)('plays the test cases of the template $id without a model', async (template) => {
  expect(await play(api, tenant, template)).toBe('passed');
});

it.each(FLOW_TEMPLATES)(
  'plays the test cases of $id beside a model, which no question needs',
  async (template) => {
    expect(await play(withModel, modelTenant, template)).toBe('passed');
    expect(model.requests).toHaveLength(0);
  },
);

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
