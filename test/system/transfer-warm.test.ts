import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { likeness, sidesOf } from '../helpers/line-audio.ts';
import { phonesOf, soundOf, type PhoneCall, type Phones } from '../helpers/line-phone.ts';
import { hangUp, recordingOf, startPhoneService } from '../helpers/phone-service.ts';
import { createAgent, place, transcriptOf, whenOver } from '../helpers/scenario.ts';
import { eventually, type Service } from '../helpers/service.ts';
import { startSipPeer, type SipPeer } from '../helpers/sip-peer.ts';

const OURS = '+14155550100';
const NARROW = '+14155550101';
const CALLER = '+14155550123';
const DESK = '+14155550111';
const LISTED = '+14155550112';

let service: Service;
let peer: SipPeer;
let phones: Phones;
let close: () => Promise<void> = () => Promise.resolve();
let agentId = '';
beforeAll(async () => {
  peer = await startSipPeer();
  phones = phonesOf(peer);
  const trunk = { uri: `sip:127.0.0.1:${peer.port}`, transport: 'udp' };
  const started = await startPhoneService(
    [
      { name: 'carrier', ...trunk },
      { name: 'narrow', ...trunk, max_calls: 1 },
    ],
    [
      { number: OURS, trunk: 'carrier' },
      { number: NARROW, trunk: 'narrow' },
    ],
  );
  service = started.service;
  close = started.close;
  peer.target(service.sipPort);
  agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya.',
    task: '1. Ask "What is your customer number?"\n2. Thank them and say goodbye.',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 20, mute_during_intro: false },
  });
  phones.on(CALLER, { answers: 'PCMU' });
});
afterAll(async () => {
  await close();
  await peer.stop();
});
afterEach(() => phones.forget());

async function transferTo(to: string, over: object = {}): Promise<void> {
  const { status, body } = await service.request('PATCH', '/api/v0/agent/v1', {
    operation: 'edit_on_call_tools',
    agent_id: agentId,
    on_call_tools: [{ type: 'CALL_TRANSFER_TOOL', name: 'to_desk', transfer_to: to, mode: 'warm', ...over }],
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
}
const soon = <T>(what: string, probe: () => T | undefined | null | false): Promise<T> =>
  eventually(what, async () => probe() || null, 20_000);

/** A call to a person who asks for somebody else as soon as the agent has greeted them. */
async function askForDesk(from = OURS): Promise<{ callId: string; caller: PhoneCall }> {
  const callId = await place(service, agentId, CALLER, {
    from_number: from,
    call_config: { call_retry_config: { retry_count: 0 } },
  });
  const caller = await soon('the call', () => phones.calls(CALLER)[0]);
  await soon('the greeting', () => caller.soundMs() > 1000 && caller.quietMs() > 700);
  caller.press('0');
  return { callId, caller };
}
/** The call to the desk; a person whose wish was not understood presses again. */
async function desk(caller: PhoneCall): Promise<PhoneCall> {
  let pressedAt = Date.now();
  return soon('the call to the desk', () => {
    if (Date.now() - pressedAt > 5000 && caller.quietMs() > 500) {
      pressedAt = Date.now();
      caller.press('0');
    }
    return phones.calls(DESK)[0];
  });
}
const peakIn = (sound: Int16Array, heard: Int16Array): number => likeness(sound, heard, 400).peak;

/** Waits until whoever watches the call is told that the two are connected. */
async function connected(callId: string): Promise<void> {
  const stopped = AbortSignal.timeout(20_000);
  const answer = await fetch(`${service.url}/api/v0/calling/${callId}/live`, {
    headers: { 'x-api-key': service.key },
    signal: stopped,
  });
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes('TRANSFERRED')) return;
  }
  throw new Error(`not connected: ${answer.status} ${text}`);
}
/** The agent speaks again, to the end of what it says. */
async function agentGoesOn(caller: PhoneCall): Promise<void> {
  const before = caller.soundMs();
  await soon('the agent to go on', () => caller.soundMs() > before + 800 && caller.quietMs() > 800);
}
const logOf = (call: any): any => call.tool_call_logs.find((entry: any) => entry.name === 'to_desk');
const said = (call: unknown): string =>
  transcriptOf(call)
    .flatMap((line) => line.bot ?? [])
    .join('\n');

const SOUND_MS = 1000;

/** Says a sound of its own until the other one has heard it whole: a busy machine cuts into what its phones play. */
async function hears(
  from: PhoneCall,
  to: PhoneCall,
  seed: number,
): Promise<{ sound: Int16Array; ms: number }> {
  const sound = soundOf(seed, SOUND_MS);
  let best = 0;
  for (let tries = 1; tries <= 5; tries++) {
    const before = to.soundMs();
    from.say(sound);
    await soon('the sound', () => to.soundMs() >= before + SOUND_MS * 0.8 && to.quietMs() > 200);
    best = peakIn(sound, to.heard().subarray(-8 * 3000));
    if (best > 0.95) return { sound, ms: tries * SOUND_MS };
  }
  throw new Error(`not heard: ${best}`);
}

