import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachNumber, inboundCalls, newInbound, startPhoneService } from '../helpers/phone-service.ts';
import { createAgent, transcriptOf, whenOver } from '../helpers/scenario.ts';
import { eventually, type Service } from '../helpers/service.ts';
import { callService, startSipPeer, type SipPeer, type Talk } from '../helpers/sip-peer.ts';

const ATTACHED = '+14155550100';
const ALONE = '+14155550101';
const CALLER = '+14155550188';

let peer: SipPeer;
let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
beforeAll(async () => {
  peer = await startSipPeer();
  ({ service, close } = await startPhoneService(
    [{ name: 'peer', uri: `sip:127.0.0.1:${peer.port}` }],
    [
      { number: ATTACHED, trunk: 'peer' },
      { number: ALONE, trunk: 'peer' },
    ],
  ));
  peer.target(service.sipPort);
  const agentId = await createAgent(service, {
    agent_type: 'inbound',
    intro_message: 'Hello, this is Maya.',
    task: [
      '1. Ask "What is your customer number?"',
      '2. Ask "What is your postal code?"',
      '3. Ask "Shall we call you back?"',
    ].join('\n'),
    call_config: { mute_during_intro: false, idle_timeout_warning: 20, idle_timeout_end: 40 },
  });
  await attachNumber(service, agentId, ATTACHED);
});
afterAll(async () => {
  await close();
  await peer?.stop();
});

const agentHasSpoken = (talk: Talk, frames: number): Promise<true> =>
  eventually('the agent to have spoken and to wait', async () =>
    talk.soundFrames() >= frames && talk.quietMs() > 600 ? true : null,
  );
/** Presses keys and waits for the agent's answer to them. */
async function say(talk: Talk, press: () => void): Promise<void> {
  const before = talk.soundFrames();
  press();
  await agentHasSpoken(talk, before + 20);
}
const keypadLines = (call: any): string[] =>
  transcriptOf(call).flatMap((line: any) => (line.by === 'keypad' ? [line.user] : []));

describe('a call that comes in', () => {
  it('is answered and spoken to; keys by telephone-event and by INFO are turns; the far side hangs up', async () => {
    const before = await inboundCalls(service);
    const talk = await callService(peer, CALLER, ATTACHED);
    const callId = await newInbound(service, before);
    // "Hello, this is Maya." takes well over half a second.
    await agentHasSpoken(talk, 30);

    // One key answers where a yes or a no would; more are collected once the agent asks for a number.
    await say(talk, () => talk.media.sendDtmf(['1']));
    await say(talk, () => talk.media.sendDtmf(['4', '2', '7', '#']));
    await say(talk, () => {
      for (const digit of ['9', '0', '#'] as const) talk.leg.sendInfoDtmf(digit);
    });

    talk.leg.hangup('normal');
    await talk.ended;
    const call = await whenOver(service, callId, 20_000);
    expect(call).toMatchObject({
      call_direction: 'inbound',
      call_status: 'completed',
      call_sub_status: 'USER_LEFT',
      hangup_by: 'caller',
      from_number: CALLER,
      to_number: ATTACHED,
    });
    expect(keypadLines(call)).toEqual(['1', '427', '90']);
    expect(transcriptOf(call)[0]).toMatchObject({ bot: 'Hello, this is Maya.' });
    const { body } = await service.request('GET', '/api/v0/workspace');
    expect(body.workspace_info).toMatchObject({ locked_credits: 0, credits: 10_000 - call.call_cost });
    expect(call.call_cost).toBeGreaterThan(0);
  });

  it('is refused where there is no such number or nobody to take it', async () => {
    const before = await inboundCalls(service);
    await expect(callService(peer, CALLER, '+14155550999')).rejects.toThrow(/^404 /);
    await expect(callService(peer, CALLER, ALONE)).rejects.toThrow(/^480 /);
    expect(await inboundCalls(service)).toEqual(before);
  });
});
