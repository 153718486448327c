import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';

let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
});
afterAll(() => api.close());

async function tagOf(agentId: string): Promise<string> {
  const { headers } = await api.request('GET', `/api/v0/agent/${agentId}`, { key: tenant.key });
  return String(headers['etag']);
}
const edit = (agentId: string, body: object, ifMatch?: string): Promise<Answer> =>
  api.request('PATCH', '/api/v0/agent/v1', {
    key: tenant.key,
    body: { agent_id: agentId, ...body },
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
  });
const PHRASES = { operation: 'edit_vocab', vocab: ['Riverside'] };
const GREETING = { operation: 'edit_intro_message', intro_message: 'Good morning.' };

it('the second of two editors gets 412 naming what the first changed, and changes nothing', async () => {
  const { agentId } = await createTestAgent(api, tenant);
  const read = await tagOf(agentId);
  expect(read).toMatch(/^"[0-9a-f.]+"$/);
  expect(await tagOf(agentId)).toBe(read);
  expect((await edit(agentId, GREETING, read)).status).toBe(200);
  const changed = await tagOf(agentId);
  expect(changed).not.toBe(read);
  const refused = await edit(agentId, PHRASES, read);
  expect([refused.status, refused.body['code'], refused.body['message']]).toEqual([
    412,
    'AGENT_CHANGED',
    'The agent was changed since you read it: first message. Read it again with GET /agent/{agent_id}',
  ]);
  expect(await tagOf(agentId)).toBe(changed);
  expect((await edit(agentId, PHRASES, changed)).status).toBe(200);
});

it('PATCH /public/agent/{agent_id} checks If-Match, too', async () => {
  const { agentId } = await createTestAgent(api, tenant);
  const read = await tagOf(agentId);
  const update = (ifMatch: string): Promise<Answer> =>
    api.request('PATCH', `/api/v0/public/agent/${agentId}`, {
      key: tenant.key,
      body: { agent_name: 'Evening reminder' },
      headers: { 'if-match': ifMatch },
    });
  expect((await update(read)).status).toBe(200);
  const refused = await update(read);
  expect([refused.status, refused.body['message']]).toEqual([
    412,
    'The agent was changed since you read it: name, type or active version. Read it again with GET /agent/{agent_id}',
  ]);
});

it('without If-Match, or with *, changes need no tag, and a tag of nothing is refused', async () => {
  const { agentId } = await createTestAgent(api, tenant);
  expect((await edit(agentId, GREETING)).status).toBe(200);
  expect((await edit(agentId, GREETING, '*')).status).toBe(200);
  const refused = await edit(agentId, GREETING, '"abc"');
  expect([refused.status, refused.body['message']]).toEqual([
    412,
    'If-Match is not an ETag of this agent; read it again with GET /agent/{agent_id}',
  ]);
});

it('of concurrent edits with one tag exactly one changes the agent', async () => {
  const { agentId } = await createTestAgent(api, tenant);
  const read = await tagOf(agentId);
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, n) =>
      edit(agentId, { operation: 'edit_intro_message', intro_message: `Hello ${n}.` }, read),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412, 412]);
});
