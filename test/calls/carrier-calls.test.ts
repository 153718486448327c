import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rms } from '@callwright/audio';
import {
  FakeCarrierApi,
  fakeCarrierAccount,
  fakeTrunkSettings,
  type FakeStreamSettings,
  type FakeTwilioCall,
} from '@callwright/stand-ins';
import { runCarrierCall } from '../../src/cli/carriers.ts';
import { attachNumber, inboundCalls, newInbound, startPhoneService } from '../helpers/sip/phone-service.ts';
import { createAgent, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import { eventually, type Service } from '../helpers/service/service.ts';

const NUMBER = '+14155550100';
const CALLER = '+14155550188';
const ACCOUNT = fakeCarrierAccount('twilio');
const api = new FakeCarrierApi(ACCOUNT);

let service: Service;
let webhook = '';
let close: () => Promise<void> = () => Promise.resolve();
beforeAll(async () => {
  ({ service, close } = await startPhoneService(
    [{ name: 'twilio', kind: 'twilio', uri: 'https://api.twilio.com', ...fakeTrunkSettings(ACCOUNT) }],
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
  webhook = `${service.url}/carriers/${trunk.trunk_id}/voice`;
});
afterAll(async () => {
  await close();
});

/** A new call whose stream is connected, and its id in the service. */
async function begin(settings: Partial<FakeStreamSettings> = {}): Promise<[FakeTwilioCall, string]> {
  const before = await inboundCalls(service);
  api.settings.stream = settings;
  const { stream } = await api.dialIn(webhook, CALLER, NUMBER);
  if (stream === null) throw new Error('no stream is connected');
  return [stream, await newInbound(service, before)];
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
    const over = await whenOver(service, callId);
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
    expect(await whenOver(service, hungUpId)).toMatchObject({ call_status: 'completed' });
    const [cut, cutId] = await begin();
    await agentSpoke(cut, 30);
    cut.cut();
    expect(await whenOver(service, cutId)).toMatchObject({ call_status: 'completed' });
  });

  it('is announced once however often the webhook comes, and its token works once, by a signed upgrade', async () => {
    const before = await inboundCalls(service);
    const call = api.newCaller(CALLER, NUMBER);
    const url = (await api.announce(call, webhook)) ?? '';
    expect(await api.announce(call, webhook)).toBe(url);
    for (const signature of ['none', 'wrong'] as const) {
      api.settings.signature = signature;
      await expect(api.connect(call, url)).rejects.toThrow('403');
    }
    api.settings.signature = 'right';
    const stream = await api.connect(call, url);
    await expect(api.connect(call, url)).rejects.toThrow('401');
    expect(await api.announce(call, webhook)).toBe(url);
    await expect(api.connect(call, url)).rejects.toThrow('401');
    const callId = await newInbound(service, before);
    expect((await inboundCalls(service)).filter((id) => !before.includes(id))).toEqual([callId]);
    stream.hangUp();
    await whenOver(service, callId);
  });

  it('comes from the command line without an account', async () => {
    const before = await inboundCalls(service);
    const lines: string[] = [];
    const options = {
      kind: 'twilio',
      webhook,
      account: ACCOUNT.account,
      authToken: ACCOUNT.secret,
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
    expect(await whenOver(service, callId)).toMatchObject({ hangup_by: 'caller' });
    const wrong = await runCarrierCall({ ...options, authToken: 'another' }, (line) => lines.push(line));
    expect([wrong, lines.at(-1)]).toEqual([1, expect.stringContaining('answered 403')]);
    expect(await runCarrierCall({ ...options, webhook: 'here' }, () => undefined)).toBe(2);
  });

  it('is refused when another secret signed the webhook, for another account, and without an agent', async () => {
    const before = await inboundCalls(service);
    const others = [
      fakeCarrierAccount('twilio', { secret: 'another' }),
      fakeCarrierAccount('twilio', { account: 'AC00000000000000000000000000000002' }),
    ];
    for (const other of others)
      await expect(new FakeCarrierApi(other).dialIn(webhook, CALLER, NUMBER)).rejects.toThrow('answered 403');
    const unknownTrunk = webhook.replace(/[0-9a-f]{12}\/voice$/, '000000000000/voice');
    await expect(api.dialIn(unknownTrunk, CALLER, NUMBER)).rejects.toThrow('answered 403');
    await expect(api.dialIn(webhook, CALLER, '+14155550999')).rejects.toThrow('404');
    expect(await inboundCalls(service)).toEqual(before);
  });
});
