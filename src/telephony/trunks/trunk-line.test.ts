import { describe, expect, test } from 'vitest';
import { silentLog } from '../../shared/log.ts';
import { header, type Header, type SipRequest } from '../sip/message.ts';
import { responseTo } from '../sip/response.ts';
import type { Resolve } from '../sip/resolver.ts';
import { VirtualNetwork, peerAt } from '../sip/virtual-network.ts';
import { TrunkLine } from './trunk-line.ts';
import type { Trunk } from './trunk.ts';

const US = '192.0.2.1';
const THEM = '192.0.2.9';

function lineTo(patch: Partial<Trunk>, options: { probeIntervalMs?: number; resolve?: Resolve } = {}) {
  const net = new VirtualNetwork();
  const peer = net.peer(THEM);
  const { endpoint } = net.agent(US, () => ({ kind: 'drop' }));
  const trunk: Trunk = {
    id: '0190a0a0-0000-7000-8000-000000000001',
    name: 't',
    uri: `sip:${THEM}`,
    username: 'alice',
    password: 'secret',
    register: false,
    transport: 'udp',
    allowedSources: [],
    ...patch,
  };
  const { probeIntervalMs = null, resolve = async () => [] } = options;
  const line = new TrunkLine(trunk, {
    endpoint,
    scheduler: net.scheduler,
    resolve,
    probeIntervalMs,
    log: silentLog,
  });
  /** Look-ups are promises: they settle between two moments of virtual time. */
  const pass = async (ms: number): Promise<void> => {
    for (let at = 0; at < ms; at += 1_000) {
      await new Promise((resolved) => setImmediate(resolved));
      net.scheduler.advance(Math.min(1_000, ms - at));
    }
    await new Promise((resolved) => setImmediate(resolved));
    net.scheduler.advance(2);
  };
  const requests = (): SipRequest[] => peer.heard.filter((m): m is SipRequest => m.kind === 'request');
  const answer = async (status: number, headers: Header[] = []): Promise<void> => {
    const request = requests().at(-1);
    if (request === undefined) throw new Error('nothing to answer');
    peer.say(responseTo(request, status, { toTag: 'x', headers }), US);
    await pass(10);
  };
  return { net, peer, line, pass, requests, answer };
}

describe('registration', () => {
  test('registers, follows 423 and the granted time, leaves on stop', async () => {
    const t = lineTo({ register: true });
    t.line.start();
    await t.pass(10);
    const first = t.requests()[0]!;
    expect(first).toMatchObject({ method: 'REGISTER', uri: `sip:${THEM}`, to: { uri: `sip:alice@${THEM}` } });
    expect(header(first, 'contact')).toBe(
      `<sip:alice@${US}:5060>;expires=300;+sip.instance="<urn:uuid:0190a0a0-0000-7000-8000-000000000001>"`,
    );
    expect(t.line.registered).toBe(false);
    await t.answer(423, [{ name: 'min-expires', value: '600' }]);
    expect(header(t.requests().at(-1)!, 'expires')).toBe('600');
    await t.answer(200, [{ name: 'contact', value: `<sip:alice@${US}:5060>;expires=100` }]);
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
    await t.answer(200);
    await stopped;
    expect(t.line.registered).toBe(false);
  });
  test('nobody answers: tried again later, and stop gives up in bounded time', async () => {
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
  test('any answer but 408 and 503 says reachable, silence does not', async () => {
    const t = lineTo({}, { probeIntervalMs: 30_000 });
    t.line.start();
    await t.pass(10);
    expect(t.line.reachable).toBeNull();
    await t.answer(405);
    expect(t.line.reachable).toBe(true);
    await t.pass(34_000);
    await t.answer(503);
    expect(t.line.reachable).toBe(false);
    await t.pass(34_000);
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
  test('a name is looked up again after a minute; a failed look-up keeps what was known', async () => {
    const answers = [[peerAt('198.51.100.1')], [], [peerAt('198.51.100.2')]];
    let asked = 0;
    const t = lineTo({ uri: 'sip:carrier.example' }, { resolve: async () => answers[asked++] ?? [] });
    expect(t.line.known()).toBeNull();
    await t.line.lookUp();
    await t.line.lookUp();
    expect(asked).toBe(1);
    expect(t.line.owns('198.51.100.1')).toBe(true);
    await t.pass(60_000);
    expect(await t.line.lookUp()).toEqual([peerAt('198.51.100.1')]);
    await t.line.lookUp();
    expect(t.line.owns('198.51.100.1')).toBe(false);
    expect(t.line.owns('198.51.100.2')).toBe(true);
  });
  test('an old address serves while one new look-up is under way, however slow it is', async () => {
    let asked = 0;
    let answer: (peers: ReturnType<typeof peerAt>[]) => void = () => undefined;
    const resolve: Resolve = () => {
      asked += 1;
      return asked === 1
        ? Promise.resolve([peerAt('198.51.100.1')])
        : new Promise((done) => {
            answer = done;
          });
    };
    const t = lineTo({ uri: 'sip:carrier.example' }, { resolve });
    await t.line.lookUp();
    await t.pass(61_000);
    expect([t.line.known(), t.line.known()]).toEqual([[peerAt('198.51.100.1')], [peerAt('198.51.100.1')]]);
    expect(asked).toBe(2);
    answer([peerAt('198.51.100.2')]);
    await t.pass(10);
    expect(t.line.known()).toEqual([peerAt('198.51.100.2')]);
    expect(asked).toBe(2);
  });
  test('a look-up that throws is an empty one', async () => {
    const t = lineTo({ uri: 'sip:carrier.example' }, { resolve: () => Promise.reject(new Error('no DNS')) });
    expect(await t.line.lookUp()).toEqual([]);
  });
});
