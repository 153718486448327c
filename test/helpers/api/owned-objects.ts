import { MEASURED_MEDIA } from '../calls/measured-media.ts';
import { insertReceiver } from './owned-receiver.ts';
import { sql } from 'kysely';
import { packPiece } from '../../../src/domain/campaigns/import/piece.ts';
import { newApiKey, storedForm } from '../../../src/domain/workspaces/api-key.ts';
import { newId } from '../../../src/shared/ids.ts';
import { noteAttempt } from '../../../src/store/analysis/attempt-figures.ts';
import { insertWhatsappNumber } from '../../../src/store/chats/whatsapp-numbers.ts';
import { insertCheck, insertFindings } from '../../../src/store/quality/checks.ts';
import { insertRequests } from '../../../src/store/requests/requests.ts';
import { replaceKey } from '../../../src/store/tenants/keys.ts';
import { createTenant, createTestAgent, type Tenant, type TestApi } from './api.ts';
import { insertCampaign } from '../campaigns/campaigns.ts';
import { testToken } from '../database/links.ts';
import { packedFixture } from '../sip/replays.ts';
import { logRow } from './request-log.ts';

/** The ID of one object of each kind that a workspace can own. */
export interface Holdings {
  readonly agent: string;
  readonly version: string;
  readonly otherVersion: string;
  readonly call: string;
  readonly chat: string;
  readonly testRun: string;
  readonly testCase: string;
  /** A run of the case. */
  readonly caseRun: string;
  readonly rehearsal: string;
  readonly chatAgent: string;
  readonly whatsappNumber: string;
  readonly campaign: string;
  readonly number: string;
  readonly numberText: string;
  readonly pool: string;
  readonly knowledge: string;
  readonly faqSource: string;
  readonly fileSource: string;
  readonly urlSource: string;
  readonly erasure: string;
  readonly delivery: string;
  /** A disabled receiver. */
  readonly receiver: string;
  readonly request: string;
  readonly logEntry: string;
  readonly recording: string;
  readonly rejects: string;
  /** A child workspace; null for a child. */
  readonly child: string | null;
}
export type Kind = keyof Holdings;

/** Creates a child workspace with a key, a number and credits. */
export async function createChild(api: TestApi, parent: Tenant): Promise<Tenant> {
  const child = await createTenant(api);
  await api.db
    .updateTable('workspaces')
    .set({ parent_id: parent.workspaceId })
    .where('id', '=', child.workspaceId)
    .execute();
  return child;
}

const idOf = (body: Record<string, unknown>, ...keys: string[]): string => {
  const found = keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], body);
  if (typeof found !== 'string') throw new Error(`no id at ${keys.join('.')} of ${JSON.stringify(body)}`);
  return found;
};

let serial = 0;

/** Creates one object of each kind in the workspace. */
export async function createHoldings(api: TestApi, tenant: Tenant, isChild = false): Promise<Holdings> {
  const { workspaceId, key } = tenant;
  const at = new Date(api.clock.now());
  const agent = await createTestAgent(api, tenant, { agent_type: 'outbound_inbound' });
  await sql`
    update agent_versions set config = config || ${JSON.stringify({ on_call_tools: [TOOL] })}::jsonb
    where workspace_id = ${workspaceId} and agent_id = ${agent.agentId}`.execute(api.db);
  const chatAgent = await createTestAgent(api, tenant, { agent_type: 'whatsapp' });
  const request = `req-${newId()}`;
  const copied = await api.request('PATCH', '/api/v0/agent/v1', {
    key,
    body: { operation: 'create_version', agent_id: agent.agentId },
    headers: { 'x-request-id': request },
  });
  const pooled = newId();
  const numberId = newId();
  serial += 2;
  const [numberText, pooledText] = [`+1415${2_000_000 + serial}`, `+1415${2_000_001 + serial}`];
  const number = { workspace_id: workspaceId, trunk_id: tenant.trunkId, created_at: at, updated_at: at };
  await api.db
    .insertInto('numbers')
    .values([
      { ...number, id: numberId, number: numberText },
      { ...number, id: pooled, number: pooledText },
    ])
    .execute();
  const pool = await api.request('POST', '/api/v0/number-pool', {
    key,
    body: { name: 'Pool', from_number_ids: [pooled] },
  });
  const knowledge = await api.request('POST', '/api/v0/external/kb', {
    key,
    body: { kb_name: `Prices ${newId()}`, faqs: [{ question: 'How much?', answer: 'Nothing.' }] },
  });
  const kbId = idOf(knowledge.body, 'kb_id');
  const kb = await api.request('GET', `/api/v0/external/kb/${kbId}`, { key });
  const [fileSource, urlSource] = [newId(), newId()];
  const source = {
    workspace_id: workspaceId,
    kb_id: kbId,
    status: 'ready',
    created_at: at,
    updated_at: at,
  } as const;
  await api.db
    .insertInto('knowledge_sources')
    .values([
      { ...source, id: fileSource, kind: 'file', name: 'prices.txt' },
      { ...source, id: urlSource, kind: 'url', name: 'https://example.com/prices' },
    ])
    .execute();
  const campaign = await insertCampaign(api, tenant, agent, { contacts: 2 });
  const call = newId();
  const cases = await createTestCase(api, key, agent.agentId);
  const rehearsal = await startRehearsal(api, key, agent.agentId);
  await insertRows(api, tenant, { agent, call, campaign, numberId, numberText, at });
  const delivery = await insertDelivery(api, workspaceId, call, at);
  const erasure = newId();
  await api.db
    .insertInto('erasures')
    .values({
      workspace_id: workspaceId,
      id: erasure,
      mobile_numbers: ['+12125550100'],
      state: 'done',
      due_at: at,
      requested_at: at,
    })
    .execute();
  return {
    agent: agent.agentId,
    version: agent.versionId,
    otherVersion: idOf(copied.body, 'version_id'),
    call,
    chat: await insertChat(api, workspaceId, agent, 'web', campaign, at),
    chatAgent: chatAgent.agentId,
    whatsappNumber: await insertWhatsapp(api, workspaceId, chatAgent.agentId, at),
    testRun: await insertChat(api, workspaceId, agent, 'test', null, at),
    ...cases,
    rehearsal,
    campaign,
    number: numberId,
    numberText,
    pool: idOf(pool.body, 'number_pool', 'id'),
    knowledge: kbId,
    faqSource: (kb.body['faqs'] as { id: string }[])[0]?.id ?? '',
    fileSource,
    urlSource,
    erasure,
    delivery,
    receiver: await insertReceiver(api, workspaceId, at),
    request,
    logEntry: await insertLogEntry(api, workspaceId, at),
    recording: `${testToken('recording', workspaceId, call)}.wav`,
    rejects: `${testToken('rejects', workspaceId, campaign)}.csv`,
    child: isChild ? null : await insertChild(api, workspaceId, at),
  };
}

