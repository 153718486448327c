import { once } from 'node:events';
import { setPriority } from 'node:os';
import { connect, type Socket } from 'node:net';
import { repeated, request, sleep } from './attack.ts';
import { Carrier } from './carrier.ts';
import type { InnocentSettings } from './service.ts';
import { headerOf, openSource, sdpOffer, sipRequest, startOf, tagOf, type Source } from './sip-text.ts';

/**
 * The innocent client, a process of its own: requests over HTTP and from the carrier, each timed, and the carrier's callees,
 * which time the packets they receive. Answers each message with what was measured since the last one.
 */
const settings = JSON.parse(process.env['INNOCENT'] ?? '{}') as InnocentSettings;
const GIVE_UP_MS = 5_000;
// The carrier's phones are other machines too: what they measure must not include waiting for this one's processor.
try {
  setPriority(-15);
} catch {
  // Not permitted: packets look later than they are.
}
const stop = new AbortController();
let api: number[] = [];
let sip: number[] = [];
let failures: string[] = [];

async function timed(into: () => number[], what: string, action: () => Promise<boolean>): Promise<void> {
  const from = performance.now();
  const ok = await action().catch(() => false);
  const ms = performance.now() - from;
  into().push(ok ? ms : Math.max(ms, GIVE_UP_MS));
  if (!ok && failures.length < 50) failures.push(what);
}

const client = { url: settings.url };
const get = (): Promise<void> =>
  timed(
    () => api,
    'GET history',
    async () =>
      (await request(client, settings.key, 'GET', '/api/v0/calling/history?limit=20')).status === 200,
  );
const place = (): Promise<void> =>
  timed(
    () => api,
    'POST call',
    async () => {
      const body = {
        name: 'Sam',
        mobile_number: '+14155550002',
        agent_id: settings.agentId,
        from_number: settings.from,
        call_config: { call_retry_config: { retry_count: 0 } },
      };
      return (
        (await request(client, settings.key, 'POST', '/api/v0/calling/outbound/individual', { body }))
          .status === 200
      );
    },
  );

let ids = 0;
/** Sends a request until its final response, as over UDP, and returns that. */
async function exchange(source: Source, text: string, id: string): Promise<string | null> {
  const from = performance.now();
  for (let wait = 500; performance.now() - from < GIVE_UP_MS; wait *= 2) {
    source.send(text, settings.sipPort);
    for (const until = performance.now() + wait; performance.now() < until;) {
      const at = source.received.findIndex(
        (got) => headerOf(got, 'Call-ID') === id && Number(startOf(got)) >= 200,
      );
      if (at !== -1) return source.received.splice(0, at + 1).at(-1) ?? null;
      await sleep(2);
    }
  }
  return null;
}

const options = (source: Source): Promise<void> =>
  timed(
    () => sip,
    'OPTIONS',
    async () => {
      const id = `innocent-o${(ids += 1)}`;
      return (
        startOf((await exchange(source, sipRequest({ method: 'OPTIONS', from: source, id }), id)) ?? '') ===
        '200'
      );
    },
  );

const invite = (source: Source): Promise<void> =>
  timed(
    () => sip,
    'INVITE',
    async () => {
      const id = `innocent-i${(ids += 1)}`;
      const parts = { from: source, id, user: settings.refusing, branch: `i${id}` };
      const answer = await exchange(
        source,
        sipRequest({ method: 'INVITE', ...parts, body: sdpOffer(source.address, 40_000) }),
        id,
      );
      if (answer === null) return false;
      source.send(sipRequest({ method: 'ACK', ...parts, toTag: tagOf(answer) }), settings.sipPort);
      return startOf(answer) === '480';
    },
  );

/** OPTIONS over a connection of its own, as a carrier that reconnects. */
const optionsByTcp = (): Promise<void> =>
  timed(
    () => sip,
    'OPTIONS by TCP',
    async () => {
      const socket: Socket = connect({
        host: '127.0.0.1',
        port: settings.sipPort,
        localAddress: settings.carrierAddress,
      });
      try {
        socket.setTimeout(GIVE_UP_MS, () => socket.destroy());
        await once(socket, 'connect');
        const from = { address: settings.carrierAddress, port: socket.localPort ?? 0 };
        socket.write(
          sipRequest({ method: 'OPTIONS', from, id: `innocent-t${(ids += 1)}`, transport: 'TCP' }),
        );
        const [data] = (await once(socket, 'data')) as [Buffer];
        return startOf(data.toString('latin1')) === '200';
      } finally {
        socket.destroy();
      }
    },
  );

const carrier = new Carrier(settings);
await carrier.start();
const sources = await Promise.all([0, 1].map(() => openSource(settings.carrierAddress)));
const running = [
  repeated(100, stop.signal, get),
  repeated(250, stop.signal, place),
  repeated(100, stop.signal, () => options(sources[0]!)),
  repeated(200, stop.signal, () => invite(sources[1]!)),
  repeated(500, stop.signal, optionsByTcp),
];
process.on('message', (message) => {
  if (message === 'stop') {
    stop.abort();
    void Promise.all(running)
      .then(() => carrier.stop())
      .finally(() => process.exit(0));
    return;
  }
  const media = carrier.take();
  process.send?.({ api, sip, failures, ...media });
  [api, sip, failures] = [[], [], []];
});
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
