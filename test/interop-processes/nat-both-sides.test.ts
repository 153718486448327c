import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { sidesOf, soundingMs } from '../helpers/audio/line-audio.ts';
import { startCapture, type Capture } from '../helpers/sip/capture.ts';
import { whyNoNamespaces } from '../helpers/sip/namespaces.ts';
import { createNatNetwork, FORWARDED, type NatNetwork } from '../helpers/sip/nat-network.ts';
import { freePort } from '../helpers/sip/peer-process.ts';
import { hangUp, recordingOf } from '../helpers/sip/phone-service.ts';
import { createAgent, place, provisionWith, whenAnswered, whenOver } from '../helpers/service/scenario.ts';
import { startService, type Service } from '../helpers/service/service.ts';
import { startSipp, type Sipp } from '../helpers/sip/sipp.ts';
import { answering } from '../helpers/sip/sipp-calls.ts';

const NUMBERS = { cloud: '+14155550100', pbx: '+14155550101' } as const;
const FAR_PORT = 5060;
const CALLS = 20;
const INTRO = Array.from({ length: 11 }, () => 'Hello, this is Maya of Riverside Dental.').join(' ');
/** 500 ms of our packets. */
const LOST_PACKETS = 25;

const missing = whyNoNamespaces();
if (missing !== null) console.warn(`SKIPPED: calls through NAT need network namespaces and nft: ${missing}`);

interface Datagram {
  readonly from: string;
  readonly to: string;
}

