import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { watchLive } from '../helpers/calls/live-call.ts';
import { startLoggingCarrier, type LoggingCarrier } from '../helpers/sip/logging-carrier.ts';
import type { Mishap } from '../helpers/service/kill-threads.ts';
import { createAgent, place, provisionWith, whenCall, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { openPage, publicKeyOf, WebCaller } from '../helpers/browser/web-caller.ts';

/** A machine that is busy for other reasons gets so many attempts. */
const STALLS = 3;
const STALL_MS = 5_000;

let database: TestDatabase;
let carrier: LoggingCarrier;
let media: Socket;
let service: Service;
/** Arrival times of the call's RTP packets. */
const packets: number[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  media = createSocket('udp4', () => void packets.push(performance.now()));
  media.bind(0, '127.0.0.1');
  await once(media, 'listening');
  carrier = await startLoggingCarrier(() => 'talking', media.address().port);
  service = await startService({
    program: 'test/helpers/service/kill-threads.ts',
    env: {
      DATABASE_URL: database.url,
      PROBED_PROVIDERS: JSON.stringify({ vad: 'light', stt: 'fake', tts: 'fake:ttsMs=20', llm: 'fake' }),
    },
    provision: provisionWith({
      trunks: [{ name: 'carrier', uri: `sip:127.0.0.1:${carrier.port};transport=udp` }],
      trunk: 'carrier',
    }),
  });
});
afterAll(async () => {
  await service?.dispose();
  await carrier?.close();
  media?.close();
  await database?.close();
});

async function talking(): Promise<string> {
  const agentId = await createAgent(service, { call_config: { idle_timeout_warning: 0 } });
  const call = await place(service, agentId, '+12125550003');
  await whenCall(service, call, 'answered', ({ answered_at }) => answered_at !== null);
  return call;
}
/** A browser call whose agent has spoken. */
async function browserCall(): Promise<WebCaller> {
  const agentId = await createAgent(service, { call_config: { idle_timeout_warning: 0 } });
  const { body } = await openPage(service.url, await publicKeyOf(service, agentId), agentId);
  const page = await WebCaller.connect(body.ws_url, body.token, service.url);
  page.speak(new Int16Array(0));
  await page.line(/^agent: Hello/);
  return page;
}
const send = (mishap: Mishap): void => void service.child.send(mishap);
const isAnswered = (path: string, ms: number): Promise<boolean> =>
  fetch(`${service.url}${path}`, { signal: AbortSignal.timeout(ms) }).then(
    () => true,
    () => false,
  );

/** Milliseconds until the response to an OPTIONS. */
async function options(n: number): Promise<number> {
  const socket = createSocket('udp4');
  const from = performance.now();
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  const request = [
    `OPTIONS sip:127.0.0.1:${service.sipPort} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK-stall-${n};rport`,
    `From: <sip:probe@127.0.0.1>;tag=${n}`,
    `To: <sip:127.0.0.1:${service.sipPort}>`,
    `Call-ID: stall-${n}`,
    'CSeq: 1 OPTIONS',
    'Max-Forwards: 70',
    'Content-Length: 0',
  ];
  socket.send(`${request.join('\r\n')}\r\n\r\n`, service.sipPort, '127.0.0.1');
  await once(socket, 'message', { signal: AbortSignal.timeout(2_000) });
  socket.close();
  return performance.now() - from;
}

/** The times between the packets since they were last cleared, in ms. */
const gaps = (): number[] => packets.slice(1).map((at, i) => at - packets[i]!);
const p99 = (of: readonly number[]): number =>
  of.toSorted((a, b) => a - b)[Math.floor(of.length * 0.99)] ?? Number.POSITIVE_INFINITY;

const beatAges = async (): Promise<number[]> =>
  (await database.db.selectFrom('nodes').select('beat_at').execute()).map(
    ({ beat_at }) => Date.now() - beat_at.getTime(),
  );

/** Blocks the API's thread beside a call and a browser call; the times between packets before the stall and during it. */
async function stall(): Promise<{ before: number[]; during: number[] }> {
  const call = await talking();
  const live = await watchLive(service, call);
  await live.until('the answer', ({ subStatus }) => subStatus === 'ACCEPTED');
  const page = await browserCall();
  packets.length = 0;
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  const before = gaps();
  expect(await isAnswered('/healthz', 1_000)).toBe(true);
  send({ threads: 'control', does: STALL_MS });
  const from = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 200));
  packets.length = 0;
  const unanswered = isAnswered('/healthz', STALL_MS - 1_000);
  page.send({ type: 'text', text: 'Are you there?' });
  const ages: number[] = [];
  const responses: number[] = [];
  while (performance.now() - from < STALL_MS - 200) {
    responses.push(await options(responses.length));
    ages.push(...(await beatAges()));
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const during = gaps();
  // The line was typed while the API did not answer: it came and was answered past it.
  await page.line(/^agent: You said: Are you there/);
  page.send({ type: 'hangup' });
  await page.closed();
  expect(await unanswered).toBe(false);

  expect(during.length).toBeGreaterThan(200);
  // A stall that reached the calls would be one gap of seconds.
  expect(Math.max(...during)).toBeLessThan(1_000);
  expect(Math.max(...responses)).toBeLessThan(500);
  expect(Math.max(...ages)).toBeLessThan(2_500);

  expect(await isAnswered('/healthz', 5_000)).toBe(true);
  expect((await service.request('POST', `/api/v0/calling/${call}/hangup`, {})).status).toBe(200);
  await live.until('the end', ({ type }) => type === 'ended');
  live.stop();
  return { before, during };
}

it('an API thread that blocks for 5 s delays no packet, no browser call, no SIP response and no heartbeat', async () => {
  const bound = ({ before, during }: { before: number[]; during: number[] }): boolean =>
    p99(during) < (p99(before) < 25 ? 30 : 4 * p99(before));
  // A machine that becomes busy during a stall delays packets without the API, too: a stall that delays them does so each time.
  const stalls: { before: number[]; during: number[] }[] = [];
  while (stalls.length < STALLS && !stalls.some(bound)) stalls.push(await stall());
  expect(stalls.some(bound)).toBe(true);
});

it('an API thread that dies is restarted at its address, and the call goes on', async () => {
  const call = await talking();
  send({ threads: 'control', does: 'die' });
  await eventually('the API to be away', async () => ((await isAnswered('/healthz', 1_000)) ? null : true));
  packets.length = 0;
  await eventually('the API to be back', async () => ((await isAnswered('/readyz', 1_000)) ? true : null));
  expect(packets.length).toBeGreaterThan(10);
  expect((await service.request('GET', '/readyz')).status).toBe(200);
  const live = await watchLive(service, call);
  await live.until('the past of the call', ({ subStatus }) => subStatus === 'ACCEPTED');
  expect((await service.request('POST', `/api/v0/calling/${call}/hangup`, {})).status).toBe(200);
  await live.until('the end', ({ type }) => type === 'ended');
  live.stop();
  expect(await whenOver(service, call)).toMatchObject({ call_sub_status: 'USER_TERMINATED' });
  await expect
    .poll(() => service.output())
    .toContain('the thread of the API and the jobs ended; it is restarted');
});