describe('a warm transfer', () => {
  it('tells the desk what it is about, then lets both hear each other, until the caller hangs up', async () => {
    phones.on(DESK, { answers: 'PCMA' });
    await transferTo(DESK, { briefing: 'A caller with number {{mobile_number}} is waiting.' });
    const { callId, caller } = await askForDesk();
    const person = await desk(caller);
    expect([caller.codec, person.codec]).toEqual(['PCMU', 'PCMA']);
    expect(person.leg.from).toBe(OURS);
    await connected(callId);
    expect(person.soundMs()).toBeGreaterThan(1500);
    await soon('silence', () => caller.quietMs() > 300 && person.quietMs() > 300);
    const before = { caller: caller.soundMs(), person: person.soundMs() };

    const theirs = await hears(caller, person, 1);
    const desks = await hears(person, caller, 2);
    expect(peakIn(desks.sound, person.heard())).toBeLessThan(0.5);
    // The agent says nothing to what it would have answered before.
    await soon('silence', () => caller.quietMs() > 2500);
    expect(caller.soundMs() - before.caller).toBeLessThan(desks.ms + 200);
    expect(person.soundMs() - before.person).toBeLessThan(theirs.ms + 200);
    caller.press('7');
    person.press('#');
    await soon('the keys', () => person.keys.length > 0 && caller.keys.length > 0);
    expect([person.keys, caller.keys]).toEqual([['7'], ['#']]);

    caller.hangUp();
    expect(await person.ended).toBe('caller');
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'CALL_TRANSFERRED',
      hangup_by: 'caller',
    });
    const log = logOf(call);
    expect(log).toMatchObject({ ok: true, result: { status: 'transferred', ended_by: 'caller' } });
    expect(log.result.connect_ms).toBeGreaterThan(1000);
    expect(log.result.talk_ms).toBeGreaterThan(4000);
    const { caller: left, agent: right } = sidesOf(await recordingOf(call));
    expect(peakIn(theirs.sound, left)).toBeGreaterThan(0.95);
    expect(peakIn(desks.sound, right)).toBeGreaterThan(0.95);
    expect(peakIn(desks.sound, left)).toBeLessThan(0.5);
  });

  it('ends for the caller when the desk hangs up', async () => {
    phones.on(DESK, { answers: 'PCMU' });
    await transferTo(DESK);
    const { callId, caller } = await askForDesk();
    const person = await desk(caller);
    await connected(callId);
    await hears(caller, person, 3);
    person.hangUp();
    expect(await caller.ended).toBe('caller');
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'CALL_TRANSFERRED' });
    expect(logOf(call)).toMatchObject({
      ok: true,
      result: { ended_by: 'target', connect_ms: expect.any(Number) },
    });
  });

  it('is ended on both sides through the API', async () => {
    phones.on(DESK, { answers: 'PCMU' });
    await transferTo(DESK);
    const { callId, caller } = await askForDesk();
    const person = await desk(caller);
    await connected(callId);
    await hears(caller, person, 4);
    await hangUp(service, callId);
    expect(await Promise.all([caller.ended, person.ended])).toEqual(['caller', 'caller']);
    expect(await whenOver(service, callId)).toMatchObject({ call_sub_status: 'USER_TERMINATED' });
  });

  it('leaves the caller with the agent when the desk is busy', async () => {
    phones.on(DESK, { refuses: 486 });
    await transferTo(DESK);
    const { callId, caller } = await askForDesk();
    await desk(caller);
    await agentGoesOn(caller);
    caller.hangUp();
    const call = await whenOver(service, callId);
    expect(call.call_sub_status).toBe('USER_LEFT');
    expect(logOf(call)).toMatchObject({ ok: false, result: { status: 'failed', sip_code: 486 } });
    expect(said(call)).toContain('customer number');
  });

  it('is given up when the desk lets it ring, and when the caller leaves meanwhile', async () => {
    phones.on(DESK, 'rings');
    await transferTo(DESK, { ring_timeout_seconds: 5 });
    const { callId, caller } = await askForDesk();
    expect(await (await desk(caller)).ended).toMatch(/^failed/);
    await agentGoesOn(caller);
    caller.hangUp();
    const call = await whenOver(service, callId);
    expect(logOf(call)).toMatchObject({ ok: false, result: { reason: 'ring timeout' } });

    phones.forget();
    const next = await askForDesk();
    const person = await desk(next.caller);
    next.caller.hangUp();
    expect(await person.ended).toMatch(/^failed/);
    expect(await whenOver(service, next.callId)).toMatchObject({ call_sub_status: 'USER_LEFT' });
  });

  it('rings nobody on the do-not-call list, and nobody where the trunk has no line left', async () => {
    phones.on(LISTED, { answers: 'PCMU' });
    phones.on(DESK, { answers: 'PCMU' });
    const { status } = await service.request('POST', '/api/v0/dnc', { mobile_numbers: [LISTED] });
    expect(status).toBe(200);
    for (const [to, from, reason] of [
      [LISTED, OURS, 'the number is on the do-not-call list'],
      [DESK, NARROW, 'every line of the trunk is in use'],
    ] as const) {
      await transferTo(to);
      const { callId, caller } = await askForDesk(from);
      await agentGoesOn(caller);
      caller.hangUp();
      expect(logOf(await whenOver(service, callId))).toMatchObject({ ok: false, result: { reason } });
      expect(phones.calls(to)).toEqual([]);
      phones.forget();
    }
  });
});
