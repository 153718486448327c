import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessOf } from '../../../src/domain/access/table.ts';
import { readShapes, type Shape } from '../../helpers/api/api-surface.ts';
import {
  createTenant,
  createTestApi,
  minimalAgent,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { uploadList } from '../../helpers/campaigns/contact-list.ts';
import { createHoldings, type Holdings } from '../../helpers/api/owned-objects.ts';
import { printState } from '../../helpers/database/state-print.ts';
import { send, wholeRequest } from '../../helpers/api/full-request.ts';

/**
 * For every changing route, read from the routes: the transaction of the change inserts the audit entry, and the
 * change fails without it.
 */
const CHANGING = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);

/** The effect of a valid request: a change, a response without one, or a refusal. */
const ROUTES: Readonly<Record<string, 'changes' | 'reads' | 'refuses'>> = {
  createAgent: 'changes',
  editAgent: 'changes',
  updateAgent: 'changes',
  deleteAgent: 'changes',
  // The holdings have no archived agent; test/system/api-delete-agent reads the entry of a restoration.
  restoreAgent: 'refuses',
  testAgent: 'changes',
  setWorkspaceSettings: 'changes',
  moveNumbers: 'changes',
  moveNumberPool: 'changes',
  archiveSubWorkspace: 'changes',
  restoreSubWorkspace: 'changes',
  openWebCallSession: 'changes',
  openWebChatSession: 'changes',
  createTestCase: 'changes',
  changeTestCase: 'changes',
  deleteTestCase: 'changes',
  runTestCases: 'changes',
  startRehearsal: 'changes',
  draftScenarios: 'reads',
  cancelRehearsal: 'changes',
  addWhatsappNumber: 'changes',
  changeWhatsappNumber: 'changes',
  removeWhatsappNumber: 'changes',
  startWhatsappChat: 'changes',
  takeOverChat: 'changes',
  sendChatMessage: 'changes',
  handBackChat: 'changes',
  endChat: 'changes',
  testTool: 'reads',
  checkFlow: 'reads',
  describeAgent: 'reads',
  importAgent: 'refuses',
  openDraft: 'changes',
  // The holdings have no draft; test/system/agents/drafts reads the entries.
  discardDraft: 'refuses',
  publishDraft: 'refuses',
  rollBackAgent: 'changes',
  testVendor: 'refuses',
  placeCall: 'changes',
  placeCallV2: 'changes',
  hangUpCall: 'changes',
  controlCall: 'changes',
  giveCallFeedback: 'changes',
  markFollowUp: 'changes',
  markFinding: 'changes',
  setScorecard: 'changes',
  setQualityAlerts: 'changes',
  saveCampaign: 'changes',
  uploadCampaign: 'changes',
  startCampaign: 'changes',
  startCampaignV2: 'changes',
  makeCampaignCalls: 'changes',
  pauseCampaign: 'changes',
  resumeCampaign: 'changes',
  terminateCalls: 'changes',
  checkCampaignBalance: 'reads',
  exportCalls: 'reads',
  addDoNotCall: 'changes',
  removeDoNotCall: 'changes',
  eraseCall: 'changes',
  eraseChat: 'changes',
  eraseNumbers: 'changes',
  exportPerson: 'reads',
  setRetention: 'changes',
  setProviders: 'changes',
  createKnowledgeBase: 'changes',
  changeKnowledgeBase: 'changes',
  deleteKnowledgeBase: 'changes',
  queryKnowledgeBase: 'reads',
  createNumberPool: 'changes',
  renameNumberPool: 'changes',
  deleteNumberPool: 'changes',
  addNumberPoolMembers: 'changes',
  removeNumberPoolMembers: 'changes',
  createSubWorkspace: 'changes',
  setSubWorkspaceConcurrency: 'changes',
  allocateCredits: 'changes',
  rotateKey: 'refuses',
  sendTestEvent: 'changes',
  rotateSigningSecret: 'changes',
  resendDelivery: 'changes',
  enableReceiver: 'changes',
  recoverDeliveries: 'changes',
};

/** Operations of editAgent that every voice agent refuses. */
const REFUSED = new Set(['editAgent:edit_chat_settings']);

