import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createResampler, parseWav, resample } from '@callwright/audio';
import type { Baresip } from '../helpers/sip/baresip.ts';
import { expectAgreed, useAgreeingPhones, WINDOW_MS } from '../helpers/sip/agreeing-phones.ts';
import { likeness, sidesOf } from '../helpers/audio/line-audio.ts';
import { inboundCalls, newInbound, recordingOf } from '../helpers/sip/phone-service.ts';
import { whenOver } from '../helpers/service/scenario.ts';

const RATE = 16_000;
/** Of baresip's audio: it resamples no WAV file for Opus. */
const PHONE_RATE = 48_000;
const NUMBERS = { clear: '+14155550100', secret: '+14155550101' } as const;
type Trunk = keyof typeof NUMBERS;
const TRUNKS = Object.keys(NUMBERS) as Trunk[];
const CODECS = ['opus', 'pcmu'];

const phones = useAgreeingPhones('opus-baresip', {
  clear: { number: NUMBERS.clear, settings: { codecs: CODECS, srtp: 'off' } },
  secret: { number: NUMBERS.secret, settings: { codecs: CODECS, srtp: 'required' } },
});
/** A phone with Opus. */
const phone = (trunk: Trunk): Promise<Baresip> =>
  phones.phone(trunk, {
    codecs: 'opus/48000/2',
    rate: PHONE_RATE,
    ...(trunk === 'secret' ? { encryption: 'srtp-mand' as const } : {}),
  });

async function expectSameTalk(baresip: Baresip, call: any): Promise<void> {
  expectAgreed(call);
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
    await expectSameTalk(baresip, await phones.called(trunk));
    expect(/srtp: .*SRTP is Enabled/i.test(baresip.output())).toBe(trunk === 'secret');
  },
);

it('a call of a phone with Opus is heard on both sides, in wideband', async () => {
  const baresip = await phone('clear');
  const { service } = phones;
  const before = await inboundCalls(service);
  baresip.command('dial', `sip:${NUMBERS.clear}@127.0.0.1:${service.sipPort}`);
  await expectSameTalk(baresip, await whenOver(service, await newInbound(service, before)));
  expect(baresip.output()).not.toMatch(/SRTP is Enabled/i);
});

it('a phone without Opus takes PCMU over the same trunk', async () => {
  await phones.phone('clear', { codecs: 'PCMU/8000/1', rate: 8_000 });
  const over = await phones.called('clear');
  expect(over).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
  expect(over.network.codec).toBe('PCMU');
});
