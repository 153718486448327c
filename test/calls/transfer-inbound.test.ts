import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hears, phonesOf, type PhoneCall, type Phones } from '../helpers/sip/line-phone.ts';
import { watchLive, type LiveCall } from '../helpers/calls/live-call.ts';
import {
  attachNumber,
  edit,
  inboundCalls,
  newInbound,
  startPhoneService,
} from '../helpers/sip/phone-service.ts';
import { createAgent, whenOver } from '../helpers/service/scenario.ts';
import { eventually, type Service } from '../helpers/service/service.ts';
import { startSipPeer, type SipPeer } from '../helpers/sip/sip-peer.ts';

const OURS = '+14155550100';
const CALLER = '+14155550188';
const DESK = '+14155550111';

let service: Service;
let peer: SipPeer;
let phones: Phones;
let close: () => Promise<void> = () => Promise.resolve();
beforeAll(async () => {
  peer = await startSipPeer();
  phones = phonesOf(peer);
  ({ service, close } = await startPhoneService(
    [{ name: 'carrier', uri: `sip:127.0.0.1:${peer.port}`, transport: 'udp' }],
    [{ number: OURS, trunk: 'carrier' }],
  ));
  peer.target(service.sipPort);
  const agentId = await createAgent(service, {
    agent_type: 'inbound',
    intro_message: 'Hello, this is Maya.',
    task: '1. Ask "What is your customer number?"\n2. Thank them and say goodbye.',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 20, mute_during_intro: false },
  });
  await attachNumber(service, agentId, OURS);
  await edit(service, agentId, 'edit_on_call_tools', {
    on_call_tools: [
      { type: 'CALL_TRANSFER_TOOL', name: 'to_desk', transfer_to: DESK, mode: 'warm', briefing: 'A caller.' },
    ],
  });
});
afterAll(async () => {
  await close();
  await peer.stop();
});
afterEach(() => phones.forget());

/** An inbound caller is greeted and presses 0 for a person. */
async function askForDesk(): Promise<{ callId: string; caller: PhoneCall; live: LiveCall }> {
  const before = await inboundCalls(service);
  const caller = await phones.dial(CALLER, OURS);
  const callId = await newInbound(service, before);
  const live = await watchLive(service, callId);
  await live.hasSaid(/Maya/);
  caller.press('0');
  return { callId, caller, live };
}
const desk = (): Promise<PhoneCall> =>
  eventually('the call to the desk', async () => phones.calls(DESK)[0] ?? null);
const lockedCredits = async (): Promise<number> =>
  (await service.request('GET', '/api/v0/workspace')).body.workspace_info.locked_credits;
const INBOUND = { call_direction: 'inbound', call_status: 'completed', from_number: CALLER, to_number: OURS };
const logOf = (call: any): any => call.tool_call_logs.find((entry: any) => entry.name === 'to_desk');

describe('warm transfer of an inbound caller', () => {
  it('bridges audio and DTMF in both directions until the desk hangs up', async () => {
    phones.on(DESK, { answers: 'PCMA' });
    const { callId, caller, live } = await askForDesk();
    const person = await desk();
    expect([person.codec, person.from]).toEqual(['PCMA', OURS]);
    await live.until('the two to be connected', ({ code }) => code === 'TRANSFERRED');
    await hears(caller, person, 1);
    await hears(person, caller, 2);
    caller.press('7');
    person.press('#');
    await eventually('the keys', async () => (person.keys.length + caller.keys.length > 1 ? true : null));
    expect([person.keys, caller.keys]).toEqual([['7'], ['#']]);
    person.hangUp();
    // The caller receives our BYE.
    expect(await caller.ended).toBe('caller');
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({ ...INBOUND, call_sub_status: 'CALL_TRANSFERRED' });
    expect(logOf(call)).toMatchObject({ ok: true, result: { status: 'transferred', ended_by: 'target' } });
    expect(await lockedCredits()).toBe(0);
  });

  it('returns the caller to the agent when the desk is busy', async () => {
    phones.on(DESK, { refuses: 486 });
    const { callId, caller, live } = await askForDesk();
    await desk();
    await live.hasSaid(/customer number/);
    caller.hangUp();
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({ ...INBOUND, call_sub_status: 'USER_LEFT' });
    expect(logOf(call)).toMatchObject({ ok: false, result: { status: 'failed', sip_code: 486 } });
    expect(await lockedCredits()).toBe(0);
  });
});
