import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rms } from '@callwright/audio';
import {
  FakeCarrierApi,
  fakeCarrierAccount,
  fakeTrunkSettings,
  type FakeCarrierCall,
} from '@callwright/stand-ins';
import { runCarrierApi } from '../../src/cli/carriers.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';
import { createAgent, place, transcriptOf, whenCall, whenOver } from '../helpers/service/scenario.ts';
import { eventually, type Service } from '../helpers/service/service.ts';
import { edit, startPhoneService } from '../helpers/sip/phone-service.ts';

const NUMBER = '+14155550100';
const CALLEE = '+14155550188';
const DESK = '+14155550111';
const ACCOUNT = fakeCarrierAccount('twilio');
const ONCE = { call_config: { call_retry_config: { retry_count: 0 } } };

const api = new FakeCarrierApi(ACCOUNT);
let service: Service;
let agentId = '';
let close: () => Promise<void> = () => Promise.resolve();
beforeAll(async () => {
  ({ service, close } = await startPhoneService(
    [{ name: 'twilio', kind: 'twilio', uri: await api.listen(), ...fakeTrunkSettings(ACCOUNT) }],
    [{ number: NUMBER, trunk: 'twilio' }],
    { SAFE_FETCH_ALLOW: LOOPBACK_OPEN },
  ));
  agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya.',
    task: ['1. Ask "What is your customer number?"', '2. Ask "What is your postal code?"'].join('\n'),
    call_config: { mute_during_intro: false, idle_timeout_warning: 20, idle_timeout_end: 40 },
  });
  await edit(service, agentId, 'edit_on_call_tools', {
    on_call_tools: [{ type: 'CALL_TRANSFER_TOOL', name: 'to_desk', transfer_to: DESK }],
  });
});
afterAll(async () => {
  await close();
  await api.close();
});
beforeEach(() => {
  const { settings } = api;
  Object.assign(settings, { callee: 'answers', losesAnswers: false, duplicates: false, disorder: false });
});

const isVoice = (frame: Int16Array | null): boolean => frame !== null && rms(frame) > 100;

/** A call from the agent, as service and carrier have it. */
async function dial(number = CALLEE): Promise<{ callId: string; call: FakeCarrierCall }> {
  const before = api.calls.length;
  const callId = await place(service, agentId, number, ONCE);
  const call = await eventually('the place request', async () => api.calls[before] ?? null);
  return { callId, call };
}

const streamOf = (call: FakeCarrierCall) => eventually('the stream', async () => call.stream);

/** Waits until the callee has heard the agent and silence after it. */
const agentSpoke = async (call: FakeCarrierCall, frames = 30): Promise<number> => {
  const { stream } = await streamOf(call);
  return eventually('the agent to have spoken and to wait', async () => {
    const voiced = stream.heard.filter(isVoice).length;
    return voiced >= frames && !stream.heard.slice(-30).some(isVoice) ? voiced : null;
  });
};
const lockedCredits = async (): Promise<number> =>
  (await service.request('GET', '/api/v0/workspace')).body.workspace_info.locked_credits;

describe('the stand-in of the API as a command', () => {
  it('listens until it is stopped, and says how many calls were placed', async () => {
    const { kind, account, secret: authToken } = ACCOUNT;
    const lines: string[] = [];
    const options = { kind, account, authToken, port: 0, callee: 'answers' };
    const say = (line: string): void => void lines.push(line);
    expect(await runCarrierApi(options, say, Promise.resolve())).toBe(0);
    expect(lines).toEqual([
      expect.stringMatching(/^The stand-in listens at http:\/\/127\.0\.0\.1:\d+\.$/),
      expect.stringContaining('"kind":"twilio"'),
      'The service placed 0 calls.',
    ]);
    expect(await runCarrierApi({ ...options, callee: 'sings' }, () => undefined)).toBe(2);
    expect(await runCarrierApi({ ...options, kind: 'another' }, () => undefined)).toBe(2);
  });
});

