import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebChatter } from '../helpers/browser/web-chatter.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { createAgent, provisionWith, subscribe, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { attachNumber, inboundCalls, newInbound } from '../helpers/sip/phone-service.ts';
import { callService, startSipPeer, type SipPeer } from '../helpers/sip/sip-peer.ts';
import { startTcpProxy, type TcpProxy } from '../helpers/sip/tcp-proxy.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhooks/webhook-receiver.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

/** More than the connections of the API's pool. */
const REQUESTS = 40;
const STOP_SECONDS = 6;

let database: TestDatabase;
let proxy: TcpProxy;
let service: Service;
let peer: SipPeer;
let receiver: WebhookReceiver;
beforeAll(async () => {
  database = await createTestDatabase();
  const { port, hostname } = new URL(database.url);
  proxy = await startTcpProxy({ port: Number(port), host: hostname });
  const proxied = new URL(database.url);
  proxied.port = String(proxy.port);
  [peer, receiver] = await Promise.all([startSipPeer(), startWebhookReceiver()]);
  service = await startService({
    env: { DATABASE_URL: proxied.href, STOP_SECONDS: String(STOP_SECONDS), SAFE_FETCH_ALLOW: LOOPBACK_OPEN },
    provision: provisionWith({
      trunks: [{ name: 'peer', uri: `sip:127.0.0.1:${peer.port}` }],
      trunk: 'peer',
    }),
  });
  peer.target(service.sipPort);
});
afterAll(async () => {
  await peer?.stop();
  await receiver?.close();
  await proxy?.close();
  await service?.dispose();
  await database?.close();
});

const readWorkspace = (): Promise<{ status: number; body: any }> =>
  service.request('GET', '/api/v0/workspace');
const lastBeat = async (): Promise<number> => {
  const { rows } = await sql<{ at: Date }>`select beat_at as at from nodes`.execute(database.db);
  return rows[0]?.at.getTime() ?? 0;
};

it('a black-holed database costs a request at most 10 s; heartbeat and requests return with it', async () => {
  const warm = await Promise.all(Array.from({ length: REQUESTS }, readWorkspace));
  expect(new Set(warm.map(({ status }) => status))).toEqual(new Set([200]));

  proxy.hang();
  const from = performance.now();
  const failed = await Promise.all(
    Array.from({ length: REQUESTS }, async () => ({
      ...(await readWorkspace()),
      ms: performance.now() - from,
    })),
  );
  for (const { status, body, ms } of failed) {
    expect(status).toBe(503);
    expect(body.message).toBe('The service is not ready. Please try again shortly.');
    // The database hangs until it is resumed below.
    expect(ms).toBeLessThan(60_000);
  }
  expect((await service.request('GET', '/healthz')).status).toBe(200);

  const before = await lastBeat();
  proxy.resume();
  await eventually('a request to succeed', async () =>
    (await readWorkspace()).status === 200 ? true : null,
  );
  await eventually('a heartbeat', async () => ((await lastBeat()) > before ? true : null));
});

it('answers an inbound call without the database by the agent of the last one, and charges it once afterwards', async () => {
  const agentId = await createAgent(service);
  await attachNumber(service, agentId, '+14155550100');
  await subscribe(service, agentId, receiver.url);
  /** Calls in until the agent speaks, then hangs up. */
  const ring = async (from: string): Promise<void> => {
    const talk = await callService(peer, from, '+14155550100');
    await eventually('the agent to speak', async () => (talk.soundFrames() > 10 ? true : null));
    talk.leg.hangup('normal');
    await talk.ended;
  };
  await ring('+14155551111');
  const before = await inboundCalls(service);
  expect(await whenOver(service, before[0]!)).toMatchObject({ call_sub_status: 'USER_LEFT' });

  proxy.hang();
  await ring('+14155552222');
  expect((await readWorkspace()).status).toBe(503);
  proxy.resume();

  await eventually('the API', async () => ((await readWorkspace()).status === 200 ? true : null));
  const callId = await newInbound(service, before);
  expect(await whenOver(service, callId)).toMatchObject({
    call_status: 'completed',
    call_sub_status: 'USER_LEFT',
    from_number: '+14155552222',
    agent_id: agentId,
    call_cost: 1,
  });
  const types = await eventually('the last event', async () => {
    const got = receiver.events(callId).map(({ body }): string => body.event_type);
    return got.includes('all_processing_completed') ? got : null;
  });
  expect(types.filter((type) => type === 'call_started')).toHaveLength(1);
  expect(types.filter((type) => type === 'call_completed')).toHaveLength(1);
  const { rows } = await sql<{ charges: number; locked: number }>`
    select (select count(*)::int from ledger where call_id = ${callId} and kind = 'charge') as charges,
      (select locked_credits from workspaces limit 1) as locked`.execute(database.db);
  expect(rows).toEqual([{ charges: 1, locked: 0 }]);
});

it('keeps the connection of a page that writes in a chat without the database, and answers its lines in order', async () => {
  const agentId = await createAgent(service);
  const { body } = await service.request('GET', `/api/v0/agent/${agentId}`);
  const opened = await fetch(`${service.url}/api/v0/chat/web`, {
    method: 'POST',
    headers: {
      'x-api-key': body.agents.webcall_public_key,
      'content-type': 'application/json',
      origin: service.url,
    },
    body: JSON.stringify({ agent_id: agentId, custom_args_values: { callee_name: 'Priya' } }),
  });
  const { token } = (await opened.json()) as { token: string };
  const page = await WebChatter.connect(
    `${service.url.replace('http:', 'ws:')}/web-chat`,
    token,
    service.url,
  );
  await eventually('the first message', () => Promise.resolve(page.lines.length > 0 || null));

  proxy.hang();
  for (const n of [1, 2, 3]) page.send({ type: 'text', id: `line-${n}`, text: `Question ${n}` });
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  expect([page.closed, page.lines.length]).toEqual([null, 1]);
  proxy.resume();

  await eventually('the lines and an answer', () => {
    const { role } = page.lines.at(-1) ?? {};
    return Promise.resolve((page.lines.length > 4 && role === 'agent') || null);
  });
  const written = page.lines.filter(({ role }) => role === 'caller');
  expect(written.map(({ id }) => id)).toEqual(['line-1', 'line-2', 'line-3']);
  expect(page.closed).toBeNull();
  page.cut();
});

it('a stop ends within its deadline while the database hangs', async () => {
  proxy.hang();
  // The pollers have queries in progress.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const from = performance.now();
  await service.end('SIGTERM');
  expect(performance.now() - from).toBeLessThan(5_000 + STOP_SECONDS * 1000 + 60_000);
});