const voice = minimalAgent()['voice_id'];
const tools = [{ type: 'END_CALL_TOOL', description: 'When all is said.' }];
const lookup = [{ type: 'API_TOOL', name: 'look_up', method: 'GET', url: 'https://api.example.com/x' }];
/** Body fields that make a request change something, over its example. */
const BODY: Readonly<Record<string, (own: Holdings) => object>> = {
  createAgent: () => minimalAgent(),
  'editAgent:edit_voice': () => ({ voice_id: voice }),
  'editAgent:edit_agent_whitelisted_domains': () => ({ whitelisted_domains: ['http://callwright.test'] }),
  'editAgent:edit_pre_call_tools': () => ({ pre_call_tools: lookup }),
  'editAgent:edit_on_call_tools': () => ({ on_call_tools: tools }),
  'editAgent:edit_post_call_tools': () => ({ post_call_tools: lookup }),
  'editAgent:edit_flow': () => ({ flow: { start: 'bye', nodes: [{ id: 'bye', type: 'end' }] } }),
  'editAgent:edit_handoffs': () => ({ handoffs: [] }),
  takeOverChat: () => ({ force: true }),
  controlCall: () => ({
    operation: 'take_over',
    text: undefined,
    transfer_to: undefined,
    mode: undefined,
  }),
  terminateCalls: ({ campaign }) => ({ campaign_id: campaign }),
  testAgent: () => ({ session_id: undefined }),
  createTestCase: () => ({ chat_id: undefined, expectations: [] }),
  changeTestCase: () => ({ expectations: [] }),
  runTestCases: () => ({ wait_seconds: 0 }),
  startRehearsal: () => ({
    wait_seconds: 0,
    scenarios: [{ name: 'Says yes', persona: { goal: 'Any.' }, expect: [{ type: 'no_overlap' }] }],
  }),
  setRetention: () => ({ recording_days: 30 }),
  setWorkspaceSettings: () => ({ strict_variables: true }),
  'editAgent:edit_web_sessions': () => ({ web_sessions: { require_session: true } }),
  setSubWorkspaceConcurrency: () => ({ concurrency: 0 }),
  recoverDeliveries: () => ({ since: '2026-01-01' }),
  createKnowledgeBase: () => ({ faqs: [{ question: 'How much?', answer: 'Nothing.' }] }),
  sendTestEvent: () => ({ callback_url: 'https://example.com/hook', agent_id: undefined }),
  removeDoNotCall: () => ({ mobile_numbers: ['+14155559900'] }),
};

let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  // The first read creates the secret.
  await api.request('GET', '/api/v0/webhooks/signing-secret', { key: tenant.key });
});
afterAll(() => api?.close());

const agentOf = (own: Holdings, body: object): Promise<Answer> =>
  api.request('PATCH', '/api/v0/agent/v1', { key: tenant.key, body: { agent_id: own.agent, ...body } });
const takenOver = ({ chat }: Holdings): Promise<unknown> =>
  api.request('POST', `/api/v0/chat/${chat}/take-over`, { key: tenant.key, body: { force: true } });
const campaignIs =
  (state: 'ongoing' | 'paused') =>
  ({ campaign }: Holdings): Promise<unknown> =>
    api.db.updateTable('campaigns').set({ state }).where('id', '=', campaign).execute();
const isOngoing = ({ call }: Holdings): Promise<unknown> =>
  api.db.updateTable('calls').set({ status: 'ongoing' }).where('id', '=', call).execute();
/** Preconditions of a request. */
const READY: Readonly<Record<string, (own: Holdings) => Promise<unknown>>> = {
  'editAgent:remove_inbound_number': (own) =>
    agentOf(own, { operation: 'attach_inbound_number', number_id: own.number }),
  'editAgent:remove_kb': (own) => agentOf(own, { operation: 'attach_kb', kb_id: own.knowledge }),
  sendChatMessage: takenOver,
  handBackChat: takenOver,
  hangUpCall: isOngoing,
  controlCall: isOngoing,
  removeNumberPoolMembers: ({ number, pool }) =>
    api.db.updateTable('numbers').set({ number_pool_id: pool }).where('id', '=', number).execute(),
  openWebCallSession: () =>
    api.db.updateTable('workspaces').set({ call_limit: 1000 }).where('id', '=', tenant.workspaceId).execute(),
  pauseCampaign: campaignIs('ongoing'),
  resumeCampaign: campaignIs('paused'),
  terminateCalls: campaignIs('ongoing'),
  removeDoNotCall: () =>
    api.request('POST', '/api/v0/dnc', {
      key: tenant.key,
      body: { mobile_numbers: ['+14155559900'] },
    }),
  recoverDeliveries: ({ delivery }) =>
    api.db.updateTable('deliveries').set({ state: 'dead' }).where('id', '=', delivery).execute(),
};

async function ready(shape: Shape): Promise<Holdings> {
  // The run of a test case among the holdings has no values.
  await api.request('PATCH', '/api/v0/workspace/settings', {
    key: tenant.key,
    body: { strict_variables: false },
  });
  const own = await createHoldings(api, tenant);
  await (READY[shape.key] ?? READY[operationOf(shape)])?.(own);
  return own;
}

