import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BARESIP_PORTS, startBaresip, type Baresip, type BaresipOptions } from '../helpers/sip/baresip.ts';
import { likeness, readMono, sidesOf, soundingMs, spoken, writeTrack } from '../helpers/audio/line-audio.ts';
import { startCapture, type Capture, type RtpPacket } from '../helpers/sip/capture.ts';
import { freePort } from '../helpers/sip/peer-process.ts';
import {
  attachNumber,
  inboundCalls,
  newInbound,
  recordingOf,
  startPhoneService,
} from '../helpers/sip/phone-service.ts';
import { createAgent, place, transcriptOf, whenCall, whenOver } from '../helpers/service/scenario.ts';
import type { Service } from '../helpers/service/service.ts';
import { IS_NIGHTLY } from '../helpers/service/nightly.ts';

/** Short, so that a frame that a busy machine sends late does not shift the rest of the window. */
const WINDOW_MS = 300;
const NUMBERS = { required: '+14155550100', optional: '+14155550101' } as const;
const THEIRS = '+14155550123';
/** Bytes that SRTP adds to a packet: its authentication tag. */
const SRTP_TAG = 10;
const TRUNKS = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[];

let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
let directory = '';
let agentId = '';
let saysYes = '';
const ports = { required: 0, optional: 0 };
beforeAll(async () => {
  for (const trunk of TRUNKS) ports[trunk] = await freePort(BARESIP_PORTS);
  directory = await mkdtemp(join(tmpdir(), 'srtp-baresip-'));
  saysYes = join(directory, 'yes.wav');
  await writeTrack(saysYes, [{ atMs: 4500, pcm: await spoken('yes please') }], 60_000);
  ({ service, close } = await startPhoneService(
    TRUNKS.map((srtp) => ({
      name: srtp,
      uri: `sip:127.0.0.1:${ports[srtp]}`,
      transport: 'udp',
      srtp,
    })),
    TRUNKS.map((srtp) => ({ number: NUMBERS[srtp], trunk: srtp })),
  ));
  agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya. Can you make it on Tuesday?',
    task: '1. Ask "Can you make it on Tuesday?"\n2. Say "Please bring your insurance card."\n3. Thank them and say goodbye.',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
  });
  for (const number of Object.values(NUMBERS)) await attachNumber(service, agentId, number);
});
afterAll(async () => {
  await close();
  await rm(directory, { recursive: true, force: true });
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const phones: Baresip[] = [];
afterEach(async () => {
  for (const phone of phones.splice(0)) await phone.stop();
});
async function phone(
  trunk: keyof typeof NUMBERS,
  encryption?: BaresipOptions['encryption'],
  saysWav = saysYes,
): Promise<Baresip> {
  const started = await startBaresip({
    user: THEIRS,
    port: ports[trunk],
    saysWav,
    ...(encryption === undefined ? {} : { encryption }),
  });
  phones.push(started);
  return started;
}

async function expectSameTalk(baresip: Baresip, call: any): Promise<void> {
  expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
  await baresip.waitFor('CALL_CLOSED');
  const [dec = '', enc = ''] = [baresip.recordings('dec')[0], baresip.recordings('enc')[0]];
  const { agent, caller } = sidesOf(await recordingOf(call));
  expect(soundingMs(agent)).toBeGreaterThan(3000);
  expect(likeness(agent, await readMono(dec), WINDOW_MS).peak).toBeGreaterThan(0.9);
  expect(likeness(await readMono(enc), caller, WINDOW_MS).peak).toBeGreaterThan(0.9);
}

const call = (trunk: keyof typeof NUMBERS): Promise<string> =>
  place(service, agentId, THEIRS, {
    from_number: NUMBERS[trunk],
    call_config: { call_retry_config: { retry_count: 0 } },
  });

async function dialled(baresip: Baresip, trunk: keyof typeof NUMBERS): Promise<any> {
  const before = await inboundCalls(service);
  baresip.command('dial', `sip:${NUMBERS[trunk]}@127.0.0.1:${service.sipPort}`);
  return whenOver(service, await newInbound(service, before));
}

/** At night each setting of the trunk with each of the phone. */
const someOf = <T>(all: readonly T[]): readonly T[] => (IS_NIGHTLY ? all : all.slice(0, 1));

it.each(
  someOf([
    ['required', 'srtp-mand'],
    ['optional', 'srtp'],
    ['optional', undefined],
  ] as const),
)(
  'a call to baresip over a trunk with srtp %s, its encryption %s, is heard on both sides',
  async (trunk, encryption) => {
    const baresip = await phone(trunk, encryption);
    await expectSameTalk(baresip, await whenOver(service, await call(trunk)));
    expect(/srtp: .*SRTP is Enabled/i.test(baresip.output())).toBe(encryption !== undefined);
  },
);

it.each(
  someOf([
    ['optional', 'srtp'],
    ['required', 'srtp'],
    ['required', 'srtp-mand'],
  ] as const),
)(
  'a call of baresip over a trunk with srtp %s, its encryption %s, is heard on both sides',
  async (trunk, encryption) => {
    const baresip = await phone(trunk, encryption);
    await expectSameTalk(baresip, await dialled(baresip, trunk));
    await expect.poll(() => baresip.output()).toMatch(/srtp: .*SRTP is Enabled/i);
  },
);

it('a held and resumed call stays encrypted, and later speech is heard', async () => {
  const later = join(directory, 'later.wav');
  await writeTrack(later, [{ atMs: 7000, pcm: await spoken('yes please') }], 60_000);
  const baresip = await phone('required', 'srtp-mand', later);
  const callId = await call('required');
  await whenCall(service, callId, 'answered', ({ answered_at }) => answered_at !== null);
  await pause(1000);
  baresip.command('hold');
  await pause(2000);
  baresip.command('resume');
  const over = await whenOver(service, callId);
  expect(over).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
  expect(transcriptOf(over).flatMap(({ user }) => user ?? [])).toEqual(['yes please']);
});

// dumpcap captures loopback, which needs root.
describe.skipIf(process.getuid?.() !== 0)('a hold of a call with SRTP', () => {
  let capture: Capture | null = null;
  afterEach(async () => {
    await capture?.close();
    capture = null;
  });

  /** The packets of each side's stream: SRTP leaves the header of RTP in clear. */
  async function streams(wire: Capture): Promise<{ ours: RtpPacket[]; theirs: RtpPacket[] }> {
    await wire.bytes();
    const packets = await wire.rtp({ first: 10_000, last: 65_535 });
    const voice = packets.filter(({ type, payload }) => type === 0 && payload.length === 160 + SRTP_TAG);
    const isTheirs = ({ port }: RtpPacket): boolean =>
      port >= phones[0]!.rtpPort && port <= phones[0]!.rtpPort + 200;
    return { ours: voice.filter((packet) => !isTheirs(packet)), theirs: voice.filter(isTheirs) };
  }

  /** One stream whose sequence numbers follow each other, across a wrap, too: a packet that a restart numbers anew cannot be decrypted. */
  function expectOneStream(packets: readonly RtpPacket[], atLeastMs: number): void {
    expect(new Set(packets.map(({ source }) => source)).size).toBe(1);
    expect(packets.length).toBeGreaterThan(atLeastMs / 20);
    const steps = packets
      .slice(1)
      .map(({ sequence }, n) => (sequence - (packets[n]?.sequence ?? 0)) & 0xffff);
    expect(new Set(steps)).toEqual(new Set([1]));
  }

  it.each(someOf(['of the service', 'of the phone'] as const))(
    '%s keeps both streams, and what is said later is heard',
    async (by) => {
      const wire = await startCapture('udp portrange 10000-65535');
      capture = wire;
      const later = join(directory, 'after-hold.wav');
      await writeTrack(later, [{ atMs: 9_000, pcm: await spoken('yes please') }], 60_000);
      const baresip = await phone('required', 'srtp-mand', later);
      const callId = await call('required');
      await whenCall(service, callId, 'answered', ({ answered_at }) => answered_at !== null);
      const order = async (operation: 'hold' | 'resume'): Promise<void> => {
        if (by === 'of the phone') return baresip.command(operation);
        const { status } = await service.request('POST', `/api/v0/calling/${callId}/control`, { operation });
        expect(status).toBe(200);
      };
      await pause(1_500);
      await order('hold');
      await pause(2_500);
      await order('resume');
      const over = await whenOver(service, callId);
      expect(over).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
      expect(transcriptOf(over).flatMap(({ user }) => user ?? [])).toEqual(['yes please']);
      await baresip.waitFor('CALL_CLOSED');
      // The phone says so when it cannot decrypt a packet.
      expect(baresip.output()).not.toMatch(/failed to (?:en|de)crypt/);
      const { agent } = sidesOf(await recordingOf(over));
      expect(soundingMs(agent.subarray(agent.length - 4 * 8_000))).toBeGreaterThan(500);
      const { ours, theirs } = await streams(wire);
      expectOneStream(ours, 6_000);
      expectOneStream(theirs, 6_000);
    },
  );
});

it('a phone that takes RTP/SAVP only refuses the RTP/AVP offer of a trunk with srtp optional', async () => {
  await phone('optional', 'srtp-mand');
  const refused = await whenOver(service, await call('optional'));
  expect(refused.attempts.at(-1)).toMatchObject({ sip_code: 488 });
});

it('a call of baresip without SRTP is refused by 488 on a trunk with srtp required', async () => {
  const baresip = await phone('required');
  const refused = await dialled(baresip, 'required');
  expect(refused.attempts.at(-1)).toMatchObject({
    sip_code: 488,
    reason: 'srtp of the trunk is required, and the peer offers none',
  });
});
