import { describe, expect, test } from 'vitest';
import { silentLog, type Log } from '../../shared/log.ts';
import { type Header, type Resolve, type SipRequest, header, responseTo } from '@callwright/sip';
import { VirtualNetwork, peerAt } from '../../../packages/sip/test/virtual-network.ts';
import { lineOf } from './binding.ts';
import { TrunkLine } from './trunk-line.ts';
import type { Trunk } from './trunk.ts';

const US = '192.0.2.1';
const THEM = '192.0.2.9';
const TRUNK_ID = '0190a0a0-0000-7000-8000-000000000001';
/** The Contact that the trunk registers. */
const OURS = `sip:alice@${US}:5060;line=${lineOf(TRUNK_ID)}`;

function lineTo(
  patch: Partial<Trunk>,
  options: { probeIntervalMs?: number; resolve?: Resolve; log?: Log } = {},
) {
  const net = new VirtualNetwork();
  const peer = net.peer(THEM);
  const { endpoint } = net.agent(US, () => ({ kind: 'drop' }));
  const trunk: Trunk = {
    id: TRUNK_ID,
    name: 't',
    uri: `sip:${THEM}`,
    username: 'alice',
    password: 'secret',
    register: false,
    transport: 'udp',
    allowedSources: [],
    ...patch,
  };
  const { probeIntervalMs = null, resolve = async () => [], log = silentLog } = options;
  const line = new TrunkLine(trunk, {
    endpoint,
    scheduler: net.scheduler,
    resolve,
    probeIntervalMs,
    log,
  });
  /** Advances virtual time in steps and lets the promises of look-ups settle in between. */
  const pass = async (ms: number): Promise<void> => {
    for (let at = 0; at < ms; at += 1_000) {
      await new Promise((resolved) => setImmediate(resolved));
      net.scheduler.advance(Math.min(1_000, ms - at));
    }
    await new Promise((resolved) => setImmediate(resolved));
    net.scheduler.advance(2);
  };
  const requests = (): SipRequest[] => peer.received.filter((m): m is SipRequest => m.kind === 'request');
  const answer = async (status: number, headers: Header[] = []): Promise<void> => {
    const request = requests().at(-1);
    if (request === undefined) throw new Error('nothing to answer');
    peer.send(responseTo(request, status, { toTag: 'x', headers }), US);
    await pass(10);
  };
  return { net, peer, line, pass, requests, answer };
}

