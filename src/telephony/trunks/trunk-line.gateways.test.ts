import { describe, expect, test } from 'vitest';
import { silentLog } from '../../shared/log.ts';
import {
  type CallFailure,
  literalPeer,
  type Peer,
  parseMessage,
  responseTo,
  writeMessage,
} from '@callwright/sip';
import { outbound, recorder } from '../../../packages/sip/test/virtual-call.ts';
import { peerAt, seededRandom, VirtualNetwork } from '../../../packages/sip/test/virtual-network.ts';
import type { Gateway } from './selection.ts';
import { TrunkLine } from './trunk-line.ts';

const US = '192.0.2.1';

describe('several gateways', () => {
  const [DEAD, ALIVE] = ['192.0.2.9', '192.0.2.10'];

  /** A trunk with two gateways; the second one answers OPTIONS with 200 and INVITE with 486. */
  function twoGateways(answersOptions = true, gateways: readonly Gateway[] = []) {
    const net = new VirtualNetwork();
    const first = net.peer(DEAD);
    const second = net.peer(ALIVE);
    const agent = net.agent(US, () => ({ kind: 'drop' }));
    const answers = (peer: string): void =>
      net.attach(peer, (bytes) => {
        const parsed = parseMessage(bytes);
        if (parsed.kind !== 'message' || parsed.message.kind !== 'request') return;
        const { message } = parsed;
        if (message.method === 'ACK' || (message.method === 'OPTIONS' && !answersOptions)) return;
        if (message.method === 'INVITE') uris.add(message.uri);
        invites[peer] = (invites[peer] ?? 0) + (message.method === 'INVITE' ? 1 : 0);
        const status = message.method === 'INVITE' ? 486 : 200;
        net.deliver(writeMessage(responseTo(message, status, { toTag: 'x' })), peer, US, 'udp');
      });
    const invites: Record<string, number> = {};
    const uris = new Set<string>();
    answers(ALIVE);
    const line = new TrunkLine(
      {
        id: 't',
        name: 't',
        uri: 'sip:carrier.example',
        gateways,
        username: null,
        password: null,
        register: false,
        transport: 'udp',
        allowedSources: [],
      },
      {
        endpoint: agent.endpoint,
        scheduler: net.scheduler,
        resolve: async () => [peerAt(DEAD), peerAt(ALIVE)],
        probeIntervalMs: 30_000,
        log: silentLog,
        random: seededRandom(7),
      },
    );
    const pass = async (ms: number): Promise<void> => {
      for (let at = 0; at < ms; at += 100) {
        await new Promise((resolved) => setImmediate(resolved));
        net.scheduler.advance(100);
      }
    };
    const outcomes: (number | null)[] = [];
    const call = (): void => {
      const n = outcomes.push(null) - 1;
      const events = {
        ...recorder().events,
        onFailed: ({ sipCode }: CallFailure) => void (outcomes[n] = sipCode),
      };
      agent.call(line, outbound({ attemptId: `a${n}` }), events);
    };
    /** One call a second, and the time until the last one ends. Returns the seconds in which calls were lost. */
    const calls = async (seconds: number): Promise<number[]> => {
      const from = outcomes.length;
      for (let n = 0; n < seconds; n++) {
        call();
        await pass(1_000);
      }
      await pass(35_000);
      return outcomes.slice(from).flatMap((sipCode, second) => (sipCode === 486 ? [] : [second]));
    };
    const start = async (): Promise<void> => {
      await line.lookUp();
      line.start();
    };
    return { net, first, second, line, pass, calls, start, answers, invites, uris };
  }

  test('a silent one loses the calls of the first two seconds and none later', async () => {
    const t = twoGateways();
    await t.start();
    const lost = await t.calls(600);
    expect(lost.every((second) => second < 2)).toBe(true);
    expect(t.line.reachable).toBe(true);
    // Only OPTIONS test the silent one.
    expect(
      t.first.received.filter((m) => m.cseq.method === 'INVITE' && m.kind === 'request').length,
    ).toBeLessThan(20);
    await t.line.stop();
  });
  test('one that falls silent is suspect after 1.5 s without 100, and gets calls again after OPTIONS', async () => {
    const t = twoGateways();
    t.answers(DEAD);
    await t.start();
    await t.pass(500);
    expect(await t.calls(5)).toEqual([]);
    expect(t.invites).toEqual({ [DEAD]: 5, [ALIVE]: 0 });
    t.net.detach(DEAD);
    const lost = await t.calls(120);
    expect(lost.every((second) => second < 2)).toBe(true);
    expect(t.line.known()).toEqual([peerAt(ALIVE)]);
    t.answers(DEAD);
    await t.pass(20_000);
    expect(t.line.known()).toEqual([peerAt(DEAD), peerAt(ALIVE)]);
    expect(await t.calls(5)).toEqual([]);
    expect(t.invites[DEAD]).toBe(10);
    await t.line.stop();
  });
  test('all get calls when none answers OPTIONS', async () => {
    const t = twoGateways(false);
    await t.start();
    await t.pass(60_000);
    expect(t.line.reachable).toBe(false);
    expect(t.line.known()).toEqual([peerAt(DEAD), peerAt(ALIVE)]);
    await t.line.stop();
  });
  test('each is probed by itself, often while it is silent', async () => {
    const t = twoGateways();
    await t.start();
    await t.pass(120_000);
    const probes = t.first.received.filter((m) => m.cseq.method === 'OPTIONS');
    const rounds = new Set(probes.map((m) => m.callId)).size;
    // 2, 4 and then 8 seconds between probes of two seconds each.
    expect(rounds).toBeGreaterThan(10);
    expect(rounds).toBeLessThan(20);
    await t.line.stop();
    const before = t.first.received.length;
    await t.pass(60_000);
    expect(t.first.received.length).toBe(before);
  });

  test('are probed at once by a check, and a trunk without probes has none', async () => {
    const t = twoGateways();
    await t.start();
    await t.pass(12_000);
    expect(t.line.known()).toEqual([peerAt(ALIVE)]);
    t.answers(DEAD);
    expect(t.line.check()).toBe(true);
    await t.pass(100);
    expect(t.line.known()).toEqual([peerAt(DEAD), peerAt(ALIVE)]);
    await t.line.stop();
    const before = t.second.received.length;
    t.line.check();
    await t.pass(5_000);
    expect(t.second.received.length).toBe(before);
  });

  test('of SRV records share 1,000 calls within five points of their weights, lower priorities first', async () => {
    const net = new VirtualNetwork();
    const targets = [
      [1, 60],
      [1, 30],
      [1, 10],
      [2, 100],
    ] as const;
    const peers = targets.map(([priority, weight], n): Peer => ({
      ...peerAt(`192.0.2.${20 + n}`),
      share: { priority, weight },
    }));
    const line = new TrunkLine(
      {
        id: 't',
        name: 't',
        uri: 'sip:carrier.example',
        username: null,
        password: null,
        register: false,
        transport: 'auto',
        allowedSources: [],
      },
      {
        endpoint: net.agent(US, () => ({ kind: 'drop' })).endpoint,
        scheduler: net.scheduler,
        resolve: async () => peers,
        probeIntervalMs: null,
        log: silentLog,
        random: seededRandom(11),
      },
    );
    await line.lookUp();
    const firsts: Record<string, number> = {};
    for (let n = 0; n < 1_000; n++) {
      const order = line.known() ?? [];
      expect(new Set(order).size).toBe(4);
      expect(order.at(-1)).toBe(peers[3]);
      const first = order[0]?.address ?? '';
      firsts[first] = (firsts[first] ?? 0) + 1;
    }
    for (const [n, share] of [60, 30, 10].entries())
      expect(Math.abs((firsts[`192.0.2.${20 + n}`] ?? 0) / 10 - share)).toBeLessThan(5);
  });

  const weighed = (dead: Partial<Gateway>, alive: Partial<Gateway>): Gateway[] => [
    { uri: `sip:${DEAD}`, priority: 0, weight: 1, ...dead },
    { uri: `sip:${ALIVE}`, priority: 0, weight: 1, ...alive },
  ];
  test('share the calls by weight, and the domain stays that of the uri', async () => {
    const t = twoGateways(true, weighed({ weight: 3 }, { weight: 1 }));
    t.answers(DEAD);
    await t.start();
    await t.pass(500);
    expect(await t.calls(400)).toEqual([]);
    const share = (100 * (t.invites[DEAD] ?? 0)) / 400;
    expect(Math.abs(share - 75)).toBeLessThan(5);
    expect(t.uris).toEqual(new Set(['sip:+15550002@carrier.example']));
    await t.line.stop();
  });
  test('of a lower priority get calls only while those of a higher one are silent', async () => {
    const t = twoGateways(true, weighed({ priority: 1 }, { priority: 2 }));
    t.answers(DEAD);
    await t.start();
    await t.pass(500);
    expect(await t.calls(20)).toEqual([]);
    expect(t.invites).toEqual({ [DEAD]: 20, [ALIVE]: 0 });
    t.net.detach(DEAD);
    await t.pass(60_000);
    expect(t.line.gateways).toEqual([
      { priority: 1, weight: 1, health: 'down' },
      { priority: 2, weight: 1, health: 'healthy' },
    ]);
    expect(await t.calls(20)).toEqual([]);
    expect(t.invites).toEqual({ [DEAD]: 20, [ALIVE]: 20 });
    await t.line.stop();
  });
  test('are unknown before the first probe ends, and none are reported without an entry', async () => {
    const t = twoGateways(true, weighed({}, {}));
    expect(t.line.gateways.map(({ health }) => health)).toEqual([null, null]);
    expect(t.line.known()?.length).toBe(2);
    expect(twoGateways().line.gateways).toEqual([]);
  });
  test('of one address are told apart by their transports, and each is probed by itself', async () => {
    const t = twoGateways(true, [
      { uri: `sip:${ALIVE}`, priority: 0, weight: 1, transport: 'tcp' },
      { uri: `sip:${ALIVE}`, priority: 1, weight: 1 },
    ]);
    t.net.unreachable.add(`tcp:${ALIVE}`);
    expect(t.line.known()).toEqual([peerAt(ALIVE, 'tcp'), peerAt(ALIVE)]);
    await t.start();
    await t.pass(10_000);
    expect(t.line.gateways.map(({ health }) => health)).toEqual(['down', 'healthy']);
    expect(t.line.known()).toEqual([peerAt(ALIVE)]);
    await t.line.stop();
  });
  test('over TLS that are addresses show the certificate of the domain, those with names their own', async () => {
    const net = new VirtualNetwork();
    const line = new TrunkLine(
      {
        id: 't',
        name: 't',
        uri: 'sips:carrier.example',
        gateways: ['sip:192.0.2.9', 'sip:edge.example:5071'].map((uri) => ({ uri, priority: 1, weight: 1 })),
        username: null,
        password: null,
        register: false,
        transport: 'tls',
        allowedSources: [],
      },
      {
        endpoint: net.agent(US, () => ({ kind: 'drop' })).endpoint,
        scheduler: net.scheduler,
        resolve: async (uri, choice) =>
          [literalPeer(uri.replace('edge.example', '192.0.2.10'), choice) as Peer].map((peer) =>
            uri.includes('edge') ? { ...peer, domain: 'edge.example' } : peer,
          ),
        probeIntervalMs: null,
        log: silentLog,
      },
    );
    const peers = await line.lookUp();
    expect(new Map(peers.map(({ address, port, domain }) => [`${address}:${port}`, domain]))).toEqual(
      new Map([
        ['192.0.2.9:5061', 'carrier.example'],
        ['192.0.2.10:5071', 'edge.example'],
      ]),
    );
  });
});
