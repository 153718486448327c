import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chats } from '../../../src/app/chats.ts';
import { AddressGuard, innerRuleFor } from '../../../src/net/address-guard.ts';
import { blockedDetail } from '../../../src/net/address-rules.ts';
import type { AddressRules } from '../../../src/shared/address-rules.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import { offlineChats } from '../../helpers/agents/offline-chats.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { startInnerServer, type InnerServer } from '../../helpers/api/inner-server.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';

let models: InnerServer;
let crm: InnerServer;
let api: TestApi;
let chats: Chats;
let tenant: Tenant;
/** The workspace that the operator opened the CRM to. */
let owner: Tenant;
/** The rules in force when an address is saved. */
let guard: AddressGuard;

beforeAll(async () => {
  models = await startInnerServer();
  crm = await startInnerServer();
  const database = await createTestDatabase();
  const clock = new ManualClock();
  tenant = await createTenant({ db: database.db, clock });
  owner = await createTenant({ db: database.db, clock });
  const allow = [`127.0.0.1:${models.port}`, `tools@${owner.workspaceId}=127.0.0.1:${crm.port}`];
  guard = new AddressGuard({ allow });
  const rules: AddressRules = {
    refusal: (url) => guard.refusal(url),
    innerRule: (url, use) => guard.innerRule(url, use),
  };
  chats = offlineChats({ db: database.db, clock, reachable: allow });
  api = await createTestApi({ chats: chats.desk, guard: rules }, database);
});
afterAll(async () => {
  await api?.close();
  await chats?.stop();
  for (const server of [models, crm]) await server?.close();
});

const edit = (who: Tenant, agentId: string, operation: string, fields: object): Promise<Answer> =>
  api.request('PATCH', '/api/v0/agent/v1', {
    key: who.key,
    body: { operation, agent_id: agentId, ...fields },
  });
const apiTool = (url: string) => ({ type: 'API_TOOL', name: 'ask', method: 'GET', url });
const onCall = (url: string) => ({ on_call_tools: [{ ...apiTool(url), description: 'Asks.' }] });
const runTool = (who: Tenant, agentId: string): Promise<Answer> =>
  api.request('POST', `/api/v0/agent/${agentId}/tools/test`, { key: who.key, body: { tool: 'ask' } });

/** An agent whose tool was saved while the operator allowed every address. */
async function agentWithTool(who: Tenant, url: string): Promise<string> {
  const { agentId } = await createTestAgent(api, who);
  const inForce = guard;
  guard = new AddressGuard({ allow: ['tools=127.0.0.0/8'] });
  const saved = await edit(who, agentId, 'edit_on_call_tools', onCall(url));
  guard = inForce;
  expect(saved.status).toBe(200);
  return agentId;
}

describe('the address that the operator opened for the models of the installation', () => {
  it('is accepted as the server of an agent’s own model', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    const llm = { provider: 'openai_compatible', model: 'm', base_url: `http://127.0.0.1:${models.port}/v1` };
    expect((await edit(tenant, agentId, 'edit_llm', { llm })).status).toBe(200);
  });

  it.each([
    ['tools', 'edit_on_call_tools', 'on_call_tools[0].url', onCall],
    [
      'tools',
      'edit_pre_call_tools',
      'pre_call_tools[0].url',
      (url: string) => ({ pre_call_tools: [apiTool(url)] }),
    ],
    [
      'tools',
      'edit_on_call_tools of an MCP server',
      'on_call_tools[0].url',
      (url: string) => ({ on_call_tools: [{ type: 'MCP_SERVER', name: 'a', url }] }),
    ],
    [
      'webhooks',
      'edit_event_subscriptions',
      'event_subscriptions[0].callback_url',
      (url: string) => ({ event_subscriptions: [{ event_type: 'call_completed', callback_url: url }] }),
    ],
  ] as const)('is refused to %s by %s', async (purpose, operation, field, fields) => {
    const { agentId } = await createTestAgent(api, tenant);
    const [name = ''] = operation.split(' ');
    const answer = await edit(tenant, agentId, name, fields(`http://127.0.0.1:${models.port}/`));
    expect([answer.status, answer.body['message']]).toEqual([422, `${field} ${innerRuleFor(purpose)}`]);
    expect(innerRuleFor(purpose)).toContain(`SAFE_FETCH_ALLOW for ${purpose}`);
  });

  it("gets no byte of a tenant's tool that was saved before the rule, and the answer names setting and purpose", async () => {
    const agentId = await agentWithTool(tenant, `http://127.0.0.1:${models.port}/admin`);
    const answer = await runTool(tenant, agentId);
    expect(answer.body).toMatchObject({
      ok: false,
      result: { error: 'blocked', detail: blockedDetail('tools') },
    });
    expect(models.touched()).toBe(0);
  });
});

describe('an address that the operator opened to the tools of one workspace', () => {
  const crmUrl = (): string => `http://127.0.0.1:${crm.port}/customers`;

  it('is refused to another workspace when the tool is saved, and when it is used', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    const saved = await edit(tenant, agentId, 'edit_on_call_tools', onCall(crmUrl()));
    expect([saved.status, saved.body['message']]).toEqual([
      422,
      `on_call_tools[0].url ${innerRuleFor('tools')}`,
    ]);
    // The workspace with the entry has an open connection, which the other one does not get.
    const mine = await createTestAgent(api, owner);
    expect((await edit(owner, mine.agentId, 'edit_on_call_tools', onCall(crmUrl()))).status).toBe(200);
    expect((await runTool(owner, mine.agentId)).body).toMatchObject({
      ok: true,
      result: { status: 200, data: { reached: true } },
    });
    const before = crm.touched();
    const stale = await agentWithTool(tenant, crmUrl());
    expect((await runTool(tenant, stale)).body).toMatchObject({ ok: false, result: { error: 'blocked' } });
    expect(crm.touched()).toBe(before);
  });
});
