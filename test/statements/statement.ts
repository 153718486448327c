// These proofs run inside the tests of test/system/api/statements.test.ts.
/* oxlint-disable vitest/no-standalone-expect */
import { expect } from 'vitest';
import { voices } from '../../src/providers/voices.ts';
import { newId } from '../../src/shared/ids.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  minimalAgent,
  type Answer,
  type Tenant,
  type TestApi,
} from '../helpers/api/api.ts';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** A statement of the interface document and its proof: either `prove` or `elsewhere`. */
export interface Statement {
  readonly section: string;
  /** The literal quotation; a table row as `cell: cell`. */
  readonly sentence: string;
  readonly prove?: (world: World) => Promise<void>;
  /** `file` or `file > part of a test title`. */
  readonly elsewhere?: string;
}

type Prove = (world: World) => Promise<void>;
/** The statements of one section. */
export const section = (name: string) => ({
  prove: (sentence: string, prove: Prove): Statement => ({ section: name, sentence, prove }),
  elsewhere: (sentence: string, where: string): Statement => ({ section: name, sentence, elsewhere: where }),
});

/** Runs proofs in sequence. */
export const both =
  (...proofs: ((w: World) => Promise<void>)[]) =>
  async (w: World) => {
    for (const proof of proofs) await proof(w);
  };

export const UNKNOWN = '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10';
export const ALWAYS = { call_start_time: '00:00', call_end_time: '00:00', timezone: 'Etc/UTC' };
const english = voices().find((v) => v.languages.includes('en-US'));
export const ENGLISH = english?.id ?? '';
export const voiceFor = (language: string): string =>
  voices().find((v) => v.languages.some((l) => l === language))?.id ?? '';
export const voiceNotFor = (language: string): string =>
  voices().find((v) => !v.languages.some((l) => l === language))?.id ?? '';

export interface World {
  readonly api: TestApi;
  readonly tenant: Tenant;
  /** Creates an outbound agent that may call at any hour. */
  readonly agentId: string;
  readonly versionId: string;
  get(path: string, key?: string | null): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  patch(path: string, body: unknown): Promise<Answer>;
  create(change: Record<string, unknown>): Promise<Answer>;
  agent(change?: Record<string, unknown>): Promise<{ agentId: string; versionId: string }>;
  record(agentId: string): Promise<any>;
  version(agentId: string): Promise<any>;
  edit(agentId: string, operation: string, fields: Record<string, unknown>): Promise<Answer>;
  place(change?: Record<string, unknown>): Promise<Answer>;
  insertCall(change?: Record<string, unknown>): Promise<string>;
  details(callId: string, more?: string): Promise<any>;
}

export async function createWorld(): Promise<World & { close: () => Promise<void> }> {
  const api = await createTestApi();
  const tenant = await createTenant(api);
  const { agentId, versionId } = await createTestAgent(api, tenant, { call_config: { call_time: ALWAYS } });
  const ask = (
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: unknown,
    key: string | null = tenant.key,
  ) => api.request(method, `/api/v0${path}`, { key, ...(body === undefined ? {} : { body }) });
  const record = async (id: string): Promise<any> => (await ask('GET', `/agent/${id}`)).body['agents'];
  return {
    api,
    tenant,
    agentId,
    versionId,
    get: (path, key) => ask('GET', path, undefined, key === undefined ? tenant.key : key),
    post: (path, body) => ask('POST', path, body),
    patch: (path, body) => ask('PATCH', path, body),
    create: (change) => ask('POST', '/public/agent', { ...minimalAgent(), ...change }),
    agent: (change) => createTestAgent(api, tenant, change),
    record,
    version: async (id) => {
      const agent = await record(id);
      return agent.version_details[agent.active_agent_version_id];
    },
    edit: (id, operation, fields) => ask('PATCH', '/agent/v1', { operation, agent_id: id, ...fields }),
    place: (change) =>
      ask('POST', '/calling/outbound/individual', {
        name: 'Priya',
        mobile_number: '+14155550002',
        agent_id: agentId,
        from_number_id: tenant.numberId,
        ...change,
      }),
    insertCall: async (change) => {
      const id = newId();
      const at = new Date(api.clock.now());
      await api.db
        .insertInto('calls')
        .values({
          workspace_id: tenant.workspaceId,
          id,
          agent_id: agentId,
          version_id: versionId,
          number_id: tenant.numberId,
          call_type: 'outbound',
          from_number: tenant.number,
          to_number: '+14155550002',
          callee_name: 'Priya',
          status: 'completed',
          sub_status: 'USER_LEFT',
          created_at: at,
          updated_at: at,
          ...change,
        })
        .execute();
      return id;
    },
    details: async (id, more = '') =>
      (await ask('GET', `/calling/call-details?id=${id}${more}`)).body['data'],
    close: () => api.close(),
  };
}

/** The response of a service whose voice catalogue fails. */
export async function broken(
  w: World,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body: unknown,
): Promise<Answer> {
  const fail = (): never => {
    throw new Error('the voices are gone');
  };
  const api = await createTestApi({ db: w.api.db, voices: { all: fail, byId: fail, speaks: fail } });
  try {
    return await api.request(method, `/api/v0${path}`, {
      key: w.tenant.key,
      ...(body === undefined ? {} : { body }),
    });
  } finally {
    await api.close();
  }
}

export const data = (answer: Answer): any => answer.body['data'];
export function ok(answer: Answer): Answer {
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer;
}
/** Expects this status, and a message with these words. */
export function refused(answer: Answer, status: number, words = ''): void {
  expect([answer.status, answer.status === status ? '' : answer.text]).toEqual([status, '']);
  expect(String(answer.body['message'])).toContain(words);
}

/** A text field of the create request: required or optional, and at most `max` characters. */
export const textField =
  (field: string, max: number, isRequired: boolean) =>
  async (w: World): Promise<void> => {
    ok(await w.create({ [field]: 'x'.repeat(max) }));
    refused(await w.create({ [field]: 'x'.repeat(max + 1) }), 422, field);
    refused(await w.create({ [field]: 5 }), 422, field);
    const without = await w.create({ [field]: undefined });
    if (isRequired) refused(without, 422, `${field} is required`);
    else ok(without);
  };
