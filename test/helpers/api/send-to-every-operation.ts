import { sql, type RawBuilder } from 'kysely';
import { systemClock } from '../../../src/shared/clock.ts';
import type { Db } from '../../../src/store/database.ts';
import { insertCampaign } from '../campaigns/campaigns.ts';
import { edit } from '../sip/phone-service.ts';
import { createAgent, whenOver } from '../service/scenario.ts';
import { eventually, type Service } from '../service/service.ts';

/** Outcome of the requests to one address, per operation. */
export type Endings = Readonly<Record<string, readonly string[]>>;

/**
 * Enters each address in every operation that accepts one, triggers a request from each, waits for the outcomes and
 * returns them by address.
 */
export async function throughEverySurface(
  service: Service,
  db: Db,
  urls: readonly string[],
): Promise<ReadonlyMap<string, Endings>> {
  const given: Given[] = [];
  for (const [nth, url] of urls.entries()) given.push(await give(service, db, url, nth));
  const endings = given.map(async (each) => [each.url, await endingsAt(service, db, each)] as const);
  return new Map(await Promise.all(endings));
}

interface Given {
  readonly url: string;
  readonly testId: string;
  readonly knowledgeId: string;
  readonly callId: string;
  readonly campaignId: string;
}

async function give(service: Service, db: Db, url: string, nth: number): Promise<Given> {
  // The test carrier is busy for this number, so the call ends at once.
  const number = (area: number): string => `+1${area}${200 + nth}0002`;
  const agentId = await createAgent(service);
  const tool = { type: 'API_TOOL', name: 'ask', method: 'GET', url };
  await edit(service, agentId, 'edit_pre_call_tools', { pre_call_tools: [tool] });
  await edit(service, agentId, 'edit_on_call_tools', {
    on_call_tools: [{ type: 'MCP_SERVER', name: 'crm', url }],
  });
  await edit(service, agentId, 'edit_post_call_tools', { post_call_tools: [tool] });
  await edit(service, agentId, 'edit_event_subscriptions', {
    event_subscriptions: [{ event_type: 'call_completed', callback_url: `${url}?subscription` }],
  });
  const test = await post(service, '/webhooks/test', {
    event_type: 'call_started',
    callback_url: url,
  });
  const knowledgeId = await createKnowledge(service, url);
  const placed = await post(service, '/calling/v2/outbound/individual', {
    name: 'Sam',
    mobile_number: number(415),
    agent_id: agentId,
    from_number: '+14155550100',
    callback_url: `${url}?called`,
  });
  const callId: string = placed.data.call_id;
  const campaignId = await startCampaign(service, db, agentId, number(212), `${url}?campaign`);
  return { url, testId: test.delivery.delivery_id, knowledgeId, callId, campaignId };
}

async function endingsAt(service: Service, db: Db, given: Given): Promise<Endings> {
  const { url, testId, knowledgeId, callId, campaignId } = given;
  const deliveries = (of: RawBuilder<boolean>): Promise<string[]> =>
    tried(url, async () => {
      const rows = await db.selectFrom('deliveries').select('attempts').where(of).execute();
      // Events of a call are delivered in order, with retries after ten seconds.
      const endings = new Set(rows.flatMap((row) => row.attempts.map(endingOf)));
      return endings.size === 0 ? null : [...endings];
    });
  const { tool_call_logs: log } = await whenOver(service, callId);
  return {
    'test event': await deliveries(sql`id = ${testId}`),
    subscription: await deliveries(sql`call_id = ${callId} and url like '%?subscription'`),
    call: await deliveries(sql`call_id = ${callId} and url like '%?called'`),
    campaign: await deliveries(
      sql`call_id in (select id from calls where campaign_id = ${campaignId}) and url like '%?campaign'`,
    ),
    'tool before a call': endingsOf(
      log.filter((entry: any) => entry.phase !== 'post_call'),
      'ask',
    ),
    'MCP server': endingsOf(log, 'crm'),
    'tool after a call': await tried(url, async () => {
      const failed = await failureOf(db, callId);
      if (failed !== null) return [failed];
      const { tool_call_logs: after } = await whenOver(service, callId);
      const logged = after.filter((entry: any) => entry.phase === 'post_call');
      return logged.length === 0 ? null : endingsOf(logged, 'ask');
    }),
    knowledge: await tried(url, async () => {
      const { body } = await service.request('GET', `/api/v0/external/kb/${knowledgeId}`);
      const [source] = body.urls;
      const failed: string | null = source.error ?? (await failureOf(db, knowledgeId));
      return failed === null ? null : [failed];
    }),
  };
}

const tried = <T>(url: string, probe: () => Promise<T | null>): Promise<T> =>
  eventually(`${url} to be tried`, probe);

/** Outcome of the last attempt of the job of a call or knowledge base. */
async function failureOf(db: Db, of: string): Promise<string | null> {
  const job = await db
    .selectFrom('jobs')
    .select('last_error')
    .where(sql<boolean>`payload::text like ${`%${of}%`} and last_error is not null`)
    .executeTakeFirst();
  return job?.last_error ?? null;
}

const endingOf = ({ status, error }: { readonly status?: unknown; readonly error?: unknown }): string =>
  typeof error === 'string' ? error : `status ${String(status)}`;
const endingsOf = (log: any[], name: string): string[] =>
  log.filter((entry) => entry.name === name).map((entry) => endingOf(entry.result));

async function post(service: Service, path: string, body: object): Promise<any> {
  const answer = await service.request('POST', `/api/v0${path}`, body);
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify([body, answer.body])}`);
  return answer.body;
}

async function createKnowledge(service: Service, url: string): Promise<string> {
  const body = new FormData();
  body.append('kb_name', 'Clinic');
  body.append('urls', JSON.stringify([url]));
  const headers = { 'x-api-key': service.key };
  const answer = await fetch(`${service.url}/api/v0/external/kb`, { method: 'POST', headers, body });
  const { kb_id: id } = (await answer.json()) as { kb_id?: string };
  if (id === undefined) throw new Error(`no knowledge base for ${url}: ${answer.status}`);
  return id;
}

async function startCampaign(
  service: Service,
  db: Db,
  agentId: string,
  contact: string,
  url: string,
): Promise<string> {
  const agent = await db
    .selectFrom('agents')
    .select(['workspace_id as workspaceId', 'active_version_id as versionId'])
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow();
  const { body } = await service.request('GET', '/api/v0/workspace/numbers');
  const [{ id: numberId, number }] = body.workspace_numbers;
  const { workspaceId, versionId } = agent;
  const owner = { workspaceId, numberId, number };
  const id = await insertCampaign(
    { db, clock: systemClock },
    owner,
    { agentId, versionId },
    {
      contacts: [{ number: contact }],
    },
  );
  await post(service, '/campaign/start', {
    agent_id: agentId,
    list_id: id,
    from_numbers: [numberId],
    callback_url: url,
  });
  return id;
}
