import { stepErasure } from '../../../src/domain/privacy/erase-numbers.ts';
import type { Schema } from '../../../src/store/schema.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../api/api.ts';
import { writeTombstones } from './tombstones.ts';
import { CANARIES, insertLivedCall, type LivedCall, type LivedCallOptions } from '../calls/complete-call.ts';

/** Another person's number. */
export const OTHER = '+14155555678';

const TABLES = [
  'calls',
  'call_attempts',
  'call_records',
  'events',
  'deliveries',
  'idempotency_keys',
] as const;

/** A workspace with complete calls, erasure requests and a search for leftovers. */
export interface Erasures {
  readonly api: TestApi;
  readonly tenant: Tenant;
  readonly agent: { agentId: string; versionId: string };
  made(options?: LivedCallOptions & { tenant?: Tenant }): Promise<LivedCall>;
  /** Everything the database holds about a call, as text. */
  everything(call: LivedCall): Promise<string>;
  /** The canaries of the call that are still in the database. */
  found(call: LivedCall, canaries?: readonly string[]): Promise<string[]>;
  detailsOf(call: LivedCall, key?: string): Promise<any>;
  filesOf(call: LivedCall): Promise<{ attempt: number; state: string }[]>;
  erase(id: string, key?: string | null): Promise<Answer>;
  eraseNumbers(numbers: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Marks queued file deletions as done. */
  forgetFiles(): Promise<void>;
  /** Runs erasure steps until nothing is due. */
  sweepAll(): Promise<void>;
}

/** Starts an API with a workspace whose calls can be created, erased and searched. */
export async function createErasures(): Promise<Erasures> {
  const api = await createTestApi();
  const tenant = await createTenant(api, { unlimited: true });
  const agent = await createTestAgent(api, tenant);
  const everything = async (call: LivedCall): Promise<string> => {
    const found: unknown[] = [];
    for (const table of TABLES) {
      const rows: object[] = await api.db
        .selectFrom(table as keyof Schema)
        .selectAll()
        .execute();
      found.push(rows.filter((row) => JSON.stringify(row).includes(call.id)));
    }
    return JSON.stringify(found);
  };
  return {
    api,
    tenant,
    agent,
    everything,
    made: ({ tenant: owner = tenant, ...options } = {}) => insertLivedCall(api, owner, agent, options),
    async found(call, canaries = CANARIES) {
      const text = await everything(call);
      return canaries.filter((canary) => text.includes(canary));
    },
    async detailsOf(call, key = tenant.key) {
      const path = `/api/v0/calling/call-details?id=${call.id}&send_analysis=true`;
      return (await api.request('GET', path, { key })).body['data'];
    },
    filesOf: (call) =>
      api.db
        .selectFrom('recording_files')
        .select(['attempt', 'state'])
        .where('call_id', '=', call.id)
        .orderBy('attempt')
        .execute(),
    erase: (id, key = tenant.key) => api.request('DELETE', `/api/v0/calling/${id}/data`, { key }),
    eraseNumbers: (numbers, headers = {}) =>
      api.request('POST', '/api/v0/calling/erase', {
        key: tenant.key,
        body: { mobile_numbers: numbers },
        headers,
      }),
    async forgetFiles() {
      await api.db.deleteFrom('recording_files').where('state', '=', 'delete').execute();
    },
    async sweepAll() {
      await writeTombstones(api);
      while (await stepErasure(api)) {
        // Until nothing is due.
      }
    },
  };
}
