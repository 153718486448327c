import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { decodeUlawTo } from '@callwright/audio';
import { likeness, readMono, sidesOf, soundingMs, spoken, writeTrack } from '../helpers/audio/line-audio.ts';
import { BARESIP_PORTS, startBaresip, type Baresip } from '../helpers/sip/baresip.ts';
import { startCapture, type Capture, type RtpPacket } from '../helpers/sip/capture.ts';
import { startKamailioTls, type KamailioTls } from '../helpers/sip/kamailio-tls.ts';
import { freePort } from '../helpers/sip/peer-process.ts';
import {
  attachNumber,
  inboundCalls,
  newInbound,
  recordingOf,
  startPhoneService,
} from '../helpers/sip/phone-service.ts';
import { RELAY, RELAY_PORTS, startRtpengine, type Rtpengine } from '../helpers/sip/rtpengine.ts';
import { createAgent, place, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import { freeSipPort, TEST_KEY, type Service } from '../helpers/service/service.ts';
import { AUTHORITY, CERTIFICATES } from '../helpers/sip/tls-certificates.ts';

const run = promisify(execFile);
/** Trunks at one Kamailio, by the certificate of its port and the error of a refusal. */
const LINES = {
  good: { number: '+14155550100', certificate: CERTIFICATES.service, refusal: null },
  'other-name': {
    number: '+14155550101',
    certificate: CERTIFICATES.carrier,
    refusal: 'ERR_TLS_CERT_ALTNAME_INVALID',
  },
  expired: { number: '+14155550102', certificate: CERTIFICATES.expired, refusal: 'CERT_HAS_EXPIRED' },
  'unknown-authority': {
    number: '+14155550103',
    certificate: CERTIFICATES.stranger,
    refusal: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  },
} as const;
const THEIRS = '+14155550123';
const OURS = LINES.good.number;
/** Short, so that a frame that a busy machine sends late does not shift the rest of the window. */
const WINDOW_MS = 300;
/** What a listener would find of SIP and SDP. */
const IN_CLEAR = /SIP\/2\.0|INVITE sip|m=audio|a=crypto|inline:/;

let rtpengine: Rtpengine;
let kamailio: KamailioTls;
let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
let directory = '';
let agentId = '';
let saysYes = '';
let phonePort = 0;
let tlsPort = 0;
beforeAll(async () => {
  phonePort = await freePort(BARESIP_PORTS);
  tlsPort = await freeSipPort();
  directory = await mkdtemp(join(tmpdir(), 'secret-wire-'));
  const write = async (name: string, pem: string): Promise<string> => {
    await writeFile(join(directory, name), pem);
    return join(directory, name);
  };
  saysYes = join(directory, 'yes.wav');
  await writeTrack(saysYes, [{ atMs: 4500, pcm: await spoken('yes please') }], 60_000);
  rtpengine = await startRtpengine();
  const lines = Object.entries(LINES);
  kamailio = await startKamailioTls({
    certificates: lines.map(([, { certificate }]) => certificate),
    authority: AUTHORITY,
    phonePort,
    servicePort: tlsPort,
    rtpenginePort: rtpengine.port,
  });
  ({ service, close } = await startPhoneService(
    lines.map(([name], n) => ({
      name,
      uri: `sips:127.0.0.1:${kamailio.tlsPorts[n]}`,
      srtp: 'required',
    })),
    lines.map(([trunk, { number }]) => ({ number, trunk })),
    {
      SIP_TLS_PORT: String(tlsPort),
      SIP_TLS_CERT_FILE: await write('cert.pem', CERTIFICATES.service.certificate),
      SIP_TLS_KEY_FILE: await write('key.pem', CERTIFICATES.service.key),
      SIP_TLS_CA_FILE: await write('ca.pem', AUTHORITY),
      LOG_LEVEL: 'debug',
    },
  ));
  agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya. Can you make it on Tuesday?',
    task: '1. Ask "Can you make it on Tuesday?"\n2. Say "Please bring your insurance card."\n3. Thank them and say goodbye.',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
  });
  await attachNumber(service, agentId, OURS);
});
afterAll(async () => {
  await close();
  await kamailio?.stop();
  await rtpengine?.stop();
  await rm(directory, { recursive: true, force: true });
});

let phone: Baresip | null = null;
let capture: Capture | null = null;
afterEach(async () => {
  await phone?.stop();
  await capture?.close();
  phone = null;
  capture = null;
});

const call = (from: string): Promise<string> =>
  place(service, agentId, THEIRS, {
    from_number: from,
    call_config: { call_retry_config: { retry_count: 0 } },
  });

/** The audio of one side of a captured stream, as if its payload were PCMU in clear. */
function asUlaw(packets: readonly RtpPacket[]): Int16Array {
  const bytes = Buffer.concat(packets.map(({ payload }) => payload.subarray(0, 160)));
  const pcm = new Int16Array(bytes.length);
  decodeUlawTo(pcm, bytes);
  return pcm;
}

const { first, last } = RELAY_PORTS;
const isRelay = ({ port }: RtpPacket): boolean => port >= first && port <= last;

