import { keepCampaigns } from '../../../src/domain/campaigns/keeper.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../api/api.ts';
import { insertCampaign } from './campaigns.ts';
import { createNode } from '../database/workspace.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type Change = Record<string, unknown>;

/** A workspace with an agent, driven through the API. */
export interface CampaignOffice {
  readonly api: TestApi;
  /** A registered node with a heartbeat. */
  readonly nodeId: string;
  tenant: Tenant;
  agent: { agentId: string; versionId: string };
  /** Switches to another workspace with its own agent. */
  renew(options?: Parameters<typeof createTenant>[1]): Promise<void>;
  ask(method: Method, path: string, body?: unknown, key?: string): Promise<Answer>;
  campaignOf(id: string): Promise<any>;
  startBody(id: string, change?: Change): Change;
  start(id: string, change?: Change): Promise<Answer>;
  /** Starts a campaign; `changes` override the start request. */
  started(options?: Parameters<typeof insertCampaign>[3], change?: Change): Promise<string>;
  /** Runs one keeper pass; true while there is more to do. */
  keep(): Promise<boolean>;
}

/** Starts an API with a node and a workspace. */
export async function openCampaignOffice(): Promise<CampaignOffice> {
  const api = await createTestApi({ sendsMail: true });
  const nodeId = await createNode(api.db, 'n', api.clock.now());
  const settle = async (
    options: Parameters<typeof createTenant>[1] = {},
  ): Promise<Pick<CampaignOffice, 'tenant' | 'agent'>> => {
    const tenant = await createTenant(api, options);
    return { tenant, agent: await createTestAgent(api, tenant) };
  };
  const office: CampaignOffice = {
    api,
    nodeId,
    ...(await settle()),
    async renew(options) {
      Object.assign(office, await settle(options));
    },
    ask: (method, path, body, key = office.tenant.key) =>
      api.request(method, `/api/v0${path}`, { key, ...(body === undefined ? {} : { body }) }),
    campaignOf: async (id) => (await office.ask('GET', `/campaign/${id}`)).body['campaign'],
    startBody: (id, change = {}) => ({
      agent_id: office.agent.agentId,
      list_id: id,
      from_numbers: [office.tenant.numberId],
      callback_url: 'https://example.com/hook',
      ...change,
    }),
    start: (id, change) => office.ask('POST', '/campaign/start', office.startBody(id, change)),
    async started(options = {}, change = {}) {
      const id = await insertCampaign(api, office.tenant, office.agent, options);
      const answer = await office.start(id, change);
      if (answer.status !== 200) throw new Error(answer.text);
      return id;
    },
    keep: () =>
      keepCampaigns({
        db: api.db,
        clock: api.clock,
        rate: { creditsPerMinute: 1, pulseSeconds: 60 },
        wakeScheduler: () => undefined,
      }),
  };
  return office;
}

/** Status and message of a response. */
export const said = (answer: Answer): [number, unknown] => [answer.status, answer.body['message']];