describe('registration', () => {
  test('a refused one logs the name of the trunk and the status', async () => {
    const warned: unknown[] = [];
    const log: Log = { ...silentLog, warn: (...args: unknown[]) => void warned.push(args) };
    const t = lineTo({ register: true, name: 'carrier' }, { log });
    t.line.start();
    await t.pass(10);
    await t.answer(403);
    const fields = { trunk: 'carrier', trunkId: TRUNK_ID, status: 403 };
    expect(warned).toContainEqual([fields, 'Trunk not registered']);
    expect(t.line.refusal).toBe(403);
  });

  test('names path as supported, so that a registrar takes the Path of its proxy (RFC 3327)', async () => {
    const t = lineTo({ register: true });
    t.line.start();
    await t.pass(10);
    const isSupported = header(t.requests()[0]!, 'supported') === 'path';
    // A strict registrar: 420 where the account cannot learn of the Path.
    await t.answer(isSupported ? 200 : 420, [{ name: 'path', value: '<sip:edge.example.com;lr>' }]);
    expect(t.line.registered).toBe(true);
  });

  test('its Service-Route is the route of calls until the registrar refuses it (RFC 3608)', async () => {
    const outgoing = { route: 'sip:proxy.example.com;lr' };
    const t = lineTo({ register: true, outgoing });
    t.line.start();
    await t.pass(10);
    expect(header(t.requests()[0]!, 'route')).toBe('<sip:proxy.example.com;lr>');
    expect(t.line.routes).toEqual(['<sip:proxy.example.com;lr>']);
    await t.answer(200, [
      { name: 'service-route', value: '<sip:edge.example.com;lr>, <sip:home.example.com;lr>' },
      { name: 'service-route', value: '<sip:core.example.com;lr>' },
    ]);
    const given = ['edge', 'home', 'core'].map((name) => `<sip:${name}.example.com;lr>`);
    expect(t.line.routes).toEqual(['<sip:proxy.example.com;lr>', ...given]);
    await t.pass(260_000);
    await t.answer(403);
    expect(t.line.routes).toEqual(['<sip:proxy.example.com;lr>']);
  });

  test('registers, follows 423 and the granted time, un-registers on stop', async () => {
    const t = lineTo({ register: true });
    t.line.start();
    await t.pass(10);
    const first = t.requests()[0]!;
    expect(first).toMatchObject({ method: 'REGISTER', uri: `sip:${THEM}`, to: { uri: `sip:alice@${THEM}` } });
    expect(header(first, 'contact')).toBe(`<${OURS}>;expires=300;+sip.instance="<urn:uuid:${TRUNK_ID}>"`);
    expect(t.line.registered).toBe(false);
    await t.answer(423, [{ name: 'min-expires', value: '600' }]);
    expect(header(t.requests().at(-1)!, 'expires')).toBe('600');
    await t.answer(200, [{ name: 'contact', value: `<${OURS}>;expires=100` }]);
    expect(t.line.registered).toBe(true);
    expect(t.requests().length).toBe(2);
    await t.pass(86_000);
    expect(t.requests().length).toBeGreaterThan(2);
    const [second, third] = t.requests().slice(1, 3);
    expect(third?.callId).toBe(second?.callId);
    expect(third?.cseq.sequence).toBe((second?.cseq.sequence ?? 0) + 1);
    const stopped = t.line.stop();
    await t.pass(10);
    expect(header(t.requests().at(-1)!, 'expires')).toBe('0');
    // Of this Contact alone: another process may have the instance by now.
    expect(header(t.requests().at(-1)!, 'contact')).toBe(`<${OURS}>;expires=0`);
    await t.answer(200);
    await stopped;
    expect(t.line.registered).toBe(false);
  });
  test('refreshes its own of several bindings in time', async () => {
    const t = lineTo({ register: true });
    t.line.start();
    await t.pass(10);
    const phone = '<sip:alice@198.51.100.200:5060;line=kx7w1q>;expires=60';
    await t.answer(200, [{ name: 'contact', value: `${phone}, <${OURS}>;expires=300` }]);
    let seconds = 0;
    for (; t.requests().length === 1 && seconds < 4_000; seconds += 5) await t.pass(5_000);
    expect([seconds >= 225, seconds <= 260]).toEqual([true, true]);
  });
  const REGISTERED = [{ name: 'contact', value: `<sip:alice@${US}:5060>;expires=300` }];
  test('registers anew five seconds after the last REGISTER when its connection closes', async () => {
    const t = lineTo({ register: true, transport: 'tcp', uri: `sip:${THEM}` });
    t.line.start();
    await t.pass(10);
    await t.answer(200, REGISTERED);
    // Connections of others, and UDP, are not the trunk's flow.
    t.line.flowLost({ transport: 'tcp', address: '192.0.2.50', port: 5060 });
    t.line.flowLost(peerAt(THEM));
    await t.pass(10_000);
    expect(t.requests().length).toBe(1);
    t.line.flowLost(peerAt(THEM, 'tcp'));
    await t.pass(10);
    expect(t.requests().length).toBe(2);
    await t.answer(200, REGISTERED);
    t.line.flowLost(peerAt(THEM, 'tcp'));
    await t.pass(3_000);
    expect(t.requests().length).toBe(2);
    await t.pass(3_000);
    expect(t.requests().length).toBe(3);
    expect(t.line.registered).toBe(true);
  });
  test('leaves an account that the registrar refuses alone when its connection closes', async () => {
    const t = lineTo({ register: true, transport: 'tcp', uri: `sip:${THEM}` });
    t.line.start();
    await t.pass(10);
    await t.answer(403);
    t.line.flowLost(peerAt(THEM, 'tcp'));
    await t.pass(20_000);
    expect(t.requests().length).toBe(1);
  });
  test('registers anew when the registrar answers probes again', async () => {
    const t = lineTo({ register: true }, { probeIntervalMs: 30_000 });
    const last = (method: string): SipRequest[] => t.requests().filter((r) => r.method === method);
    const reply = async (method: string, headers: Header[] = []): Promise<void> => {
      t.peer.send(responseTo(last(method).at(-1)!, 200, { toTag: 'x', headers }), US);
      await t.pass(10);
    };
    t.line.start();
    await t.pass(10);
    await reply('REGISTER', REGISTERED);
    await reply('OPTIONS');
    expect(t.line.reachable).toBe(true);
    // The registrar is away for a minute; the registration would last for four.
    await t.pass(60_000);
    expect([t.line.reachable, new Set(last('REGISTER').map((r) => r.cseq.sequence)).size]).toEqual([
      false,
      1,
    ]);
    const before = last('OPTIONS').length;
    while (last('OPTIONS').length === before) await t.pass(100);
    await reply('OPTIONS');
    await t.pass(10);
    expect([t.line.reachable, new Set(last('REGISTER').map((r) => r.cseq.sequence)).size]).toEqual([true, 2]);
  });
  test('un-registers once, however often it is told to', async () => {
    const t = lineTo({ register: true });
    t.line.start();
    await t.pass(10);
    await t.answer(200, REGISTERED);
    const ended = Promise.all([t.line.unregister(), t.line.stop(), t.line.stop()]);
    await t.pass(10);
    expect(header(t.requests().at(-1)!, 'expires')).toBe('0');
    await t.answer(200);
    await ended;
    t.line.renew();
    await t.pass(10_000);
    expect([t.requests().length, t.line.registered]).toEqual([2, false]);
  });
  test('registers the account without the port of the trunk', async () => {
    const t = lineTo({ register: true, uri: `sip:${THEM}:5060` });
    t.line.start();
    await t.pass(10);
    const [first] = t.requests();
    expect([first?.uri, first?.from.uri, first?.to.uri]).toEqual([
      `sip:${THEM}:5060`,
      `sip:alice@${THEM}`,
      `sip:alice@${THEM}`,
    ]);
  });
  test('retries without a response, and stop ends in bounded time', async () => {
    const t = lineTo({ register: true });
    t.line.start();
    await t.pass(120_000);
    const calls = new Set(t.requests().map((r) => r.cseq.sequence));
    expect(calls.size).toBeGreaterThan(2);
    expect(t.line.registered).toBe(false);
    const stopped = t.line.stop();
    await t.pass(40_000);
    await stopped;
    expect(t.line.registered).toBe(false);
  });
});

