import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createResampler, parseWav, resample } from '@callwright/audio';
import { BARESIP_PORTS, startBaresip, type Baresip, type BaresipOptions } from '../helpers/sip/baresip.ts';
import { likeness, sidesOf, spoken, writeTrack } from '../helpers/audio/line-audio.ts';
import { freePort } from '../helpers/sip/peer-process.ts';
import {
  attachNumber,
  inboundCalls,
  newInbound,
  recordingOf,
  startPhoneService,
} from '../helpers/sip/phone-service.ts';
import { createAgent, place, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import type { Service } from '../helpers/service/service.ts';

const RATE = 16_000;
/** Of baresip's audio: it resamples no WAV file for Opus. */
const PHONE_RATE = 48_000;
const NUMBERS = { clear: '+14155550100', secret: '+14155550101' } as const;
const THEIRS = '+14155550123';
/** Samples of 300 ms at 16 kHz, in ms at 8 kHz: the unit of `likeness`. */
const WINDOW_MS = 600;
type Trunk = keyof typeof NUMBERS;
const TRUNKS = Object.keys(NUMBERS) as Trunk[];

let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
let directory = '';
let agentId = '';
const ports = { clear: 0, secret: 0 };
const phones: Baresip[] = [];
beforeAll(async () => {
  for (const trunk of TRUNKS) ports[trunk] = await freePort(BARESIP_PORTS);
  directory = await mkdtemp(join(tmpdir(), 'opus-baresip-'));
  ({ service, close } = await startPhoneService(
    TRUNKS.map((name) => ({
      name,
      uri: `sip:127.0.0.1:${ports[name]}`,
      transport: 'udp',
      codecs: ['opus', 'pcmu'],
      srtp: name === 'secret' ? 'required' : 'off',
    })),
    TRUNKS.map((trunk) => ({ number: NUMBERS[trunk], trunk })),
  ));
  agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya. Can you make it on Tuesday?',
    task: '1. Ask "Can you make it on Tuesday?"\n2. Say "Please bring your insurance card."\n3. Thank them and say goodbye.',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
  });
  for (const number of Object.values(NUMBERS)) await attachNumber(service, agentId, number);
});
afterEach(async () => {
  for (const phone of phones.splice(0)) await phone.stop();
});
afterAll(async () => {
  await close();
  await rm(directory, { recursive: true, force: true });
});

/** A phone that says "yes please" 4.5 s after the answer. */
async function phone(trunk: Trunk, more: Partial<BaresipOptions> = {}): Promise<Baresip> {
  const { rate = PHONE_RATE } = more;
  const saysWav = join(directory, `yes-${rate}.wav`);
  await writeTrack(saysWav, [{ atMs: 4500, pcm: await spoken('yes please', rate) }], 60_000, rate);
  const started = await startBaresip({
    user: THEIRS,
    port: ports[trunk],
    saysWav,
    codecs: 'opus/48000/2',
    rate,
    ...(trunk === 'secret' ? { encryption: 'srtp-mand' as const } : {}),
    ...more,
  });
  phones.push(started);
  return started;
}

async function expectSameTalk(baresip: Baresip, call: any): Promise<void> {
  expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
  expect(transcriptOf(call).flatMap(({ user }) => user ?? [])[0]).toMatch(/^yes/);
  expect(call.network.codec).toBe('OPUS');
  await baresip.waitFor('CALL_CLOSED');
  /** One of the two equal channels of the phone's recording. */
  const at16k = async (kind: 'dec' | 'enc'): Promise<Int16Array> => {
    const wav = parseWav(await readFile(baresip.recordings(kind)[0] ?? ''));
    if (!wav.ok || wav.sampleRate !== PHONE_RATE) throw new Error(`no recording at ${PHONE_RATE} Hz`);
    const mono = wav.pcm.filter((_, i) => i % wav.channels === 0);
    return resample(createResampler(PHONE_RATE, RATE), mono, true);
  };
  const file = await recordingOf(call);
  const wav = parseWav(file);
  expect(wav.ok && wav.sampleRate).toBe(RATE);
  const { agent, caller } = sidesOf(file);
  const fromUs = likeness(agent, await at16k('dec'), WINDOW_MS).peak;
  const toUs = likeness(await at16k('enc'), caller, WINDOW_MS).peak;
  expect(fromUs).toBeGreaterThan(0.9);
  expect(toUs).toBeGreaterThan(0.9);
}

it.each(TRUNKS)(
  'a call to a phone with Opus over a %s trunk is heard on both sides, in wideband',
  async (trunk) => {
    const baresip = await phone(trunk);
    const over = await whenOver(
      service,
      await place(service, agentId, THEIRS, {
        from_number: NUMBERS[trunk],
        call_config: { call_retry_config: { retry_count: 0 } },
      }),
    );
    await expectSameTalk(baresip, over);
    expect(/srtp: .*SRTP is Enabled/i.test(baresip.output())).toBe(trunk === 'secret');
  },
);

it('a call of a phone with Opus is heard on both sides, in wideband', async () => {
  const baresip = await phone('clear');
  const before = await inboundCalls(service);
  baresip.command('dial', `sip:${NUMBERS.clear}@127.0.0.1:${service.sipPort}`);
  await expectSameTalk(baresip, await whenOver(service, await newInbound(service, before)));
  expect(baresip.output()).not.toMatch(/SRTP is Enabled/i);
});

it('a phone without Opus takes PCMU over the same trunk', async () => {
  await phone('clear', { codecs: 'PCMU/8000/1', rate: 8_000 });
  const over: any = await whenOver(
    service,
    await place(service, agentId, THEIRS, {
      from_number: NUMBERS.clear,
      call_config: { call_retry_config: { retry_count: 0 } },
    }),
  );
  expect(over).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
  expect(over.network.codec).toBe('PCMU');
});