async function createTestCase(
  api: TestApi,
  key: string,
  agentId: string,
): Promise<Pick<Holdings, 'testCase' | 'caseRun'>> {
  const path = `/api/v0/agent/${agentId}/test-cases`;
  const body = { name: 'Answers', lines: ['Yes.'], expectations: [] };
  const made = await api.request('POST', path, { key, body });
  const run = await api.request('POST', `${path}/run`, { key, body: {} });
  return { testCase: idOf(made.body, 'test_case', 'id'), caseRun: idOf(run.body, 'test_run', 'run_id') };
}

async function startRehearsal(api: TestApi, key: string, agentId: string): Promise<string> {
  const scenarios = [{ name: 'Says yes', persona: { goal: 'Any.' }, expect: [{ type: 'no_overlap' }] }];
  const body = { scenarios, calls: 1 };
  const made = await api.request('POST', `/api/v0/agent/${agentId}/rehearsals`, { key, body });
  return idOf(made.body, 'rehearsal', 'rehearsal_id');
}

async function insertChat(
  api: TestApi,
  workspaceId: string,
  agent: { agentId: string; versionId: string },
  channel: 'web' | 'test',
  campaignId: string | null,
  at: Date,
): Promise<string> {
  const id = newId();
  await api.db
    .insertInto('chats')
    .values({
      workspace_id: workspaceId,
      id,
      agent_id: agent.agentId,
      version_id: agent.versionId,
      channel,
      customer: id,
      campaign_id: campaignId,
      state: channel === 'web' ? 'with_person' : 'open',
      created_at: at,
      ends_at: new Date(at.getTime() + 3_600_000),
    })
    .execute();
  return id;
}

async function insertLogEntry(api: TestApi, workspaceId: string, at: Date): Promise<string> {
  const id = newId();
  await insertRequests(api.db, [{ ...logRow(workspaceId), id, at }]);
  return id;
}

async function insertWhatsapp(api: TestApi, workspaceId: string, agentId: string, at: Date): Promise<string> {
  const id = newId();
  const number = { workspaceId, id, agentId, phoneNumberId: id, number: '+15550783881', displayName: '' };
  const businessAccountId = null;
  const secrets = { accessToken: 'sealed', appSecret: 'sealed', verifyToken: id };
  await insertWhatsappNumber(api.db, { ...number, businessAccountId, ...secrets }, at);
  return id;
}

/** A tool whose request fails at once. */
const TOOL = { type: 'API_TOOL', name: 'look_up', method: 'GET', url: 'https://tools.invalid/x' };

async function insertChild(api: TestApi, parentId: string, at: Date): Promise<string> {
  const id = newId();
  await api.db
    .insertInto('workspaces')
    .values({ id, parent_id: parentId, name: `Child ${id}`, created_at: at, updated_at: at })
    .execute();
  await replaceKey(api.db, id, storedForm(newApiKey()), at);
  return id;
}

