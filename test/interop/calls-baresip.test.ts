import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { watchLive } from '../helpers/calls/live-call.ts';
import { BARESIP_PORTS, startBaresip, type Baresip, type BaresipOptions } from '../helpers/sip/baresip.ts';
import { likeness, readMono, sidesOf, soundingMs, spoken, writeTrack } from '../helpers/audio/line-audio.ts';
import { freePort } from '../helpers/sip/peer-process.ts';
import {
  attachNumber,
  hangUp,
  inboundCalls,
  recordingOf,
  startPhoneService,
} from '../helpers/sip/phone-service.ts';
import {
  createAgent,
  details,
  place,
  transcriptOf,
  whenCall,
  whenOver,
} from '../helpers/service/scenario.ts';
import { eventually, type Service } from '../helpers/service/service.ts';

const OURS = '+14155550100';
const THEIRS = '+14155550123';
const once = { call_config: { call_retry_config: { retry_count: 0 } } };
const intro = 'Hello, this is Maya. Can you make it on Tuesday?';

let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
let directory = '';
let agentId = '';
let trunkPort = 0;
let silent = '';
let saysYes = '';
beforeAll(async () => {
  trunkPort = await freePort(BARESIP_PORTS);
  directory = await mkdtemp(join(tmpdir(), 'calls-baresip-'));
  [silent, saysYes] = [join(directory, 'silent.wav'), join(directory, 'yes.wav')];
  await writeTrack(silent, [], 60_000);
  await writeTrack(saysYes, [{ atMs: 4500, pcm: await spoken('yes please') }], 60_000);
  ({ service, close } = await startPhoneService(
    [{ name: 'phone', uri: `sip:127.0.0.1:${trunkPort}`, transport: 'udp' }],
    [{ number: OURS, trunk: 'phone' }],
  ));
  agentId = await createAgent(service, {
    intro_message: intro,
    task: '1. Ask "Can you make it on Tuesday?"\n2. Say "Please bring your insurance card."\n3. Thank them and say goodbye.',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
  });
  await attachNumber(service, agentId, OURS);
});
afterAll(async () => {
  await close();
  await rm(directory, { recursive: true, force: true });
});

