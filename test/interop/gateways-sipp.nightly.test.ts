import { setImmediate as afterTimers, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/shared/clock.ts';
import type { SipSignalling } from '../../src/telephony/signalling.ts';
import type { Trunk } from '../../src/telephony/trunks/trunk.ts';
import { resolveAt, type ServiceTarget, startDnsmasq } from '../helpers/sip/dnsmasq.ts';
import { createGatewayNetwork, type GatewayNetwork } from '../helpers/sip/gateway-network.ts';
import { whyNoNamespaces } from '../helpers/sip/namespaces.ts';
import { until } from '../helpers/sip/peer-process.ts';
import { hangUpSoon, place, type Placed } from '../helpers/sip/placed-call.ts';
import { closeLater, closePlanes, startPlane, trunkTo } from '../helpers/sip/sip-plane.ts';
import { plain, recv, response, scenario, startSipp, type Sipp } from '../helpers/sip/sipp.ts';

const DOMAIN = 'carrier.test';
const PORT = 5060;
const WEIGHTS = [50, 30, 20] as const;
const missing = whyNoNamespaces();
if (missing !== null) console.warn(`SKIPPED: gateways of SIPp need network namespaces and nft: ${missing}`);

/** Answers an OPTIONS, or follows these steps. */
const gatewayThat = (...steps: string[]): string =>
  scenario(
    '\n  <recv request="OPTIONS" optional="true" next="probe"></recv>',
    ...steps,
    '\n  <nop next="end"></nop>\n  <label id="probe"/>',
    plain('200 OK'),
    '\n  <label id="end"/>',
  );
const answers = gatewayThat(
  recv('INVITE'),
  response('180 Ringing', {}),
  response('200 OK', { retrans: true, sdp: true }),
  recv('ACK'),
  recv('BYE'),
  plain('200 OK'),
);
const challenge = response('407 Proxy Authentication Required', { retrans: true }).replace(
  'Contact:',
  `Proxy-Authenticate: Digest realm="${DOMAIN}", nonce="a1b2c3", qop="auth", algorithm=MD5\n      Contact:`,
);
const refuses = gatewayThat(
  recv('INVITE'),
  response('503 Service Unavailable', { retrans: true }),
  recv('ACK'),
);
const refusesKnown = gatewayThat(
  recv('INVITE'),
  challenge,
  recv('ACK'),
  recv('INVITE'),
  response('503 Service Unavailable', { retrans: true }),
  recv('ACK'),
);

/** The called numbers of the responses with this start line, once for each transaction. */
function numbersIn(peer: Sipp, status: string): string[] {
  const found = new Map<string, string>();
  for (const message of peer.messages().split(/^-{10,}.*$/m)) {
    if (!message.includes(`SIP/2.0 ${status}`) || !message.includes('message sent')) continue;
    const branch = /^Via:.*?branch=([^;\s]+)/m.exec(message)?.[1];
    const number = /^To:.*?sip:([^@]+)@/m.exec(message)?.[1];
    if (branch !== undefined && number !== undefined) found.set(branch, number);
  }
  return [...found.values()];
}

describe.skipIf(missing !== null)('a carrier with three gateways of SIPp', () => {
  let network: GatewayNetwork;
  beforeAll(() => {
    network = createGatewayNetwork();
  });
  afterAll(() => network?.close());
  afterEach(closePlanes);

  async function gateway(n: number, text: string): Promise<Sipp> {
    const peer = await startSipp({
      scenario: text,
      port: PORT,
      address: network.addresses.gateways[n] ?? '',
      within: network.inside,
      trace: true,
    });
    closeLater(() => peer.stop());
    return peer;
  }
  const gateways = (text: string): Promise<Sipp[]> => Promise.all(WEIGHTS.map((_, n) => gateway(n, text)));
  const targets = (weights: readonly number[]): ServiceTarget[] =>
    weights.flatMap((weight, n) =>
      weight === 0 ? [] : [{ address: network.addresses.gateways[n] ?? '', port: PORT, priority: 0, weight }],
    );
  const names = async (weights: readonly number[]) => {
    const { names: address } = network.addresses;
    const server = await startDnsmasq({
      domain: DOMAIN,
      targets: targets(weights),
      address,
      within: network.inside,
    });
    closeLater(() => server.stop());
    return server;
  };
  const plane = (trunk: Partial<Trunk>, clock = systemClock): Promise<SipSignalling> =>
    startPlane([trunkTo(PORT, { uri: `sip:${DOMAIN}`, username: 'us', password: 's3cret', ...trunk })], {
      hosts: [network.addresses.service],
      clock,
      probeIntervalMs: 30_000,
      resolve: resolveAt(network.addresses.names),
    });
  const numberOf = (n: number): string => `+1555${String(n).padStart(6, '0')}`;

  /** Places calls one after the other, never more than `atOnce` of them together. */
  async function placeAll(signalling: SipSignalling, count: number, atOnce: number): Promise<Placed[]> {
    const placed: Placed[] = [];
    const caller = async (): Promise<void> => {
      while (placed.length < count) {
        const call = place(signalling, {
          to: numberOf(placed.length),
          onAnswer: (leg) => leg.hangup('done'),
        });
        placed.push(call);
        await call.over();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, caller));
    return placed;
  }

  test('that dnsmasq names by NAPTR and SRV share 2,000 calls within five points of their weights', async () => {
    await names(WEIGHTS);
    const peers = await gateways(answers);
    const signalling = await plane({ transport: 'auto' });
    const calls = await placeAll(signalling, 2_000, 10);
    expect(calls.filter(({ log }) => !log.includes('answered'))).toEqual([]);
    const rung = peers.map((peer) => numbersIn(peer, '180'));
    const shares = rung.map(({ length }) => length / 20);
    console.log(`shares of SRV weights ${WEIGHTS.join(', ')}: ${shares.join(', ')}`);
    for (const [n, weight] of WEIGHTS.entries()) expect(Math.abs((shares[n] ?? 0) - weight)).toBeLessThan(5);
    expect(new Set(rung.flat()).size).toBe(2_000);
    expect(rung.flat()).toHaveLength(2_000);
  });

  test('whose records change: calls follow them once the minute of the last look-up has passed', async () => {
    const server = await names([1, 0, 0]);
    const peers = await gateways(answers);
    let ahead = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + ahead };
    const signalling = await plane({ transport: 'auto' }, clock);
    await placeAll(signalling, 5, 1);
    await server.stop();
    // Without a name service the last addresses stay.
    ahead += 61_000;
    await placeAll(signalling, 5, 1);
    expect(peers.map((peer) => numbersIn(peer, '180').length)).toEqual([10, 0, 0]);
    await names([0, 1, 0]);
    ahead += 61_000;
    const isMoved = async (): Promise<boolean> => {
      await placeAll(signalling, 1, 1);
      return numbersIn(peers[1] as Sipp, '180').length > 0;
    };
    await until(isMoved, 'a call goes to the new target');
    const before = numbersIn(peers[0] as Sipp, '180').length;
    await placeAll(signalling, 5, 1);
    expect(numbersIn(peers[0] as Sipp, '180')).toHaveLength(before);
  });

  test('of which one falls silent, one flaps and two refuse: 1,000 calls, none lost after two seconds, none rung twice', async () => {
    const [first, , third] = network.addresses.gateways;
    const peers = await gateways(answers);
    const signalling = await plane({
      gateways: WEIGHTS.map((weight, n) => ({
        uri: `sip:${network.addresses.gateways[n]}`,
        priority: 0,
        weight,
      })),
    });
    const health = (): (string | null)[] =>
      signalling.health().trunks.flatMap(({ gateways: all }) => all.map((each) => each.health));
    const isWhole = (): boolean => health().every((each) => each === 'healthy');
    await until(isWhole, 'every gateway answers OPTIONS');
    /** Times at which a gateway fell silent. */
    const silences: number[] = [];
    const calls: { readonly at: number; readonly call: Placed }[] = [];
    const each20Ms = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) {
        const call = place(signalling, {
          to: numberOf(calls.length),
          ringTimeoutMs: 4_000,
          onAnswer: hangUpSoon,
        });
        calls.push({ at: performance.now(), call });
        await sleep(20);
        // After a stall of the machine the service's overdue timers come before the next call.
        await afterTimers();
      }
    };
    const silence = (address: string): void => {
      network.silence(address, true);
      silences.push(performance.now());
    };
    const hear = async (address: string): Promise<void> => {
      network.silence(address, false);
      await until(isWhole, 'the gateway is healthy again');
    };
    await each20Ms(100);
    silence(first);
    await each20Ms(250);
    await hear(first);
    for (let round = 0; round < 2; round += 1) {
      silence(third);
      await each20Ms(125);
      await hear(third);
      await each20Ms(50);
    }
    const restart = async (n: number, text: string): Promise<Sipp> => {
      // Calls of the last scenario end first.
      await Promise.all(calls.map(({ call }) => call.over()));
      await peers[n]?.stop();
      return gateway(n, text);
    };
    const rung = peers.map((peer) => numbersIn(peer, '180'));
    const refusing = await restart(1, refuses);
    await each20Ms(150);
    const knowing = await restart(2, refusesKnown);
    await each20Ms(150);
    expect(calls).toHaveLength(1_000);
    await Promise.all(calls.map(({ call }) => call.over()));
    const lost = calls.filter(({ call }) => !call.log.includes('answered'));
    console.log(`1,000 calls, ${silences.length} silences: ${lost.length} lost in their first two seconds`);
    /** From the first call to the silent gateway on. A call placed before may have waited for its answer. */
    const windows = silences.map((from) => {
      const begun = Math.max(from, lost.find(({ at }) => at >= from)?.at ?? from);
      return { from: from - 2_000, to: begun + 2_000 };
    });
    expect(lost.filter(({ at }) => !windows.some(({ from, to }) => at >= from && at < to))).toEqual([]);
    // After a 503 a gateway is tried last for a minute.
    expect(refusing.received().filter((line) => line.startsWith('INVITE'))).not.toEqual([]);
    expect(knowing.received().filter((line) => line.startsWith('INVITE')).length).toBeGreaterThanOrEqual(2);
    const all = [...rung.slice(1).flat(), ...numbersIn(peers[0] as Sipp, '180')];
    expect(all.length - new Set(all).size).toBe(0);
  });
});