interface Owned {
  agent: { agentId: string; versionId: string };
  call: string;
  campaign: string;
  numberId: string;
  numberText: string;
  at: Date;
}

/** Inserts an ended call with its record and analytics, and the upload of the campaign. */
async function insertRows(api: TestApi, { workspaceId }: Tenant, own: Owned): Promise<void> {
  const { agent, call, campaign, numberId, numberText, at } = own;
  await api.db
    .insertInto('calls')
    .values({
      workspace_id: workspaceId,
      id: call,
      campaign_id: campaign,
      agent_id: agent.agentId,
      version_id: agent.versionId,
      number_id: numberId,
      call_type: 'outbound',
      from_number: numberText,
      to_number: '+12125550100',
      status: 'completed',
      sub_status: 'USER_LEFT',
      attempt: 1,
      duration_ms: 30_000,
      created_at: at,
      updated_at: at,
      answered_at: at,
      ended_at: at,
    })
    .execute();
  await api.db
    .insertInto('call_records')
    .values({
      workspace_id: workspaceId,
      call_id: call,
      transcript: JSON.stringify([]),
      recording_path: `${call}.wav`,
      recording_ms: 30_000,
      recording_bytes: 1000,
      recording_state: 'stored',
      usage: JSON.stringify([
        {
          part: 'stt',
          vendor: 'deepgram',
          model: 'nova-3',
          audioMs: 30_000,
          inputTokens: 0,
          cachedTokens: 0,
          outputTokens: 0,
          characters: 0,
        },
      ]),
      media: MEASURED_MEDIA,
      platform_analysis: JSON.stringify({ classification: 'interested', sentiment: 'neutral' }),
      event_log: packedFixture('booking'),
      evaluations: JSON.stringify([{ name: 'polite', result: 'passed', reason: 'It thanks.' }]),
      updated_at: at,
    })
    .execute();
  await api.db.transaction().execute(async (tx) => {
    const checked = { id: call, agentId: agent.agentId, versionId: agent.versionId };
    await insertCheck(tx, workspaceId, checked, at);
    const found = { detector: 'dead_air', atMs: 4_000, detail: 'nobody spoke' };
    await insertFindings(tx, workspaceId, checked, [found], at);
  });
  await api.db
    .insertInto('ledger')
    .values({
      workspace_id: workspaceId,
      call_id: call,
      attempt: 1,
      kind: 'charge',
      amount: 1_000_000,
      at,
    })
    .execute();
  await api.db.transaction().execute((tx) =>
    noteAttempt(tx, {
      workspaceId,
      agentId: agent.agentId,
      versionId: agent.versionId,
      numberId,
      campaignId: campaign,
      attempt: 1,
      dialedAt: at,
      endedAt: new Date(at.getTime() + 30_000),
      isAnswered: true,
      durationMs: 30_000,
      turns: [[800, 400, 200, 300, 100]],
    }),
  );
  await api.db
    .insertInto('call_days')
    .values({
      workspace_id: workspaceId,
      day: at.toISOString().slice(0, 10),
      agent_id: agent.agentId,
      version_id: agent.versionId,
      number_id: numberId,
      campaign_id: campaign,
      call_type: 'outbound',
      status: 'completed',
      sub_status: 'USER_LEFT',
      duration_bucket: 1,
      attempts: 1,
      duration_ms: 30_000,
      cost: 0,
      calls: 1,
    })
    .execute();
  await api.db
    .insertInto('campaign_uploads')
    .values({
      workspace_id: workspaceId,
      id: campaign,
      flow: 'upload',
      state: 'completed',
      has_rejects: true,
      report: JSON.stringify({ invalidRows: [], encoding: 'utf-8', delimiter: ',' }),
      beat_at: at,
      created_at: at,
    })
    .execute();
  await api.db
    .insertInto('campaign_upload_pieces')
    .values({
      workspace_id: workspaceId,
      upload_id: campaign,
      kind: 'rejects',
      seq: 0,
      content: await packPiece('row\r\n'),
    })
    .execute();
}

async function insertDelivery(api: TestApi, workspaceId: string, call: string, at: Date): Promise<string> {
  const [event, id] = [newId(), newId()];
  const { seq } = await api.db
    .insertInto('events')
    .values({
      workspace_id: workspaceId,
      id: event,
      call_id: call,
      dedup: event,
      event_type: 'call_completed',
      body: JSON.stringify({ event_type: 'call_completed' }),
      occurred_at: at,
    })
    .returning('seq')
    .executeTakeFirstOrThrow();
  await api.db
    .insertInto('deliveries')
    .values({
      workspace_id: workspaceId,
      id,
      event_id: event,
      call_id: call,
      event_seq: seq,
      event_type: 'call_completed',
      target: 'https://example.com/hook',
      host: 'example.com',
      url: 'https://example.com/hook',
      method: 'POST',
      headers: JSON.stringify({}),
      state: 'delivered',
      attempt: 1,
      due_at: at,
      created_at: at,
      finished_at: at,
    })
    .execute();
  return id;
}
