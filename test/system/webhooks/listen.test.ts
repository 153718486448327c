import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '../../../packages/sdk/src/index.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { runListen } from '../../../src/cli/listen.ts';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../../helpers/api/api.ts';
import { makeKey } from '../../helpers/api/principals.ts';
import { eventually } from '../../helpers/service/service.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

let api: TestApi;
let tenant: Tenant;
let url: string;
let local: Server;
let port: string;
const received: Received[] = [];
const lines: string[] = [];

beforeAll(async () => {
  api = await createTestApi();
  await api.server.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(api.server.server.address() as AddressInfo).port}`;
  tenant = await createTenant(api);
  local = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.end();
    });
  });
  await once(local.listen(0, '127.0.0.1'), 'listening');
  port = String((local.address() as AddressInfo).port);
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  local?.close();
  await api?.close();
});

function listen(target: string, key: string | undefined, secret?: string) {
  lines.length = 0;
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((line: string) => void lines.push(line));
  const stop = new AbortController();
  const ended = runListen(target, { url, key, secret }, stop.signal);
  return { ended, stop: () => stop.abort() };
}
const printed = (part: string) =>
  eventually(part, () => Promise.resolve(lines.find((line) => line.includes(part)) ?? null));

/** Queues a sample event for a receiver that no process sends it to. */
async function sendTest(event_type: string): Promise<void> {
  const body = { event_type, callback_url: 'http://127.0.0.1:9/hook' };
  const { status } = await api.request('POST', '/api/v0/webhooks/test', { key: tenant.key, body });
  expect(status).toBe(200);
}

describe('callwright listen', () => {
  it('says in a workspace without a webhook that events need a receiver', async () => {
    const { ended, stop } = listen(port, tenant.key);
    await printed('Only events with a receiver come here');
    stop();
    expect(await ended).toBe(0);
  });

  it('forwards webhooks from its start on, signed, and each once', async () => {
    await sendTest('call_started');
    const { ended, stop } = listen(port, tenant.key, SECRET);
    await printed('Forwarding new webhooks');
    expect(lines.join()).not.toContain('Only events with a receiver');
    await sendTest('call_completed');
    await printed('call_completed');
    await sendTest('all_processing_completed');
    await printed('all_processing_completed');
    stop();
    expect(await ended).toBe(0);
    const events = received.map(({ body }) => (JSON.parse(body) as { event_type: string }).event_type);
    expect(events).toEqual(['call_completed', 'all_processing_completed']);
    const [{ headers, body } = { headers: {}, body: '' }] = received;
    await expect(verifyWebhook(SECRET, new Headers(headers), body)).resolves.toMatchObject({ test: true });
    expect(lines.filter((line) => line.endsWith(' 200'))).toHaveLength(2);
  });

  it('prints the secret that it signs with, and goes on when nothing answers', async () => {
    const { ended, stop } = listen('http://127.0.0.1:9/hook', tenant.key);
    await printed('Signed with whsec_');
    await printed('Forwarding new webhooks');
    await sendTest('call_completed');
    await printed('no answer');
    stop();
    expect(await ended).toBe(0);
  });

  it('ends with 1 for a key without the scope, and with 2 without a key or an address', async () => {
    const { key } = await makeKey(api, tenant, ['agents:read']);
    expect(await listen(port, key).ended).toBe(1);
    expect(lines.join()).toContain('webhooks:read');
    expect(await listen(port, '').ended).toBe(2);
    expect(await listen('nowhere', tenant.key).ended).toBe(2);
    expect(lines.join()).toContain('nowhere is neither a port nor an address');
  });
});
