import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkspaceModels } from '../../../src/app/workspace-models.ts';
import { NO_OPERATOR_PROVIDERS } from '../../../src/vendors/accounts.ts';
import {
  createTenant,
  createTestApi,
  minimalAgent,
  TEST_SEAL,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';
import { startFakeOpenAiServer, type FakeOpenAiServer } from '../../helpers/openai-server.ts';

const DRAFT = {
  name: 'Table bookings',
  opening: 'Hello {{callee_name}}, this is Trattoria Roma. Do you have a minute?',
  objective: 'You ask guests whether they still come tonight.',
  guidelines: 'Short, warm sentences.',
  task: '1. Ask "Do you still come tonight?"\n2. Thank them and say goodbye.',
};
const SENTENCE = 'Calls our guests and asks whether they still come tonight.';

let model: FakeOpenAiServer;
let api: TestApi;
let tenant: Tenant;
let models: WorkspaceModels;
/** Whether the installation has the model. */
let isSet = true;
beforeAll(async () => {
  const bad = { ...DRAFT, task: 'Say {{price}}.' };
  model = await startFakeOpenAiServer(
    [DRAFT, bad, DRAFT, bad, bad].map((draft) => ({ text: JSON.stringify(draft) })),
  );
  const database = await createTestDatabase();
  const { baseUrl } = model;
  const config = {
    providers: NO_OPERATOR_PROVIDERS,
    llm: [{ vendor: 'openai-compatible', baseUrl, key: null, model: 'writer' }],
    safeFetchAllow: [],
  } as const;
  models = new WorkspaceModels({ db: database.db, seal: TEST_SEAL, config });
  api = await createTestApi({ modelOf: (id) => (isSet ? models.of(id) : Promise.resolve(null)) }, database);
  tenant = await createTenant(api);
});
afterAll(async () => {
  await api?.close();
  await models?.close();
  await model?.close();
});

const describeAgent = (description: unknown): Promise<Answer> =>
  api.request('POST', '/api/v0/agent/describe', { key: tenant.key, body: { description } });

describe('an agent described in a sentence', () => {
  it('is a draft by the model of the workspace, which an agent can be created from', async () => {
    const { status, body } = await describeAgent(` ${SENTENCE} `);
    expect([status, body['written_by']]).toEqual([200, 'writer']);
    const draft = body['draft'] as Record<string, unknown>;
    expect(draft).toEqual({
      agent_name: DRAFT.name,
      intro_message: DRAFT.opening,
      introduction_and_objective: DRAFT.objective,
      response_guidelines: DRAFT.guidelines,
      task: DRAFT.task,
    });
    expect(JSON.stringify(model.requests[0]?.body)).toContain(SENTENCE);
    const created = await api.request('POST', '/api/v0/public/agent', {
      key: tenant.key,
      body: { ...minimalAgent(), ...draft },
    });
    expect(created.status).toBe(200);
  });

  it('is asked for again when it does not fit, and refused the second time', async () => {
    expect((await describeAgent(SENTENCE)).status).toBe(200);
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('no other variable');
    expect(await describeAgent(SENTENCE)).toMatchObject({
      status: 503,
      body: { code: 'MODEL_UNAVAILABLE' },
    });
    expect(model.requests).toHaveLength(5);
  });

  it('needs a description and a model', async () => {
    for (const description of ['short', ' '.repeat(20), 'x'.repeat(1_001), 7])
      expect((await describeAgent(description)).status).toBe(422);
    isSet = false;
    expect(await describeAgent(SENTENCE)).toMatchObject({ status: 409, body: { code: 'NO_LANGUAGE_MODEL' } });
  });
});
