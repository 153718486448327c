import { expect, it } from 'vitest';
import { createResampler, parseWav, resample } from '@callwright/audio';
import type { Baresip } from '../helpers/sip/baresip.ts';
import { expectAgreed, useAgreeingPhones, WINDOW_MS } from '../helpers/sip/agreeing-phones.ts';
import { likeness, readMono, sidesOf } from '../helpers/audio/line-audio.ts';
import { inboundCalls, newInbound, recordingOf } from '../helpers/sip/phone-service.ts';
import { whenOver } from '../helpers/service/scenario.ts';

const RATE = 16_000;
const OURS = '+14155550100';

const phones = useAgreeingPhones('wideband-baresip', {
  wide: { number: OURS, settings: { codecs: ['g722', 'pcmu'] } },
});

const recorded = async (baresip: Baresip, rate: number): Promise<{ heard: Int16Array; said: Int16Array }> => {
  await baresip.waitFor('CALL_CLOSED');
  const [dec = '', enc = ''] = [baresip.recordings('dec')[0], baresip.recordings('enc')[0]];
  return { heard: await readMono(dec, rate), said: await readMono(enc, rate) };
};

/** Mean power above 4 kHz: of what is missing after a passage through 8 kHz. */
function highPower(pcm: Int16Array): number {
  const narrow = resample(createResampler(RATE, 8_000), pcm, true);
  const back = resample(createResampler(8_000, RATE), narrow, true);
  let power = 0;
  for (let i = 0; i < back.length; i++) power += ((pcm[i] ?? 0) - (back[i] as number)) ** 2;
  return power / back.length;
}

it('a call to a phone with G.722 is wideband on both sides and in the recording', async () => {
  const baresip = await phones.phone('wide', { codecs: 'G722/16000/1', rate: RATE });
  const call = await phones.called('wide');
  expectAgreed(call);
  const { heard, said } = await recorded(baresip, RATE);
  const file = await recordingOf(call);
  const wav = parseWav(file);
  expect(wav.ok && wav.sampleRate).toBe(RATE);
  const { agent, caller } = sidesOf(file);
  const fromUs = likeness(agent, heard, WINDOW_MS).peak;
  const toUs = likeness(said, caller, WINDOW_MS).peak;
  expect(fromUs).toBeGreaterThan(0.9);
  expect(toUs).toBeGreaterThan(0.9);
  // Both files are as long as the call: what passes above 4 kHz has the same power at both ends.
  expect(highPower(heard) / highPower(agent)).toBeGreaterThan(0.7);
  expect(highPower(caller) / highPower(said)).toBeGreaterThan(0.7);
  expect(highPower(said)).toBeGreaterThan(10);
  expect(call.network.codec).toBe('G722');
});

it('a call of a phone without G.722 over the same trunk is resampled to 16 kHz', async () => {
  const baresip = await phones.phone('wide', { codecs: 'PCMU/8000/1', rate: 8_000 });
  const { service } = phones;
  const before = await inboundCalls(service);
  baresip.command('dial', `sip:${OURS}@127.0.0.1:${service.sipPort}`);
  const call: any = await whenOver(service, await newInbound(service, before));
  expectAgreed(call);
  const { heard, said } = await recorded(baresip, 8_000);
  const { agent, caller } = sidesOf(await recordingOf(call));
  const narrow = (pcm: Int16Array): Int16Array => pcm.filter((_, i) => i % 2 === 0);
  expect(likeness(narrow(agent), heard, WINDOW_MS / 2).peak).toBeGreaterThan(0.9);
  expect(likeness(said, narrow(caller), WINDOW_MS / 2).peak).toBeGreaterThan(0.9);
  expect(call.network.codec).toBe('PCMU');
});
