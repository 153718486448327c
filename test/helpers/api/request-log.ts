import { newId } from '../../../src/shared/ids.ts';
import type { Tenant, TestApi } from './api.ts';
import { eventually } from '../service/service.ts';

type Sent = Parameters<TestApi['request']>;

/** Sends requests by key, one after the other, and returns what the log has about each. */
export async function loggedAll(
  api: TestApi,
  tenant: Pick<Tenant, 'key'>,
  requests: readonly Sent[],
): Promise<any[]> {
  const ids: string[] = [];
  for (const [method, path, options = {}] of requests) {
    const id = `test-${newId()}`;
    ids.push(id);
    const headers = { ...options.headers, 'x-request-id': id };
    await api.request(method, path, { key: tenant.key, ...options, headers });
  }
  return Promise.all(ids.map((id) => foundInLog(api, tenant, id)));
}

export const logged = async (api: TestApi, tenant: Pick<Tenant, 'key'>, ...request: Sent): Promise<any> =>
  (await loggedAll(api, tenant, [request]))[0];

/** The entry of a request, once it is written. */
async function foundInLog(api: TestApi, { key }: Pick<Tenant, 'key'>, requestId: string): Promise<any> {
  const path = `/api/v0/workspace/requests?request_id=${requestId}`;
  const id = await eventually(`${requestId} in the log`, async () => {
    const { body } = await api.request('GET', path, { key });
    const [entry] = body['requests'] as { entry_id: string }[];
    return entry?.entry_id ?? null;
  });
  return (await api.request('GET', `/api/v0/workspace/requests/${id}`, { key })).body['request'];
}

/** An entry of a request log, as the database holds it. */
export const logRow = (workspaceId: string, change: Readonly<Record<string, unknown>> = {}) => ({
  workspaceId,
  method: 'GET',
  path: '/api/v0/workspace',
  status: 200,
  durationMs: 0,
  requestId: 'r',
  key: 'cw_live_…abcd',
  contentType: null,
  bodyBytes: null,
  body: null,
  isCut: false,
  response: null,
  notices: [] as readonly string[],
  ...change,
});
