import { expect } from 'vitest';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../api/api.ts';

export interface DeskVersion {
  version_slug: string;
  evaluations: { name: string; criterion: string }[];
  description: string;
  call_traffic: number;
  language: string;
  voice: { id: string; name: string };
  secondary_voice_id: string | null;
  agent_config: Record<string, unknown> & {
    voice_speed: number;
    intro_message: string;
    prompt_sections: { section_title: string; section_content: string }[];
    dtmf_settings: unknown;
  };
  call_config: Record<string, unknown>;
  event_subscriptions: {
    event_type: string[];
    callback_url: string;
    method_type: string;
    headers: Record<string, string>;
  }[];
  pre_call_tools: unknown;
  on_call_tools: unknown;
  post_call_tools: unknown;
  client_analysis: unknown;
  whitelisted_domains: string[];
}

export interface DeskAbVersion {
  version_id: string;
  call_traffic: number;
  calls: number;
  answered: number;
  completed: number;
  classifications: { label: string; calls: number }[];
  average_duration: number | null;
}

export interface DeskRecord extends Record<string, unknown> {
  classification_labels: string[];
  is_ab_live: boolean;
  active_agent_version_id: string;
  ab_versions: DeskAbVersion[];
  version_details: Record<string, DeskVersion>;
}

/** A workspace with one agent, edited and read through the API. */
export interface AgentDesk {
  readonly api: TestApi;
  readonly tenant: Tenant;
  agentId: string;
  /** The agent's first version. */
  first: string;
  /** Replaces the agent by a new one. */
  renew(): Promise<void>;
  edit(body: Record<string, unknown>, key?: string): Promise<Answer>;
  /** Edits the agent, expects success and returns the new active version. */
  accepted(body: Record<string, unknown>): Promise<DeskVersion>;
  /** Creates a version and returns its ID. */
  create(body?: Record<string, unknown>): Promise<string>;
  read(id?: string): Promise<DeskRecord>;
  /** Reads the agent and its active version. */
  shown(): Promise<{ record: DeskRecord; version: DeskVersion }>;
  /** Places a call with the agent and returns its ID. */
  place(): Promise<string>;
  /** The agent version of a call. */
  versionOf(callId: string): Promise<string>;
}

/** The edit that splits calls between two versions; `share` percent go to the first. */
export const split = (a: string, b: string, share = 50) => ({
  operation: 'set_ab_test',
  versions: [
    { version_id: a, call_traffic: share },
    { version_id: b, call_traffic: 100 - share },
  ],
});

/** Starts an API with a workspace and an agent with these fields. */
export async function openAgentDesk(
  options: { unlimited?: boolean; agent?: Record<string, unknown> } = {},
): Promise<AgentDesk> {
  const api = await createTestApi();
  const tenant = await createTenant(api, { unlimited: options.unlimited ?? false });
  const desk: AgentDesk = {
    api,
    tenant,
    agentId: '',
    first: '',
    async renew() {
      const made = await createTestAgent(api, tenant, options.agent);
      [desk.agentId, desk.first] = [made.agentId, made.versionId];
    },
    edit: (body, key = tenant.key) =>
      api.request('PATCH', '/api/v0/agent/v1', { key, body: { agent_id: desk.agentId, ...body } }),
    async accepted(body) {
      const answer = await desk.edit(body);
      expect(answer.body).toEqual({ message: 'Agent updated successfully', agent_id: desk.agentId });
      return (await desk.shown()).version;
    },
    async create(body = {}) {
      api.clock.advance(1000);
      const answer = await desk.edit({ operation: 'create_version', ...body });
      expect(answer.status).toBe(200);
      return answer.body['version_id'] as string;
    },
    async read(id = desk.agentId) {
      const answer = await api.request('GET', `/api/v0/agent/${id}`, { key: tenant.key });
      return answer.body['agents'] as DeskRecord;
    },
    async shown() {
      const record = await desk.read();
      return { record, version: record.version_details[record.active_agent_version_id]! };
    },
    async place() {
      const answer = await api.request('POST', '/api/v0/calling/outbound/individual', {
        key: tenant.key,
        body: {
          name: 'P',
          mobile_number: '+14155550002',
          agent_id: desk.agentId,
          from_number_id: tenant.numberId,
        },
      });
      return (answer.body['data'] as { call_id: string }).call_id;
    },
    async versionOf(callId) {
      const row = await api.db
        .selectFrom('calls')
        .select('version_id')
        .where('id', '=', callId)
        .executeTakeFirstOrThrow();
      return row.version_id;
    },
  };
  await desk.renew();
  return desk;
}
