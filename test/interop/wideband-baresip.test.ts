import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createResampler, parseWav, resample } from '@callwright/audio';
import { BARESIP_PORTS, startBaresip, type Baresip } from '../helpers/sip/baresip.ts';
import { likeness, readMono, sidesOf, spoken, writeTrack } from '../helpers/audio/line-audio.ts';
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
const OURS = '+14155550100';
const THEIRS = '+14155550123';
/** Samples of 300 ms at 16 kHz, in ms at 8 kHz: the unit of `likeness`. */
const WINDOW_MS = 600;

let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
let directory = '';
let agentId = '';
let port = 0;
const phones: Baresip[] = [];
beforeAll(async () => {
  port = await freePort(BARESIP_PORTS);
  directory = await mkdtemp(join(tmpdir(), 'wideband-baresip-'));
  ({ service, close } = await startPhoneService(
    [{ name: 'wide', uri: `sip:127.0.0.1:${port}`, transport: 'udp', codecs: ['g722', 'pcmu'] }],
    [{ number: OURS, trunk: 'wide' }],
  ));
  agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya. Can you make it on Tuesday?',
    task: '1. Ask "Can you make it on Tuesday?"\n2. Say "Please bring your insurance card."\n3. Thank them and say goodbye.',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
  });
  await attachNumber(service, agentId, OURS);
});
afterEach(async () => {
  for (const phone of phones.splice(0)) await phone.stop();
});
afterAll(async () => {
  await close();
  await rm(directory, { recursive: true, force: true });
});

/** A phone that says "yes please" 4.5 s after the answer. */
async function phone(codecs: string, rate: 8_000 | 16_000): Promise<Baresip> {
  const saysWav = join(directory, `yes-${rate}.wav`);
  await writeTrack(saysWav, [{ atMs: 4500, pcm: await spoken('yes please', rate) }], 60_000, rate);
  const started = await startBaresip({ user: THEIRS, port, saysWav, codecs, rate });
  phones.push(started);
  return started;
}

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
  const baresip = await phone('G722/16000/1', RATE);
  const call: any = await whenOver(
    service,
    await place(service, agentId, THEIRS, { call_config: { call_retry_config: { retry_count: 0 } } }),
  );
  expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
  expect(transcriptOf(call).flatMap(({ user }) => user ?? [])[0]).toMatch(/^yes/);
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
  const baresip = await phone('PCMU/8000/1', 8_000);
  const before = await inboundCalls(service);
  baresip.command('dial', `sip:${OURS}@127.0.0.1:${service.sipPort}`);
  const call: any = await whenOver(service, await newInbound(service, before));
  expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
  expect(transcriptOf(call).flatMap(({ user }) => user ?? [])[0]).toMatch(/^yes/);
  const { heard, said } = await recorded(baresip, 8_000);
  const { agent, caller } = sidesOf(await recordingOf(call));
  const narrow = (pcm: Int16Array): Int16Array => pcm.filter((_, i) => i % 2 === 0);
  expect(likeness(narrow(agent), heard, WINDOW_MS / 2).peak).toBeGreaterThan(0.9);
  expect(likeness(said, narrow(caller), WINDOW_MS / 2).peak).toBeGreaterThan(0.9);
  expect(call.network.codec).toBe('PCMU');
});
