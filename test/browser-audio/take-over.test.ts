import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseWav } from '@callwright/audio';
import { wavFile } from '../../bench/live/tone.ts';
import { sidesOf, writeTrack } from '../helpers/audio/line-audio.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { FAKE_MICROPHONE } from '../helpers/browser/voice-page.ts';
import { watchLive } from '../helpers/calls/live-call.ts';
import { createAgent, place, provisionWith, whenOver } from '../helpers/service/scenario.ts';
import type { Service } from '../helpers/service/service.ts';
import { BARESIP_PORTS, startBaresip, type Baresip } from '../helpers/sip/baresip.ts';
import { freePort } from '../helpers/sip/peer-process.ts';
import { recordingOf } from '../helpers/sip/phone-service.ts';

const THEIRS = '+14155550123';
const RATE = 8_000;
const FRAME = RATE / 50;
/** The phone hangs up at the end of what it plays. */
const PHONE_MS = 230_000;
/** The member's microphone plays this tone. */
const TONE_HZ = 440;

let dashboard: Dashboard;
let service: Service;
let phone: Baresip;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'take-over-'));
  const tone = join(folder, 'tone.wav');
  await writeFile(tone, wavFile());
  const saysWav = join(folder, 'silence.wav');
  await writeTrack(saysWav, [], PHONE_MS, RATE);
  phone = await startBaresip({ user: THEIRS, port: await freePort(BARESIP_PORTS), saysWav });
  const trunk = { name: 'carrier', uri: `sip:127.0.0.1:${phone.port}`, transport: 'udp' };
  dashboard = await openDashboard(
    {},
    [...FAKE_MICROPHONE, `--use-file-for-fake-audio-capture=${tone}`],
    provisionWith({ trunks: [trunk], trunk: 'carrier' }),
  );
  ({ service } = dashboard);
});
afterAll(async () => {
  await dashboard?.close();
  await phone?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** How many frames of 20 ms have most of their energy at the tone (Goertzel), and how many sound otherwise. */
function toneAndOther(sound: Int16Array): { readonly tone: number; readonly other: number } {
  let [tone, other] = [0, 0];
  for (let at = 0; at + FRAME <= sound.length; at += FRAME) {
    const frame = sound.subarray(at, at + FRAME);
    const energy = frame.reduce((sum, sample) => sum + sample ** 2, 0);
    if (energy / FRAME < 500 ** 2) continue;
    let [cos, sin] = [0, 0];
    for (const [n, sample] of frame.entries()) {
      const angle = (2 * Math.PI * TONE_HZ * n) / RATE;
      cos += sample * Math.cos(angle);
      sin += sample * Math.sin(angle);
    }
    if (((cos ** 2 + sin ** 2) * 2) / FRAME / energy > 0.8) tone += 1;
    else other += 1;
  }
  return { tone, other };
}

it('a member talks to a phone from the dashboard in the assistant’s place, and hands the call back', async () => {
  const agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya of Riverside Dental.',
    task: '1. Ask "What is your customer number?"\n2. Thank them and say goodbye.',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 120 },
  });
  const callId = await place(service, agentId, THEIRS, {
    call_config: { call_retry_config: { retry_count: 0 } },
  });
  const live = await watchLive(service, callId);
  await live.hasSaid(/Riverside/);
  const { page } = dashboard.owner;
  await page.goto(`/live?call=${callId}`);
  await page.getByRole('button', { name: 'Listen', exact: true }).click();
  await page.getByRole('button', { name: 'Talk', exact: true }).click();
  const handBack = page.getByRole('button', { name: 'Hand back to the assistant' });
  await handBack.waitFor();
  await live.until('the take-over', ({ code }) => code === 'TAKEN_OVER');
  await page.getByText('The person hears you.').waitFor();
  await page.waitForTimeout(2_000);
  await handBack.click();
  await live.until('the way back', ({ code }) => code === 'HANDED_BACK');
  await page.getByRole('button', { name: 'Talk', exact: true }).waitFor();
  live.stop();
  phone.command('hangup');
  const call = await whenOver(service, callId);
  expect(call.listeners).toHaveLength(1);

  await phone.waitFor('CALL_CLOSED');
  const wav = parseWav(await readFile(phone.recordings('dec')[0] ?? ''));
  if (!wav.ok) throw new Error('the phone recorded nothing');
  const heard = toneAndOther(wav.pcm.filter((_, i) => i % wav.channels === 0));
  // Two seconds are 100 frames; the greeting sounds otherwise.
  expect(heard.tone).toBeGreaterThan(30);
  expect(heard.other).toBeGreaterThan(20);
  expect(toneAndOther(sidesOf(await recordingOf(call)).agent).tone).toBeGreaterThan(30);
});