describe('a call placed by the API of Twilio', () => {
  it('is a conversation with keys until the callee hangs up, although answers get lost and reports come twice and late', async () => {
    Object.assign(api.settings, { losesAnswers: true, duplicates: true, disorder: true });
    const { callId, call } = await dial();
    expect([call.from, call.to]).toEqual([NUMBER, CALLEE]);
    const voiced = await agentSpoke(call);
    for (const digit of ['4', '2', '#']) (await streamOf(call)).stream.press(digit);
    await agentSpoke(call, voiced + 20);
    await api.hangUp(call);
    const over = await whenOver(service, callId);
    expect(over).toMatchObject({
      call_direction: 'outbound',
      call_status: 'completed',
      call_sub_status: 'USER_LEFT',
      hangup_by: 'caller',
    });
    expect(transcriptOf(over)[0]).toMatchObject({ bot: 'Hello, this is Maya.' });
    expect(transcriptOf(over).flatMap((line: any) => (line.by === 'keypad' ? [line.user] : []))).toEqual([
      '42',
    ]);
    expect(api.calls.filter(({ order }) => order?.statusUrl?.includes(callId))).toHaveLength(1);
    expect([over.attempts.length, over.call_cost > 0, await lockedCredits()]).toEqual([1, true, 0]);
  });

  it('ends at the carrier when a user hangs it up, while it rings and when it is up', async () => {
    const up = await dial();
    await agentSpoke(up.call);
    await service.request('POST', `/api/v0/calling/${up.callId}/hangup`, {});
    expect(await whenOver(service, up.callId)).toMatchObject({ call_sub_status: 'USER_TERMINATED' });
    await eventually('the end at the carrier', async () => (up.call.state === 'completed' ? true : null));

    api.settings.callee = 'rings';
    const ringing = await dial();
    await whenCall(service, ringing.callId, 'ringing', ({ call_sub_status: now }) => now === 'RINGING');
    await service.request('POST', `/api/v0/calling/${ringing.callId}/hangup`, {});
    expect(await whenOver(service, ringing.callId)).toMatchObject({
      call_sub_status: 'USER_TERMINATED',
      call_cost: 0,
    });
    await eventually('the end at the carrier', async () =>
      ringing.call.state === 'cancelled' ? true : null,
    );
    expect(await lockedCredits()).toBe(0);
  });

  it.each([
    ['busy', 0, 'BUSY', 486],
    ['fails', 404, 'NOT_ABLE_TO_CALL', 404],
    ['fails', 503, 'FAILED', 503],
  ] as const)(
    'that is reported as %s with SIP status %s is settled as %s',
    async (callee, sipCode, subStatus, code) => {
      Object.assign(api.settings, { callee, sipCode });
      const { callId } = await dial();
      const over = await whenOver(service, callId);
      expect(over).toMatchObject({ call_status: 'failed', call_sub_status: subStatus, call_cost: 0 });
      expect(over.attempts).toMatchObject([{ sip_code: code }]);
    },
  );

  it('to a number that the API refuses is settled without a dial', async () => {
    api.settings.callee = 'invalid';
    const callId = await place(service, agentId, CALLEE, ONCE);
    const over = await whenOver(service, callId);
    expect(over).toMatchObject({ call_sub_status: 'NOT_ABLE_TO_CALL', call_cost: 0 });
  });

  it('goes to another party by a key, and the agent leaves', async () => {
    const { callId, call } = await dial();
    await agentSpoke(call);
    (await streamOf(call)).stream.press('0');
    const over = await whenOver(service, callId);
    expect(over).toMatchObject({ call_status: 'completed', call_sub_status: 'CALL_TRANSFERRED' });
    expect(call.redirect).toContain(`<Dial callerId="${NUMBER}"`);
    expect(call.redirect).toContain(`<Number>${DESK}</Number>`);
    expect(await lockedCredits()).toBe(0);
  });

  it('takes no report that another secret signed', async () => {
    api.settings.callee = 'rings';
    const { callId, call } = await dial();
    await whenCall(service, callId, 'ringing', ({ call_sub_status: now }) => now === 'RINGING');
    const report = (secret: string): Promise<number | null> =>
      new FakeCarrierApi(fakeCarrierAccount('twilio', { secret })).report(call, 'busy');
    expect(await report('another')).toBe(403);
    expect(await report(ACCOUNT.secret)).toBe(204);
    expect(await whenOver(service, callId)).toMatchObject({ call_sub_status: 'BUSY' });
  });
});