const phones: Baresip[] = [];
afterEach(async () => {
  for (const phone of phones.splice(0)) await phone.stop();
});
async function phone(options: BaresipOptions = {}): Promise<Baresip> {
  const started = await startBaresip({ user: THEIRS, port: trunkPort, saysWav: silent, ...options });
  phones.push(started);
  return started;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const answered = (callId: string): Promise<unknown> =>
  whenCall(service, callId, 'answered', (call) => call.answered_at !== null);
const linesOf = (call: unknown, who: 'bot' | 'user'): string[] =>
  transcriptOf(call).flatMap((line) => line[who] ?? []);

/** Compares both directions of the phone's recording with ours. */
async function expectSameTalk(baresip: Baresip, call: { recording_url: string }): Promise<void> {
  const [dec = '', enc = ''] = [baresip.recordings('dec')[0], baresip.recordings('enc')[0]];
  const [heard, said] = [await readMono(dec), await readMono(enc)];
  const { agent, caller } = sidesOf(await recordingOf(call));
  const [fromUs, toUs] = [likeness(agent, heard), likeness(said, caller)];
  expect(soundingMs(agent)).toBeGreaterThan(3000);
  expect(soundingMs(said)).toBeGreaterThan(300);
  expect(soundingMs(heard) / soundingMs(agent)).toBeCloseTo(1, 1);
  expect(soundingMs(caller) / soundingMs(said)).toBeCloseTo(1, 1);
  expect(fromUs.peak).toBeGreaterThan(0.9);
  expect(toUs.peak).toBeGreaterThan(0.9);
  // Both recorders start with the call: the lag is call setup and transit.
  expect(Math.abs(fromUs.lagMs)).toBeLessThan(1000);
  expect(Math.abs(toUs.lagMs)).toBeLessThan(1000);
}

describe('baresip as the callee', () => {
  it('holds a conversation, and both recordings match', async () => {
    const baresip = await phone({ saysWav: saysYes });
    const call = await whenOver(service, await place(service, agentId, THEIRS, once));
    expect(call).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'AGENT_ENDED',
      hangup_by: 'agent',
    });
    expect(linesOf(call, 'user')).toEqual(['yes please']);
    expect(linesOf(call, 'bot')[0]).toBe(intro);
    expect(linesOf(call, 'bot').slice(1).join(' ')).toContain('Please bring your insurance card.');
    await baresip.waitFor('CALL_CLOSED');
    await expectSameTalk(baresip, call);
  });

  it('sends DTMF digits, which become a keypad turn', async () => {
    const asksNumber = await createAgent(service, {
      intro_message: 'What is your customer number?',
      task: '1. Ask "What is your customer number?"\n2. Thank them and say goodbye.',
      call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
    });
    const baresip = await phone();
    const callId = await place(service, asksNumber, THEIRS, once);
    const live = await watchLive(service, callId);
    await live.hasSaid(/customer number/);
    live.stop();
    for (const key of ['2', '0', '7', '#']) {
      baresip.command('sndcode', key);
      await pause(300);
    }
    const call = await whenOver(service, callId);
    expect(transcriptOf(call).filter((line) => line.user !== undefined)).toMatchObject([
      { user: '207', by: 'keypad' },
    ]);
    expect(call.call_sub_status).toBe('AGENT_ENDED');
  });

  it('hangs up during the first message: USER_LEFT', async () => {
    const baresip = await phone();
    const callId = await place(service, agentId, THEIRS, once);
    await answered(callId);
    await pause(1500);
    baresip.command('hangup');
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'USER_LEFT',
      hangup_by: 'caller',
    });
    expect(transcriptOf(call)).toMatchObject([{ interrupted: true }]);
  });

  it('receives BYE when the API ends the call', async () => {
    const baresip = await phone();
    const callId = await place(service, agentId, THEIRS, once);
    await answered(callId);
    await hangUp(service, callId);
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_TERMINATED' });
    await baresip.waitFor('CALL_CLOSED');
  });

  it('declines: BUSY', async () => {
    const baresip = await phone({ answer: 'manual' });
    const callId = await place(service, agentId, THEIRS, once);
    await baresip.waitFor('CALL_INCOMING');
    baresip.command('hangup');
    expect(await whenOver(service, callId)).toMatchObject({
      call_status: 'failed',
      call_sub_status: 'BUSY',
      attempts: [{ sip_code: 486 }],
    });
  });

  it('stops ringing when the API ends the call', async () => {
    const baresip = await phone({ answer: 'manual' });
    const callId = await place(service, agentId, THEIRS, once);
    await baresip.waitFor('CALL_INCOMING');
    await hangUp(service, callId);
    expect(await whenOver(service, callId)).toMatchObject({
      call_status: 'failed',
      call_sub_status: 'USER_TERMINATED',
      call_cost: 0,
    });
    await baresip.waitFor('CALL_CLOSED');
  });

  it('holds and resumes: the call continues and later speech is transcribed', async () => {
    const later = join(directory, 'later.wav');
    await writeTrack(later, [{ atMs: 7000, pcm: await spoken('yes please') }], 60_000);
    const baresip = await phone({ saysWav: later });
    const callId = await place(service, agentId, THEIRS, once);
    await answered(callId);
    await pause(1000);
    baresip.command('hold');
    await pause(2500);
    expect((await details(service, callId)).call_status).toBe('ongoing');
    baresip.command('resume');
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
    expect(linesOf(call, 'user')).toEqual(['yes please']);
    await baresip.waitFor('CALL_CLOSED');
    // Three-second averages: a low rate in both directions during the hold, 64 kbit/s at the end.
    const rates = baresip.bitRates();
    const full = (rate: { sent: number; received: number } | undefined): boolean =>
      rate !== undefined && Math.min(rate.sent, rate.received) > 60_000;
    expect(rates.find((rate) => rate.received > 0)?.received).toBeLessThan(40_000);
    expect(full(rates.at(-1))).toBe(true);
  });
});

describe('baresip as the caller', () => {
  it.each(['PCMU/8000/1', 'PCMA/8000/1'])('reaches the agent of the number (%s)', async (codecs) => {
    const before = await inboundCalls(service);
    const baresip = await phone({ saysWav: saysYes, codecs });
    baresip.command('dial', `sip:${OURS}@127.0.0.1:${service.sipPort}`);
    const callId = await eventually('the call is in the history', async () => {
      return (await inboundCalls(service)).find((id) => !before.includes(id)) ?? null;
    });
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'AGENT_ENDED',
      call_type: 'inbound',
      from_number: THEIRS,
      to_number: OURS,
    });
    expect(linesOf(call, 'user')).toEqual(['yes please']);
    await baresip.waitFor('CALL_CLOSED');
    await expectSameTalk(baresip, call);
  });

  it('hangs up: USER_LEFT', async () => {
    const before = await inboundCalls(service);
    const baresip = await phone();
    baresip.command('dial', `sip:${OURS}@127.0.0.1:${service.sipPort}`);
    await baresip.waitFor('CALL_ESTABLISHED');
    await pause(1000);
    baresip.command('hangup');
    const callId = await eventually('the call is in the history', async () => {
      return (await inboundCalls(service)).find((id) => !before.includes(id)) ?? null;
    });
    expect(await whenOver(service, callId)).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'USER_LEFT',
      hangup_by: 'caller',
    });
  });
});