async function ask(shape: Shape, own: Holdings): Promise<Answer> {
  const whole = wholeRequest(shape, own);
  if (whole.isList) {
    const list = { file: 'mobile_number,callee_name\n+14155550177,Ann\n', fields: { agent_id: own.agent } };
    return uploadList(api, whole.url.endsWith('/save') ? 'save' : 'upload-csv', tenant.key, list);
  }
  const instead = (BODY[shape.key] ?? BODY[operationOf(shape)])?.(own) ?? {};
  const body = whole.body === null ? null : { ...whole.body, ...instead };
  return send(api, tenant.key, { ...whole, body });
}

/** Takes the public key of an agent: no member of the workspace acts, and the call or chat itself is the record. */
const PUBLIC = new Set(['openWebCall', 'openWebChat']);
/** Acts of operators, who need no workspace, are in the log of their account: test/system/models/model-api.test.ts. */
const isOfOperators = (operation: string): boolean => accessOf(operation).need === 'operator';
const shapes = (await readShapes()).filter(
  ({ endpoint: { method, operationId } }) =>
    CHANGING.has(method) && !PUBLIC.has(operationId) && !isOfOperators(operationId),
);
function operationOf(shape: Shape): string {
  return shape.endpoint.operationId;
}
const becomes = (shape: Shape): string | undefined =>
  REFUSED.has(shape.key) ? 'refuses' : ROUTES[operationOf(shape)];
const keysOf = (outcome: string): Shape[] => shapes.filter((shape) => becomes(shape) === outcome);

/** A fingerprint of every table, workspaces included. */
async function printAll(): Promise<string> {
  const { rows } = await sql`select * from workspaces order by id`.execute(api.db);
  return `${await printState(api.db)}\n${JSON.stringify(rows)}`;
}

const entries = () =>
  api.db
    .selectFrom('audit_log')
    .select(['action', 'status', 'method', 'route'])
    .where('workspace_id', '=', tenant.workspaceId)
    .orderBy('id')
    .execute();

/** Runs `work` while audit entries cannot be inserted. */
async function withoutEntries<T>(work: () => Promise<T>): Promise<T> {
  await sql`alter table audit_log add constraint none check (false) not valid`.execute(api.db);
  try {
    return await work();
  } finally {
    await sql`alter table audit_log drop constraint none`.execute(api.db);
  }
}

describe('the audit entry of a change', () => {
  it('is tested for every changing route', () => {
    expect(shapes.filter((shape) => becomes(shape) === undefined).map(({ key }) => key)).toEqual([]);
    const used = new Set(shapes.map(operationOf));
    expect(Object.keys(ROUTES).filter((operation) => !used.has(operation))).toEqual([]);
    const keys = new Set([...used, ...shapes.map(({ key }) => key)]);
    const rows = [...Object.keys(BODY), ...Object.keys(READY), ...REFUSED];
    expect(rows.filter((key) => !keys.has(key))).toEqual([]);
    expect(keysOf('changes').length).toBeGreaterThan(55);
  });

  it.each(keysOf('changes').map((shape) => [shape.key, shape] as const))(
    'by %s commits with the change, once; without it the change is rolled back',
    async (_key, shape) => {
      const own = await ready(shape);
      const before = await printAll();
      const refused = await withoutEntries(() => ask(shape, own));
      expect([refused.status, refused.body['code']]).toEqual([500, expect.anything()]);
      expect(await printAll()).toBe(before);
      expect([...api.hungUp, ...api.controlled]).toEqual([]);

      const known = await entries();
      // An unchanged value still gets a new updated_at.
      api.clock.advance(1000);
      const answer = await ask(shape, own);
      expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
      const { method, path } = shape.endpoint;
      const route = path.replaceAll(/\{(\w+)\}/g, ':$1');
      expect((await entries()).slice(known.length)).toEqual([
        { action: operationOf(shape), status: 200, method, route },
      ]);
      // A hang-up and a control of a call change no row.
      const acts = [...api.hungUp.splice(0), ...api.controlled.splice(0)];
      expect([await printAll(), ...acts]).not.toEqual([before]);
    },
  );

  it.each([...keysOf('reads'), ...keysOf('refuses')].map((shape) => [shape.key, shape] as const))(
    'by %s is inserted although nothing changes',
    async (_key, shape) => {
      const own = await ready(shape);
      const before = await printAll();
      const known = await entries();
      const answer = await ask(shape, own);
      expect(answer.status < 300).toBe(becomes(shape) === 'reads');
      expect(await printAll()).toBe(before);
      expect((await entries()).slice(known.length)).toMatchObject([
        { action: operationOf(shape), status: answer.status },
      ]);
    },
  );
});