describe.skipIf(missing !== null)('a service and a carrier that are both behind NAT', () => {
  let network: NatNetwork;
  let dataDir = '';
  let service: Service;
  let agentId = '';
  let pbxPort = 0;
  let capture: Capture | null = null;
  const peers: Sipp[] = [];
  beforeAll(async () => {
    network = createNatNetwork({ bothSides: true });
    pbxPort = await freePort();
    dataDir = await mkdtemp(join(tmpdir(), 'callwright-nat-both-'));
    const { public: router, carrier, http, neighbour } = network.addresses;
    const provision = provisionWith({
      trunk: 'cloud',
      trunks: [
        { name: 'cloud', uri: `sip:${carrier}:${FAR_PORT}`, transport: 'udp' },
        { name: 'pbx', uri: `sip:${neighbour}:${pbxPort}`, transport: 'udp' },
      ],
    });
    const [workspace] = provision['workspaces'] as [Record<string, unknown>];
    workspace['numbers'] = Object.entries(NUMBERS).map(([trunk, number]) => ({ number, trunk }));
    service = await startService({
      dataDir,
      provision,
      env: {
        SIP_HOST: '0.0.0.0',
        PUBLIC_ADDRESS: router,
        RTP_PORTS: `${FORWARDED.first}-${FORWARDED.last}`,
      },
      within: { command: network.inside, address: http },
    });
    agentId = await createAgent(service, {
      // Long enough for the whole call: the agent sends audio throughout, and no reply to what it hears ends the call.
      intro_message: INTRO,
      call_config: { idle_timeout_warning: 0, idle_timeout_end: 60, mute_during_intro: true },
    });
  });
  afterAll(async () => {
    await service?.dispose();
    network?.close();
    if (dataDir !== '') await rm(dataDir, { recursive: true, force: true });
  });
  beforeEach(() => {
    onTestFailed(async () => {
      console.log('the service:', service.output().slice(-8_000));
      console.log('its readiness:', await (await fetch(`${service.url}/readyz`)).text());
    });
  });
  afterEach(async () => {
    for (const peer of peers.splice(0)) await peer.stop();
    await capture?.close();
    capture = null;
  });

  const speaker = async (address: string, port: number, within: readonly string[] = []): Promise<Sipp> => {
    const peer = await startSipp({
      scenario: answering.speaks,
      port,
      address,
      within,
      trace: true,
      args: ['-aa'],
    });
    peers.push(peer);
    onTestFailed(() => console.log(`the peer at ${address}:`, peer.output(), peer.messages().slice(-8_000)));
    return peer;
  };
  const call = (from: string, n: number): Promise<string> =>
    place(service, agentId, `+1415555${1_000 + n}`, {
      from_number: from,
      call_config: { call_retry_config: { retry_count: 0 } },
    });
  const answered = (callId: string): Promise<unknown> => whenAnswered(service, callId);
  /** Milliseconds of sound of the far side. */
  const ended = async (callId: string): Promise<number> => {
    await hangUp(service, callId);
    const over = await whenOver(service, callId);
    expect(over).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_TERMINATED' });
    const { caller, agent } = sidesOf(await recordingOf(over));
    expect(soundingMs(agent)).toBeGreaterThan(500);
    return soundingMs(caller);
  };

  it(`${CALLS} of ${CALLS} calls have audio, and again within 500 ms when the far router maps them anew`, async () => {
    const { service: ours, far, carrier, public: router } = network.addresses;
    const peer = await speaker(far, FAR_PORT, network.behind);
    const wire = await startCapture(`udp portrange ${FORWARDED.first}-${FORWARDED.last}`, {
      device: 'lan',
      within: network.inside,
    });
    capture = wire;
    const calls = await Promise.all(Array.from({ length: CALLS }, (_, n) => call(NUMBERS.cloud, n)));
    await Promise.all(calls.map(answered));
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    network.rebind();
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    for (const sounded of await Promise.all(calls.map(ended))) expect(sounded).toBeGreaterThan(1_000);
    expect(peer.messages()).toContain(`c=IN IP4 ${router}`);
    expect(peer.messages()).not.toContain(ours);

    await wire.bytes();
    const rows = await wire.fields('udp', ['ip.src', 'udp.srcport', 'ip.dst', 'udp.dstport']);
    const datagrams = rows.map(([from, fromPort, to, toPort]): Datagram => ({
      from: `${from}:${fromPort}`,
      to: `${to}:${toPort}`,
    }));
    const legs = Map.groupBy(datagrams, ({ from, to }) => (from.startsWith(`${ours}:`) ? from : to));
    const lost: number[] = [];
    for (const [leg, packets] of legs) {
      // RTCP has the odd ports.
      if (Number(leg.split(':')[1]) % 2 === 1) continue;
      const heard = packets.filter(({ to, from }) => to === leg && from.startsWith(`${carrier}:`));
      const [first] = heard;
      // The router may forget a binding that it has just made: the last one counts.
      const last = heard.at(-1)?.from;
      if (last === first?.from) continue;
      const moved = packets.findIndex((packet) => heard.includes(packet) && packet.from === last);
      const sent = packets.slice(moved).filter(({ from }) => from === leg);
      const back = sent.findIndex(({ to }) => to === last);
      lost.push(back < 0 ? Number.POSITIVE_INFINITY : back);
      const sources = Map.groupBy(heard, ({ from }) => from);
      if (back < 0 || sources.size > 2)
        console.log(leg, 'heard', ...[...sources].map(([from, { length }]) => `${length} from ${from}`));
    }
    console.log(`packets of 20 ms to the old binding: ${lost.join(', ')}`);
    expect(lost).toHaveLength(CALLS);
    expect(lost.filter((packets) => packets > LOST_PACKETS)).toEqual([]);
  });

  it('a PBX in its own network gets its address there, and the carrier the public one at the same time', async () => {
    const { far, neighbour, http, public: router, service: ours } = network.addresses;
    const pbx = await speaker(neighbour, pbxPort);
    const cloud = await speaker(far, FAR_PORT, network.behind);
    const calls = [await call(NUMBERS.pbx, 100), await call(NUMBERS.cloud, 101)];
    await Promise.all(calls.map(answered));
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    for (const callId of calls) expect(await ended(callId)).toBeGreaterThan(1_000);
    const announced = (peer: Sipp): string[] => [
      ...new Set([...peer.messages().matchAll(/c=IN IP4 (\S+)/g)].map(([, address = '']) => address)),
    ];
    expect(announced(pbx).toSorted()).toEqual([neighbour, http].toSorted());
    expect(announced(cloud).toSorted()).toEqual([far, router].toSorted());
    expect(pbx.messages()).not.toContain(router);
    expect(cloud.messages()).not.toContain(`${ours}:`);
  });
});
