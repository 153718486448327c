import { fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgent, place, provisionWith, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import { startService, type Service } from '../helpers/service/service.ts';

const OWNER = { email: 'owner@example.com', password: 'a long enough passphrase' };

let service: Service;
beforeAll(async () => {
  service = await startService({ provision: provisionWith({ owner: OWNER, credits: 'unlimited' }) });
});
afterAll(() => service?.dispose());

/** A request of the dashboard, with the session of the owner. */
interface Session {
  post(path: string, body: object, workspaceId?: string): Promise<any>;
}
async function signIn(): Promise<Session> {
  const headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' };
  const send = async (path: string, body?: object, more: Record<string, string> = {}) => {
    const response = await fetch(`${service.url}/dashboard-api${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...headers,
        ...more,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect([path, response.status]).toEqual([path, 200]);
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) headers['cookie'] = cookie.split(';', 1)[0]!;
    return (await response.json()) as any;
  };
  await send('/sign-in', OWNER);
  headers['x-csrf-token'] = (await send('/session')).csrf_token;
  return { post: (path, body, id) => send(path, body, id === undefined ? {} : { 'x-workspace-id': id }) };
}

describe('a child workspace that its parent makes by API', () => {
  it('gets a number and a key, and completes a call on the test carrier with a transcript', async () => {
    const made = await service.request('POST', '/api/v0/workspace/sub', { name: 'Client A' });
    expect(made.status).toBe(200);
    const childId = made.body.sub_workspace.id as string;
    const numbers = await service.request('GET', '/api/v0/workspace/numbers');
    const [number] = numbers.body.workspace_numbers as { id: string; number: string }[];
    const moved = await service.request('POST', `/api/v0/workspace/sub/${childId}/numbers`, {
      from_number_ids: [number!.id],
    });
    expect([moved.status, moved.body.from_number_ids]).toEqual([200, [number!.id]]);

    const session = await signIn();
    const { api_key: key } = await session.post('/api-key', {}, childId);
    const child = service.as(key);
    const own = await child.request('GET', '/api/v0/workspace');
    expect(own.body.workspace_info).toMatchObject({ id: childId, name: 'Client A', unlimited: true });

    const agentId = await createAgent(child);
    const callId = await place(child, agentId, '+14155550123');
    const call = await whenOver(child, callId, 120_000);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
    const lines = transcriptOf(call);
    expect(lines.flatMap((line) => line.bot ?? []).join(' ')).toContain('Can you make it on Tuesday?');
    expect(lines.some((line) => line.user !== undefined)).toBe(true);
    const ofParent = await service.request('GET', `/api/v0/calling/call-details?id=${callId}`);
    expect(ofParent.status).toBe(404);
  }, 400_000);
});
