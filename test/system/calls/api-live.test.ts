import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';

type Watcher = (event: { readonly type: string }) => void;
let api: TestApi;
let tenant: Tenant;
let base: string;
const live = new Map<string, Watcher | null>();
const watched: string[] = [];
/** Watchers of all calls, by workspace. */
const walls = new Map<string, (event: { type: string; callId?: string }) => void>();
beforeAll(async () => {
  api = await createTestApi({
    watchAll: (workspaceId, watcher) => {
      walls.set(workspaceId, watcher);
      return () => walls.delete(workspaceId);
    },
    watch: (_workspaceId, callId, watcher) => {
      if (!live.has(callId)) return Promise.resolve(null);
      live.set(callId, watcher);
      watched.push(callId);
      return Promise.resolve(() => live.set(callId, null));
    },
  });
  tenant = await createTenant(api);
  base = await api.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => api.close());

async function queueCall(): Promise<string> {
  const { agentId } = await createTestAgent(api, tenant);
  const answer = await api.request('POST', '/api/v0/calling/outbound/individual', {
    key: tenant.key,
    body: { name: 'P', mobile_number: '+14155550002', agent_id: agentId, from_number_id: tenant.numberId },
  });
  return (answer.body['data'] as { call_id: string }).call_id;
}
const open = (callId: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`${base}/api/v0/calling/${callId}/live`, {
    headers: { 'x-api-key': tenant.key },
    ...(signal === undefined ? {} : { signal }),
  });
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('GET /calling/live', () => {
  it('streams the calls of the workspace with their ids, and enters in the audit log whose words were read', async () => {
    const leave = new AbortController();
    const response = await fetch(`${base}/api/v0/calling/live`, {
      headers: { 'x-api-key': tenant.key },
      signal: leave.signal,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await until(() => walls.has(tenant.workspaceId));
    const send = walls.get(tenant.workspaceId)!;
    const [heard, silent] = [newId(), newId()];
    send({ type: 'status', callId: silent, subStatus: 'RINGING', at: 0 } as never);
    send({ type: 'words', callId: heard, role: 'caller', text: 'I would', at: 0 } as never);
    let text = '';
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    while (!text.includes('I would')) text += (await reader.read()).value ?? '';
    const events = [...text.matchAll(/^data: (.*)$/gm)].map((m) => JSON.parse(m[1]!));
    expect(events).toEqual([
      { type: 'begun', call_id: null },
      expect.objectContaining({ type: 'status', call_id: silent, sub_status: 'RINGING' }),
      expect.objectContaining({ type: 'words', call_id: heard, text: 'I would' }),
    ]);
    expect(text).not.toContain('callId');
    leave.abort();
    await until(() => !walls.has(tenant.workspaceId));
    const entries = async () =>
      (await api.request('GET', '/api/v0/workspace/audit-log', { key: tenant.key })).body['entries'] as {
        action: string;
        objects: object;
      }[];
    let read: object[] = [];
    while (read.length === 0) {
      read = (await entries()).filter(({ action }) => action === 'watchCalls').map(({ objects }) => objects);
    }
    expect(read).toEqual([{ call_id: heard }]);
  });
});

describe('GET /calling/{call_id}/live', () => {
  it('streams a call from its start to its end', async () => {
    const callId = await queueCall();
    const response = await open(callId);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    live.set(callId, null);
    await until(() => live.get(callId) != null);
    live.get(callId)!({ type: 'line' });
    live.get(callId)!({ type: 'ended' });
    const types = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(
      (m) => (JSON.parse(m[1]!) as { type: string }).type,
    );
    expect(types).toEqual(['status', 'line', 'ended']);
  });

  it('ends at once for an ended call, and answers 404 for an unknown one', async () => {
    const callId = await queueCall();
    await api.db.updateTable('calls').set({ status: 'cancelled' }).where('id', '=', callId).execute();
    expect(await (await open(callId)).text()).toContain('"type":"ended"');
    expect((await open(newId())).status).toBe(404);
  });

  it('unsubscribes when the client disconnects', async () => {
    const callId = await queueCall();
    live.set(callId, null);
    const leave = new AbortController();
    const opening = open(callId, leave.signal).catch(() => null);
    await until(() => live.get(callId) != null);
    leave.abort();
    await opening;
    await until(() => live.get(callId) === null);
    expect(watched).toContain(callId);
  });

  it('ends when the server closes', async () => {
    const callId = await queueCall();
    const response = await open(callId);
    await api.server.close();
    expect(await response.text()).toContain('"type":"status"');
  });
});