// dumpcap takes packets of loopback as root only.
it.skipIf(process.getuid?.() !== 0).each(['outbound', 'inbound'] as const)(
  'an %s call over TLS of Kamailio and SRTP of rtpengine is heard, and nothing of it is in clear',
  async (direction) => {
    const signalling = `tcp port ${tlsPort} or tcp port ${kamailio.tlsPorts[0]}`;
    const wire = await startCapture(`${signalling} or udp portrange ${first}-${last}`);
    capture = wire;
    const baresip = await startBaresip({ user: THEIRS, port: phonePort, saysWav: saysYes });
    phone = baresip;
    const before = await inboundCalls(service);
    if (direction === 'inbound') baresip.command('dial', `sip:${OURS}@127.0.0.1:${kamailio.port}`);
    const callId = direction === 'inbound' ? await newInbound(service, before) : await call(OURS);
    const over = await whenOver(service, callId);
    expect(over).toMatchObject({
      call_type: direction,
      call_status: 'completed',
      call_sub_status: 'AGENT_ENDED',
    });
    expect(transcriptOf(over).flatMap(({ user }) => user ?? [])).toEqual(['yes please']);
    await baresip.waitFor('CALL_CLOSED');

    const { agent, caller } = sidesOf(await recordingOf(over));
    const heard = await readMono(baresip.recordings('dec')[0] ?? '');
    const said = await readMono(baresip.recordings('enc')[0] ?? '');
    const heardLike = likeness(agent, heard, WINDOW_MS).peak;
    const saidLike = likeness(said, caller, WINDOW_MS).peak;
    expect(soundingMs(agent)).toBeGreaterThan(3_000);
    expect(heardLike).toBeGreaterThan(0.9);
    expect(saidLike).toBeGreaterThan(0.9);

    const bytes = await wire.bytes();
    const packets = await wire.rtp(RELAY_PORTS);
    const secret = packets.filter(({ from, to }) => from === RELAY.secret && to === RELAY.secret);
    const streams = {
      agent: secret.filter((packet) => !isRelay(packet)),
      caller: secret.filter(isRelay),
    };
    const clear = packets.filter(({ from, to, port }) => [from, to].includes(RELAY.clear) && port >= first);
    /** What a listener hears who takes the packets for PCMU. */
    const overheard = {
      agent: likeness(agent, asUlaw(streams.agent), WINDOW_MS).peak,
      caller: likeness(caller, asUlaw(streams.caller), WINDOW_MS).peak,
      // The phone's leg is in clear, so that the measure finds speech where there is some.
      clear: likeness(agent, asUlaw(clear.filter(({ from }) => from === RELAY.clear)), WINDOW_MS).peak,
    };
    console.log(
      `${direction}: heard ${heardLike.toFixed(3)}, said ${saidLike.toFixed(3)}; overheard ${JSON.stringify(overheard)}; ${streams.agent.length} and ${streams.caller.length} packets`,
    );
    expect(streams.agent.length).toBeGreaterThan(200);
    expect(streams.caller.length).toBeGreaterThan(200);
    expect(overheard.clear).toBeGreaterThan(0.9);
    expect(overheard.agent).toBeLessThan(0.5);
    expect(overheard.caller).toBeLessThan(0.5);

    const text = bytes.toString('latin1');
    expect(IN_CLEAR.exec(text)).toBeNull();
    // TLS 1.3, whose handshake the capture has, names the type of such records opaque.
    const records = await wire.fields(
      'tls.record.content_type == 23 or tls.record.opaque_type == 23',
      ['tcp.srcport'],
      [tlsPort, kamailio.tlsPorts[0]].flatMap((port) => ['-d', `tcp.port==${port},tls`]),
    );
    expect(records).not.toEqual([]);

    const keys = kamailio.keys();
    expect(keys.length).toBeGreaterThan(1);
    const { stdout } = await run(
      'bin/callwright',
      ['trace', callId, '--pcap', '-', '--url', service.url, '--key', TEST_KEY],
      { maxBuffer: 16 * 1024 * 1024 },
    );
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT/m);
    const traced = Buffer.from(
      [...stdout.matchAll(/^[0-9a-f]{6} {2}([0-9a-f ]+)$/gm)]
        .map(([, hex = '']) => hex.replaceAll(' ', ''))
        .join(''),
      'hex',
    ).toString('latin1');
    expect(traced).toContain('INVITE sip:');
    for (const key of keys) {
      for (const holder of [text, service.output(), traced, JSON.stringify(over)])
        expect(holder.includes(key) || holder.includes(Buffer.from(key, 'base64').toString('latin1'))).toBe(
          false,
        );
    }
  },
);

it.each(['other-name', 'expired', 'unknown-authority'] as const)(
  'a Kamailio whose certificate the service refuses (%s) gets no call, and the log says why',
  async (trunk) => {
    const baresip = await startBaresip({ user: THEIRS, port: phonePort });
    phone = baresip;
    const { number, refusal } = LINES[trunk];
    expect(await whenOver(service, await call(number))).toMatchObject({
      call_status: 'failed',
      call_cost: 0,
    });
    expect(baresip.events.filter(({ type }) => type === 'CALL_INCOMING')).toEqual([]);
    const says = (line: string): boolean =>
      line.includes('SIP TLS connection not made') && line.includes(`"${refusal}"`);
    await expect.poll(() => service.output().split('\n').filter(says)).not.toEqual([]);
  },
);
