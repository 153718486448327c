import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { likeness, sidesOf } from '../helpers/line-audio.ts';
import { hears, phonesOf, SOUND_MS, type PhoneCall, type Phones } from '../helpers/line-phone.ts';
import { edit, hangUp, recordingOf, startPhoneService } from '../helpers/phone-service.ts';
import { createAgent, place, transcriptOf, whenOver } from '../helpers/scenario.ts';
import { eventually, type Service } from '../helpers/service.ts';
import { watchLive, type LiveCall } from '../helpers/live-call.ts';
import { startSipPeer, type SipPeer } from '../helpers/sip-peer.ts';

const OURS = '+14155550100';
const NARROW = '+14155550101';
const CALLER = '+14155550123';
const DESK = '+14155550111';
const LISTED = '+14155550112';

const AGENT = {
  intro_message: 'Hello, this is Maya.',
  task: '1. Ask "What is your customer number?"\n2. Thank them and say goodbye.',
};

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
    ...AGENT,
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 20, mute_during_intro: false },
  });
  phones.on(CALLER, { answers: 'PCMU' });
});
afterAll(async () => {
  await close();
  await peer.stop();
});
afterEach(() => phones.forget());

const transferTo = (to: string, over: object = {}, agent = agentId): Promise<void> =>
  edit(service, agent, 'edit_on_call_tools', {
    on_call_tools: [{ type: 'CALL_TRANSFER_TOOL', name: 'to_desk', transfer_to: to, mode: 'warm', ...over }],
  });
const soon = <T>(what: string, probe: () => T | undefined | null | false): Promise<T> =>
  eventually(what, async () => probe() || null, 20_000);

interface Asked {
  readonly callId: string;
  readonly caller: PhoneCall;
  readonly live: LiveCall;
}

/** A call to a person who asks for somebody else once the agent has greeted them. */
async function askForDesk(from = OURS, by = agentId): Promise<Asked> {
  const callId = await place(service, by, CALLER, {
    from_number: from,
    call_config: { call_retry_config: { retry_count: 0 } },
  });
  const live = await watchLive(service, callId);
  const caller = await soon('the call', () => phones.calls(CALLER)[0]);
  await live.hasSaid(/Maya/);
  caller.press('0');
  return { callId, caller, live };
}
const desk = (): Promise<PhoneCall> => soon('the call to the desk', () => phones.calls(DESK)[0]);
const connected = ({ live }: Asked): Promise<unknown> =>
  live.until('the two to be connected', ({ code }) => code === 'TRANSFERRED');
/** The agent asks its question, to the end. */
const agentGoesOn = ({ live }: Asked): Promise<void> => live.hasSaid(/customer number/);
const peakIn = (sound: Int16Array, heard: Int16Array): number => likeness(sound, heard, 400).peak;
const logOf = (call: any): any => call.tool_call_logs.find((entry: any) => entry.name === 'to_desk');
const said = (call: unknown): string =>
  transcriptOf(call)
    .flatMap((line) => line.bot ?? [])
    .join('\n');

