import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sidesOf, soundingMs } from '../helpers/audio/line-audio.ts';
import { startCoturn } from '../helpers/sip/coturn.ts';
import { whyNoNamespaces } from '../helpers/sip/namespaces.ts';
import { createNatNetwork, type NatNetwork } from '../helpers/sip/nat-network.ts';
import { until, type PeerProcess } from '../helpers/sip/peer-process.ts';
import { attachNumber, hangUp, newInbound, inboundCalls, recordingOf } from '../helpers/sip/phone-service.ts';
import { createAgent, place, provisionWith, whenOver } from '../helpers/service/scenario.ts';
import { startService, type Service } from '../helpers/service/service.ts';
import { response, scenario, startSipp, type Sipp } from '../helpers/sip/sipp.ts';
import { answering, calling } from '../helpers/sip/sipp-calls.ts';

const OURS = '+14155550100';
const CARRIER_PORT = 5060;
const STUN_PORT = 3478;
const CALLS = 20;
const ACCOUNT = 'agent-line';

const missing = whyNoNamespaces();
if (missing !== null) console.warn(`SKIPPED: calls through NAT need network namespaces and nft: ${missing}`);

/** Answers REGISTER; SIPp counts an OPTIONS that comes first as a call. */
const registrar = scenario(
  '\n  <recv request="REGISTER"></recv>',
  response('200 OK', {}).replace(/Contact: [^\n]*/, '[last_Contact:]\n      Expires: 300'),
);

describe.skipIf(missing !== null)('a service behind a masquerading router', () => {
  let network: NatNetwork;
  let dataDir = '';
  let stun: PeerProcess;
  let service: Service;
  let agentId = '';
  beforeAll(async () => {
    network = createNatNetwork();
    dataDir = await mkdtemp(join(tmpdir(), 'callwright-nat-'));
    stun = await startCoturn(network.addresses.carrier, STUN_PORT, network.outside);
  });
  afterAll(async () => {
    await service?.dispose();
    await stun?.stop();
    network?.close();
    if (dataDir !== '') await rm(dataDir, { recursive: true, force: true });
  });

  const peers: Sipp[] = [];
  afterEach(async () => {
    for (const started of peers.splice(0)) await started.stop();
    await service?.end();
  });
  const peer = async (text: string, args: readonly string[] = []): Promise<Sipp> => {
    const started = await startSipp({
      scenario: text,
      port: CARRIER_PORT,
      address: network.addresses.carrier,
      within: network.outside,
      trace: true,
      args: ['-aa', '-rtp_echo', ...args],
    });
    peers.push(started);
    return started;
  };

  /** Starts the service with this PUBLIC_ADDRESS and returns the Contact that it registers. */
  async function start(publicAddress: string): Promise<string> {
    const accepting = await peer(registrar);
    const { service: address, http, carrier } = network.addresses;
    service = await startService({
      dataDir,
      provision: provisionWith({
        trunk: 'carrier',
        trunks: [
          {
            name: 'carrier',
            uri: `sip:${carrier}:${CARRIER_PORT}`,
            transport: 'udp',
            username: ACCOUNT,
            password: 's3cret',
            register: true,
          },
        ],
      }),
      env: { SIP_HOST: address, PUBLIC_ADDRESS: publicAddress },
      within: { command: network.inside, address: http },
    });
    const accepted =
      /^REGISTER sip:[\s\S]*?^Contact: *<(sip:[^>]+)>[\s\S]*?^SIP\/2\.0 200 [\s\S]*?^CSeq: *\d+ REGISTER/im;
    await until(() => accepted.test(accepting.messages()), 'the service is registered');
    const contact = accepted.exec(accepting.messages())?.[1] ?? '';
    await accepting.stop();
    if (agentId === '') {
      agentId = await createAgent(service, {
        intro_message: 'Hello, this is Maya of Riverside Dental. Can you make it on Tuesday?',
        call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
      });
      await attachNumber(service, agentId, OURS);
    }
    return contact;
  }

  /** Places calls to a carrier that echoes our audio and hangs up after five seconds. */
  async function callOut(count: number): Promise<string> {
    const carrier = await peer(answering.hangsUpAfter(5_000));
    const placed = await Promise.all(
      Array.from({ length: count }, (_, n) =>
        place(service, agentId, `+1415555${String(1_000 + n)}`, {
          call_config: { call_retry_config: { retry_count: 0 } },
        }),
      ),
    );
    const calls = await Promise.all(placed.map((id) => whenOver(service, id)));
    // The carrier's BYE reached us, else the calls would end otherwise.
    expect(calls.map((call) => call.call_sub_status)).toEqual(calls.map(() => 'USER_LEFT'));
    for (const call of calls) {
      const sides = sidesOf(await recordingOf(call));
      expect(soundingMs(sides.agent)).toBeGreaterThan(1_000);
      expect(soundingMs(sides.caller)).toBeGreaterThan(500);
    }
    const messages = carrier.messages();
    await carrier.stop();
    return messages;
  }

  /** The carrier calls the registered Contact from its registrar's port. */
  async function callIn(contact: string): Promise<any> {
    const before = await inboundCalls(service);
    const text = calling.waitsForBye.replace(
      'INVITE sip:[service]@[remote_ip]:[remote_port]',
      `INVITE ${contact}`,
    );
    const target = /@([^;>]+)/.exec(contact)?.[1] ?? '';
    const caller = await peer(text, ['-m', '1', '-s', OURS, target]);
    const callId = await newInbound(service, before);
    await sleep(4_000);
    await hangUp(service, callId);
    // Exit code 0: our BYE arrived.
    expect([await caller.exited(), caller.received()]).toEqual([
      0,
      expect.arrayContaining([expect.stringMatching(/^BYE /)]),
    ]);
    return whenOver(service, callId);
  }

  it(`with its address: ${CALLS} of ${CALLS} calls have audio both ways, and registered calls come in`, async () => {
    const { public: router, service: address } = network.addresses;
    const contact = await start(router);
    expect(contact).toContain(`@${router}:${service.sipPort}`);
    // First, so that the greeting of the others is already synthesised.
    const call = await callIn(contact);
    expect(call).toMatchObject({ call_type: 'inbound', to_number: OURS, call_sub_status: 'USER_TERMINATED' });
    expect(soundingMs(sidesOf(await recordingOf(call)).caller)).toBeGreaterThan(500);
    const seen = await callOut(CALLS);
    expect(seen).toContain(`c=IN IP4 ${router}`);
    expect(seen).not.toContain(address);
  });

  it('with the address that coturn tells: a call has audio both ways, and one comes in', async () => {
    const { public: router, carrier } = network.addresses;
    const contact = await start(`stun:${carrier}:${STUN_PORT}`);
    expect(contact).toContain(`@${router}:`);
    expect(await callOut(1)).toContain(`c=IN IP4 ${router}`);
    expect(await callIn(contact)).toMatchObject({ call_type: 'inbound', call_sub_status: 'USER_TERMINATED' });
  });
});
