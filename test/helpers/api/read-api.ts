import { newId } from '../../../src/shared/ids.ts';
import type { ServerDeps } from '../../../src/http/server/server-deps.ts';
import { createTenant, createTestAgent, createTestApi, type Answer } from './api.ts';
import type { Home } from './workspace-api.ts';

/** A workspace with an agent, read through the API. */
export interface Reader extends Home {
  readonly agentId: string;
  readonly versionId: string;
  /** Sends a request with the workspace's key, another key or none. */
  get(path: string, options?: { key?: string | null; headers?: Record<string, string> }): Promise<Answer>;
  /** Inserts a completed call with these columns changed; returns its ID. */
  insertCall(change?: Record<string, unknown>): Promise<string>;
}

/** Starts an API with these parts replaced, and a workspace with one agent. */
export async function createReader(overrides: Partial<ServerDeps> = {}): Promise<Reader> {
  const api = await createTestApi(overrides);
  const tenant = await createTenant(api);
  const { agentId, versionId } = await createTestAgent(api, tenant);
  return {
    api,
    tenant,
    agentId,
    versionId,
    get: (path, options = {}) => api.request('GET', path, { key: tenant.key, ...options }),
    async insertCall(change = {}) {
      const id = newId();
      const at = new Date(api.clock.now());
      await api.db
        .insertInto('calls')
        .values({
          workspace_id: tenant.workspaceId,
          id,
          agent_id: agentId,
          version_id: versionId,
          call_type: 'outbound',
          from_number: '+14155550001',
          to_number: '+14155550002',
          callee_name: 'Priya',
          args: JSON.stringify({ callee_name: 'Priya' }),
          status: 'completed',
          sub_status: 'AGENT_ENDED',
          created_at: at,
          updated_at: at,
          ...change,
        })
        .execute();
      return id;
    },
  };
}