describe('a warm transfer', () => {
  it('tells the desk what it is about, then lets both hear each other, until the caller hangs up', async () => {
    phones.on(DESK, { answers: 'PCMA' });
    await transferTo(DESK, { briefing: 'A caller with number {{mobile_number}} is waiting.' });
    const asked = await askForDesk();
    const { callId, caller } = asked;
    const person = await desk();
    expect([caller.codec, person.codec]).toEqual(['PCMU', 'PCMA']);
    expect(person.from).toBe(OURS);
    await connected(asked);
    expect(person.soundMs()).toBeGreaterThan(1500);
    await soon('silence', () => caller.quietMs() > 300 && person.quietMs() > 300);
    const before = { caller: caller.soundMs(), person: person.soundMs() };

    const theirs = await hears(caller, person, 1);
    const desks = await hears(person, caller, 2);
    expect(peakIn(desks, person.heard())).toBeLessThan(0.5);
    // The agent says nothing to what it would have answered before.
    await soon('silence', () => caller.quietMs() > 2500);
    expect(caller.soundMs() - before.caller).toBeLessThan(SOUND_MS + 200);
    expect(person.soundMs() - before.person).toBeLessThan(SOUND_MS + 200);
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
    // Of both legs, each with its own codec.
    expect(call.network.codec).toBe('PCMU');
    expect(call.transfer_network).toMatchObject([{ codec: 'PCMA', remote_loss_percent: expect.anything() }]);
    const [leg] = call.transfer_network;
    for (const packets of [leg.packets_sent, leg.packets_received]) expect(packets).toBeGreaterThan(200);
    expect(leg.packets_sent).toBeLessThan(call.network.packets_sent);
    const log = logOf(call);
    expect(log).toMatchObject({ ok: true, result: { status: 'transferred', ended_by: 'caller' } });
    expect(log.result.connect_ms).toBeGreaterThan(1000);
    expect(log.result.talk_ms).toBeGreaterThan(4000);
    const { caller: left, agent: right } = sidesOf(await recordingOf(call));
    expect(peakIn(theirs, left)).toBeGreaterThan(0.95);
    expect(peakIn(desks, right)).toBeGreaterThan(0.95);
    expect(peakIn(desks, left)).toBeLessThan(0.5);
  });

  it('ends for the caller when the desk hangs up', async () => {
    phones.on(DESK, { answers: 'PCMU' });
    await transferTo(DESK);
    const asked = await askForDesk();
    const { callId, caller } = asked;
    const person = await desk();
    await connected(asked);
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
    const asked = await askForDesk();
    const { callId, caller } = asked;
    const person = await desk();
    await connected(asked);
    await hears(caller, person, 4);
    await hangUp(service, callId);
    expect(await Promise.all([caller.ended, person.ended])).toEqual(['caller', 'caller']);
    expect(await whenOver(service, callId)).toMatchObject({ call_sub_status: 'USER_TERMINATED' });
  });

  it('ends on both sides at the longest length of a call', async () => {
    phones.on(DESK, { answers: 'PCMU' });
    const short = await createAgent(service, { ...AGENT, call_config: { max_call_length: 12 } });
    await transferTo(DESK, {}, short);
    const asked = await askForDesk(OURS, short);
    const person = await desk();
    await connected(asked);
    expect(await Promise.all([asked.caller.ended, person.ended])).toEqual(['caller', 'caller']);
    const call = await whenOver(service, asked.callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'MAX_CALL_DURATION' });
    expect(logOf(call)).toMatchObject({ ok: true, result: { status: 'transferred', ended_by: 'system' } });
    expect(Math.abs(call.call_duration - 12)).toBeLessThan(1.5);
  });

  it('leaves the caller with the agent when the desk is busy', async () => {
    phones.on(DESK, { refuses: 486 });
    await transferTo(DESK);
    const asked = await askForDesk();
    const { callId, caller } = asked;
    await desk();
    await agentGoesOn(asked);
    caller.hangUp();
    const call = await whenOver(service, callId);
    expect(call.call_sub_status).toBe('USER_LEFT');
    expect(logOf(call)).toMatchObject({ ok: false, result: { status: 'failed', sip_code: 486 } });
    expect(said(call)).toContain('customer number');
  });

  it('is given up when the desk lets it ring, and when the caller leaves meanwhile', async () => {
    phones.on(DESK, 'rings');
    await transferTo(DESK, { ring_timeout_seconds: 5 });
    const asked = await askForDesk();
    const { callId, caller } = asked;
    expect(await (await desk()).ended).toMatch(/^failed/);
    await agentGoesOn(asked);
    caller.hangUp();
    const call = await whenOver(service, callId);
    expect(logOf(call)).toMatchObject({ ok: false, result: { reason: 'ring timeout' } });

    phones.forget();
    const next = await askForDesk();
    const person = await desk();
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
      const asked = await askForDesk(from);
      const { callId, caller } = asked;
      await agentGoesOn(asked);
      caller.hangUp();
      expect(logOf(await whenOver(service, callId))).toMatchObject({ ok: false, result: { reason } });
      expect(phones.calls(to)).toEqual([]);
      phones.forget();
    }
  });
});
