import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachNumber, inboundCalls, newInbound, startPhoneService } from '../helpers/sip/phone-service.ts';
import { createAgent, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import { eventually, type Service } from '../helpers/service/service.ts';
import { bindSocket, closeLegs, sleep } from '../helpers/sip/rtp-bench.ts';
import { callService, startSipPeer, type SipPeer, type Talk } from '../helpers/sip/sip-peer.ts';

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

describe('an inbound call', () => {
  it('is answered, takes keys by telephone-event and by INFO as turns, and ends when the caller hangs up', async () => {
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
    const call = await whenOver(service, callId);
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

  it('is refused with 404 for an unknown number and 480 for a number without an agent', async () => {
    const before = await inboundCalls(service);
    await expect(callService(peer, CALLER, '+14155550999')).rejects.toThrow(/^404 /);
    await expect(callService(peer, CALLER, ALONE)).rejects.toThrow(/^480 /);
    expect(await inboundCalls(service)).toEqual(before);
  });

  it('sends no media before the ACK, so that an INVITE cannot direct it at a third party', async () => {
    const [caller, victim] = [await bindSocket(), await bindSocket()];
    const responses: string[] = [];
    let packets = 0;
    caller.socket.on('message', (bytes) => void responses.push(bytes.toString()));
    victim.socket.on('message', () => (packets += 1));
    const sdp = [
      'v=0',
      'o=- 1 1 IN IP4 127.0.0.1',
      's=-',
      'c=IN IP4 127.0.0.1',
      't=0 0',
      `m=audio ${victim.port} RTP/AVP 0`,
      '',
    ].join('\r\n');
    const send = (method: string, toTag: string, body: string): void => {
      const lines = [
        `${method} sip:${ATTACHED}@127.0.0.1 SIP/2.0`,
        `Via: SIP/2.0/UDP 127.0.0.1:${caller.port};branch=z9hG4bK${method};rport`,
        `From: <sip:${CALLER}@127.0.0.1>;tag=spoof`,
        `To: <sip:${ATTACHED}@127.0.0.1>${toTag}`,
        `Call-ID: spoofed-${caller.port}`,
        `CSeq: ${method === 'BYE' ? 2 : 1} ${method}`,
        `Contact: <sip:${CALLER}@127.0.0.1:${caller.port}>`,
        ...(body === '' ? [] : ['Content-Type: application/sdp']),
        `Content-Length: ${body.length}`,
      ];
      caller.socket.send(`${lines.join('\r\n')}\r\n\r\n${body}`, service.sipPort, '127.0.0.1');
    };
    send('INVITE', '', sdp);
    const success = await eventually(
      'the 200',
      async () => responses.find((text) => text.startsWith('SIP/2.0 200')) ?? null,
    );
    // Two retransmissions of the 200 later.
    await sleep(2000);
    expect(packets).toBe(0);
    const tag = /^To:.*(;tag=\S+)/im.exec(success)?.[1] ?? '';
    send('ACK', tag, '');
    await eventually('media after the ACK', async () => (packets > 10 ? true : null));
    send('BYE', tag, '');
    await eventually('the response to BYE', async () =>
      responses.some((text) => text.includes('CSeq: 2 BYE')) ? true : null,
    );
    await closeLegs();
  });
});
