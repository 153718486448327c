import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { likeness, peakOfQuarters, sidesOf } from '../helpers/audio/line-audio.ts';
import { hears, phonesOf, SOUND_MS, type PhoneCall, type Phones } from '../helpers/sip/line-phone.ts';
import { edit, recordingOf, startPhoneService } from '../helpers/sip/phone-service.ts';
import { createAgent, place, whenOver } from '../helpers/service/scenario.ts';
import { eventually, type Service } from '../helpers/service/service.ts';
import { watchLive, type LiveCall } from '../helpers/calls/live-call.ts';
import { startSipPeer, type SipPeer } from '../helpers/sip/sip-peer.ts';

const OURS = '+14155550100';
const CALLER = '+14155550123';
const DESK = '+14155550111';

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
    [{ name: 'carrier', ...trunk }],
    [{ number: OURS, trunk: 'carrier' }],
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

const transferTo = (to: string, over: object = {}): Promise<void> =>
  edit(service, agentId, 'edit_on_call_tools', {
    on_call_tools: [{ type: 'CALL_TRANSFER_TOOL', name: 'to_desk', transfer_to: to, mode: 'warm', ...over }],
  });
const soon = <T>(what: string, probe: () => T | undefined | null | false): Promise<T> =>
  eventually(what, async () => probe() || null);

interface Transfer {
  readonly callId: string;
  readonly caller: PhoneCall;
  readonly live: LiveCall;
}

/** A callee is greeted by the agent and presses 0 for the desk. */
async function askForDesk(): Promise<Transfer> {
  const callId = await place(service, agentId, CALLER, {
    from_number: OURS,
    call_config: { call_retry_config: { retry_count: 0 } },
  });
  const live = await watchLive(service, callId);
  const caller = await soon('the call', () => phones.calls(CALLER)[0]);
  await live.hasSaid(/Maya/);
  caller.press('0');
  return { callId, caller, live };
}
const desk = ({ live }: Transfer): Promise<PhoneCall> =>
  soon('the call to the desk', () => phones.calls(DESK)[0]).catch((error: unknown) => {
    throw new Error(`no call to the desk, after ${JSON.stringify(live.events)}`, { cause: error });
  });
const connected = ({ live }: Transfer): Promise<unknown> =>
  live.until('the two to be connected', ({ code }) => code === 'TRANSFERRED');
/** Waits for the agent's next question. */
const agentContinues = ({ live }: Transfer): Promise<void> => live.hasSaid(/customer number/);
const peakIn = (sound: Int16Array, heard: Int16Array): number => likeness(sound, heard, 400).peak;
const logOf = (call: any): any => call.tool_call_logs.find((entry: any) => entry.name === 'to_desk');

describe('warm transfer', () => {
  it('briefs the desk, then bridges audio and DTMF until the caller hangs up', async () => {
    phones.on(DESK, { answers: 'PCMA' });
    await transferTo(DESK, { briefing: 'A caller with number {{mobile_number}} is waiting.' });
    const transfer = await askForDesk();
    const { callId, caller } = transfer;
    const person = await desk(transfer);
    expect([caller.codec, person.codec]).toEqual(['PCMU', 'PCMA']);
    expect(person.from).toBe(OURS);
    await connected(transfer);
    expect(person.soundMs()).toBeGreaterThan(1500);
    await soon('silence', () => caller.quietMs() > 300 && person.quietMs() > 300);
    const before = { caller: caller.soundMs(), person: person.soundMs() };

    const theirs = await hears(caller, person, 1);
    const desks = await hears(person, caller, 2);
    expect(peakIn(desks, person.heard())).toBeLessThan(0.5);
    // The agent stays silent during the bridge.
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
    // Statistics of both legs, each with its codec.
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
    expect(peakOfQuarters(theirs, left)).toBeGreaterThan(0.95);
    expect(peakOfQuarters(desks, right)).toBeGreaterThan(0.95);
    expect(peakIn(desks, left)).toBeLessThan(0.5);
  });

  it('is cancelled at the ring timeout and when the caller hangs up', async () => {
    phones.on(DESK, 'rings');
    await transferTo(DESK, { ring_timeout_seconds: 5 });
    const transfer = await askForDesk();
    const { callId, caller } = transfer;
    expect(await (await desk(transfer)).ended).toMatch(/^failed/);
    await agentContinues(transfer);
    caller.hangUp();
    const call = await whenOver(service, callId);
    expect(logOf(call)).toMatchObject({ ok: false, result: { reason: 'ring timeout' } });

    phones.forget();
    const next = await askForDesk();
    const person = await desk(next);
    next.caller.hangUp();
    expect(await person.ended).toMatch(/^failed/);
    expect(await whenOver(service, next.callId)).toMatchObject({ call_sub_status: 'USER_LEFT' });
  });
});
