import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rms } from '@callwright/audio';
import {
  announceTwilioCall,
  connectTwilioStream,
  type FakeStreamSettings,
  type FakeTwilioAccount,
  type FakeTwilioCall,
} from '@callwright/stand-ins';
import { runCarrierCall } from '../../src/cli/carriers.ts';
import { attachNumber, inboundCalls, newInbound, startPhoneService } from '../helpers/sip/phone-service.ts';
import { createAgent, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import { eventually, type Service } from '../helpers/service/service.ts';

const NUMBER = '+14155550100';
const CALLER = '+14155550188';
const ACCOUNT = { accountSid: 'AC00000000000000000000000000000001', authToken: 'a-token-of-the-account' };

let service: Service;
let account: FakeTwilioAccount;
let close: () => Promise<void> = () => Promise.resolve();
let calls = 0;
beforeAll(async () => {
  const { accountSid: username, authToken: password } = ACCOUNT;
  ({ service, close } = await startPhoneService(
    [{ name: 'twilio', kind: 'twilio', uri: 'https://api.twilio.com', username, password }],
    [{ number: NUMBER, trunk: 'twilio' }],
  ));
  const agentId = await createAgent(service, {
    agent_type: 'inbound',
    intro_message: 'Hello, this is Maya.',
    task: ['1. Ask "What is your customer number?"', '2. Ask "What is your postal code?"'].join('\n'),
    call_config: { mute_during_intro: false, idle_timeout_warning: 20, idle_timeout_end: 40 },
  });
  await attachNumber(service, agentId, NUMBER);
  const { body } = await service.request('GET', '/api/v0/workspace/trunks');
  const [trunk] = body.trunks;
  const webhookUrl = `${service.url}/carriers/${trunk.trunk_id}/voice`;
  account = { ...ACCOUNT, webhookUrl, serviceUrl: service.url };
});
afterAll(async () => {
  await close();
});

const caller = () => ({ callSid: `CA${String((calls += 1)).padStart(32, '0')}`, from: CALLER, to: NUMBER });

/** A new call whose stream is connected, and its id in the service. */
async function begin(settings: Partial<FakeStreamSettings> = {}): Promise<[FakeTwilioCall, string]> {
  const before = await inboundCalls(service);
  const who = caller();
  const url = await announceTwilioCall(account, who);
  const call = await connectTwilioStream(account, who.callSid, url, settings);
  return [call, await newInbound(service, before)];
}

const isVoice = (frame: Int16Array | null): boolean => frame !== null && rms(frame) > 100;
const voiceFrames = ({ stream }: FakeTwilioCall): number => stream.heard.filter(isVoice).length;
/** Waits until the agent has spoken some frames more and is silent. */
const agentSpoke = (call: FakeTwilioCall, frames: number): Promise<true> =>
  eventually('the agent to have spoken and to wait', async () =>
    voiceFrames(call) >= frames && !call.stream.heard.slice(-30).some(isVoice) ? true : null,
  );

describe('an inbound call over Twilio Media Streams', () => {
  it('is a conversation with keys, jitter and chunks of 100 ms, and ends when the caller hangs up', async () => {
    const [call, callId] = await begin({ chunkMs: 100, jitterMs: 40, swapEvery: 7, duplicates: true });
    await agentSpoke(call, 30);
    const before = voiceFrames(call);
    for (const digit of ['4', '2', '#']) call.stream.press(digit);
    await agentSpoke(call, before + 20);
    call.hangUp();
    await call.ended;
    const over = await whenOver(service, callId, 20_000);
    expect(over).toMatchObject({
      call_direction: 'inbound',
      call_status: 'completed',
      call_sub_status: 'USER_LEFT',
      hangup_by: 'caller',
      from_number: CALLER,
      to_number: NUMBER,
    });
    expect(transcriptOf(over)[0]).toMatchObject({ bot: 'Hello, this is Maya.' });
    expect(transcriptOf(over).flatMap((line: any) => (line.by === 'keypad' ? [line.user] : []))).toEqual([
      '42',
    ]);
    expect(call.stream.errors).toEqual([]);
    const { body } = await service.request('GET', '/api/v0/workspace');
    expect(body.workspace_info).toMatchObject({ locked_credits: 0 });
    expect(over.call_cost).toBeGreaterThan(0);
  });

  it('ends with the connection, whichever side cuts it', async () => {
    const [hungUp, hungUpId] = await begin();
    await agentSpoke(hungUp, 30);
    const { status } = await service.request('POST', `/api/v0/calling/${hungUpId}/hangup`, {});
    expect(status).toBe(200);
    await hungUp.ended;
    expect(await whenOver(service, hungUpId, 20_000)).toMatchObject({ call_status: 'completed' });
    const [cut, cutId] = await begin();
    await agentSpoke(cut, 30);
    cut.cut();
    expect(await whenOver(service, cutId, 20_000)).toMatchObject({ call_status: 'completed' });
  });

  it('is announced once however often the webhook comes, and its token works once', async () => {
    const before = await inboundCalls(service);
    const who = caller();
    const url = await announceTwilioCall(account, who);
    expect(await announceTwilioCall(account, who)).toBe(url);
    const call = await connectTwilioStream(account, who.callSid, url);
    await expect(connectTwilioStream(account, who.callSid, url)).rejects.toThrow('401');
    expect(await announceTwilioCall(account, who)).toBe(url);
    await expect(connectTwilioStream(account, who.callSid, url)).rejects.toThrow('401');
    const callId = await newInbound(service, before);
    expect((await inboundCalls(service)).filter((id) => !before.includes(id))).toEqual([callId]);
    call.hangUp();
    await whenOver(service, callId, 20_000);
  });

  it('comes from the command line without an account', async () => {
    const before = await inboundCalls(service);
    const lines: string[] = [];
    const { webhookUrl: webhook, accountSid, authToken } = account;
    const options = {
      webhook,
      account: accountSid,
      authToken,
      from: CALLER,
      to: NUMBER,
      keys: '42#',
      seconds: 8,
    };
    expect([await runCarrierCall(options, (line) => lines.push(line)), lines.at(-1)]).toEqual([
      0,
      expect.stringMatching(/^The caller hung up\. The agent was heard for \d/),
    ]);
    const callId = await newInbound(service, before);
    expect(await whenOver(service, callId, 20_000)).toMatchObject({ hangup_by: 'caller' });
    const wrong = await runCarrierCall({ ...options, authToken: 'another' }, (line) => lines.push(line));
    expect([wrong, lines.at(-1)]).toEqual([1, expect.stringContaining('answered 403')]);
    expect(await runCarrierCall({ ...options, webhook: 'here' }, () => undefined)).toBe(2);
  });

  it('is refused when another secret signed the webhook, for another account, and without an agent', async () => {
    const before = await inboundCalls(service);
    const others = [
      { ...account, authToken: 'another' },
      { ...account, accountSid: 'AC00000000000000000000000000000002' },
      { ...account, webhookUrl: account.webhookUrl.replace(/[0-9a-f]{12}\/voice$/, '000000000000/voice') },
    ];
    for (const other of others)
      await expect(announceTwilioCall(other, caller())).rejects.toThrow('answered 403');
    const unknown = { ...caller(), to: '+14155550999' };
    const url = await announceTwilioCall(account, unknown);
    await expect(connectTwilioStream(account, unknown.callSid, url)).rejects.toThrow('404');
    expect(await inboundCalls(service)).toEqual(before);
  });
});