describe('health', () => {
  test('any response except 408 and 503 means reachable; a timeout means unreachable', async () => {
    const t = lineTo({}, { probeIntervalMs: 30_000 });
    t.line.start();
    await t.pass(10);
    expect(t.line.reachable).toBeNull();
    const probed = async (): Promise<void> => {
      const before = t.requests().length;
      while (t.requests().length === before) await t.pass(100);
    };
    await t.answer(405);
    expect(t.line.reachable).toBe(true);
    await probed();
    await t.answer(503);
    expect(t.line.reachable).toBe(false);
    await probed();
    await t.answer(200);
    expect(t.line.reachable).toBe(true);
    await t.pass(70_000);
    expect(t.line.reachable).toBe(false);
    await t.line.stop();
    const before = t.requests().length;
    await t.pass(120_000);
    expect(t.requests().length).toBe(before);
  });
});

describe('addresses', () => {
  test('looks a name up again after a minute; a failed look-up keeps the old addresses', async () => {
    const answers = [[peerAt('198.51.100.1')], [], [peerAt('198.51.100.2')]];
    let lookUps = 0;
    const t = lineTo({ uri: 'sip:carrier.example' }, { resolve: async () => answers[lookUps++] ?? [] });
    expect(t.line.known()).toBeNull();
    await t.line.lookUp();
    await t.line.lookUp();
    expect(lookUps).toBe(1);
    expect(t.line.owns('198.51.100.1')).toBe(true);
    await t.pass(60_000);
    expect(await t.line.lookUp()).toEqual([peerAt('198.51.100.1')]);
    await t.line.lookUp();
    expect(t.line.owns('198.51.100.1')).toBe(false);
    expect(t.line.owns('198.51.100.2')).toBe(true);
  });
  test('uses stale addresses while one look-up runs', async () => {
    let lookUps = 0;
    let answer: (peers: ReturnType<typeof peerAt>[]) => void = () => undefined;
    const resolve: Resolve = () => {
      lookUps += 1;
      return lookUps === 1
        ? Promise.resolve([peerAt('198.51.100.1')])
        : new Promise((done) => {
            answer = done;
          });
    };
    const t = lineTo({ uri: 'sip:carrier.example' }, { resolve });
    await t.line.lookUp();
    await t.pass(61_000);
    expect([t.line.known(), t.line.known()]).toEqual([[peerAt('198.51.100.1')], [peerAt('198.51.100.1')]]);
    expect(lookUps).toBe(2);
    answer([peerAt('198.51.100.2')]);
    await t.pass(10);
    expect(t.line.known()).toEqual([peerAt('198.51.100.2')]);
    expect(lookUps).toBe(2);
  });
  test('lists a demoted peer last for a minute', async () => {
    const [first, second] = [peerAt('198.51.100.1'), peerAt('198.51.100.2')];
    const t = lineTo({ uri: 'sip:carrier.example' }, { resolve: async () => [first, second] });
    await t.line.lookUp();
    t.line.demote(first);
    expect(t.line.known()).toEqual([second, first]);
    await t.pass(60_000);
    expect(t.line.known()).toEqual([first, second]);
    // A Retry-After counts instead, up to five minutes.
    for (const [asked, ms] of [
      [2_000, 2_000],
      [86_400_000, 300_000],
    ] as const) {
      t.line.demote(first, asked);
      await t.pass(ms - 1_000);
      expect(t.line.known()).toEqual([second, first]);
      await t.pass(1_000);
      expect(t.line.known()).toEqual([first, second]);
    }
  });
  test('takes media from its media_ranges and a hold address, and from anywhere without any', () => {
    const takes = (mediaRanges: string[] | undefined) =>
      ['203.0.113.9', '198.51.100.7', '2001:db8::5', '0.0.0.0', 'x'].map((address) =>
        lineTo(mediaRanges === undefined ? {} : { mediaRanges }).line.takesMedia(address),
      );
    expect(takes(['203.0.113.0/24', '2001:db8::/32'])).toEqual([true, false, true, true, false]);
    expect(takes([])).toEqual([true, true, true, true, true]);
    expect(takes(undefined)).toEqual([true, true, true, true, true]);
  });
  test('a rejected look-up returns no addresses', async () => {
    const t = lineTo({ uri: 'sip:carrier.example' }, { resolve: () => Promise.reject(new Error('no DNS')) });
    expect(await t.line.lookUp()).toEqual([]);
  });
});
