import { beforeAll, describe, expect, it } from 'vitest';
import { watchLive } from '../helpers/calls/live-call.ts';
import { createAgent, transcriptOf, whenCall, whenOver } from '../helpers/service/scenario.ts';
import { verdict } from '../helpers/sip/placed-call.ts';
import { callee } from '../helpers/sip/sipp.ts';
import { answering, calling } from '../helpers/sip/sipp-calls.ts';
import { countOf, OURS, receives, useSippTrunk } from '../helpers/sip/sipp-trunk.ts';
import { sidesOf, soundingMs } from '../helpers/audio/line-audio.ts';
import { attachNumber, hangUp, inboundCalls, newInbound, recordingOf } from '../helpers/sip/phone-service.ts';

const WITHOUT_AGENT = '+14155550101';

const trunk = useSippTrunk({ numbers: [OURS, WITHOUT_AGENT] });
let agentId = '';
beforeAll(async () => {
  agentId = await createAgent(trunk.service, {
    intro_message: 'Riverside Dental. What is your customer number?',
    task: '1. Ask "What is your customer number?"\n2. Ask "What is your postal code?"\n3. Thank them and say goodbye.',
    call_config: { idle_timeout_warning: 20, idle_timeout_end: 30 },
  });
});

const retries = (over: Record<string, number>): Record<string, unknown> => ({
  call_config: { call_retry_config: over },
});
const dial = (over?: Record<string, unknown>): Promise<string> => trunk.dial(agentId, over);
const lockedCredits = async (): Promise<number> =>
  (await trunk.service.request('GET', '/api/v0/workspace')).body.workspace_info.locked_credits;

describe('SIPp as the carrier of our calls', () => {
  it('answers, listens and hangs up: USER_LEFT', async () => {
    await trunk.carrier(answering.hangsUpAfter(4000));
    const call = await whenOver(trunk.service, await dial());
    expect(call).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'USER_LEFT',
      hangup_by: 'caller',
    });
    expect(call.call_duration).toBeGreaterThan(3.5);
    expect(call.call_duration).toBeLessThan(7);
    const sides = sidesOf(await recordingOf(call));
    expect(soundingMs(sides.agent)).toBeGreaterThan(1000);
    expect(soundingMs(sides.caller)).toBe(0);
  });

  it('receives one BYE when the API ends an answered call', async () => {
    const sipp = await trunk.carrier(answering.waitsForBye);
    const callId = await dial();
    await whenCall(trunk.service, callId, 'answered', (call) => call.answered_at !== null);
    await hangUp(trunk.service, callId);
    const call = await whenOver(trunk.service, callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_TERMINATED' });
    await receives(sipp, 'BYE');
    expect(countOf(sipp, 'BYE')).toBe(1);
  });

  it.each([
    ['486 Busy Here', 'BUSY', 486],
    ['600 Busy Everywhere', 'BUSY', 600],
    ['603 Decline', 'BUSY', 603],
    ['404 Not Found', 'NOT_ABLE_TO_CALL', 404],
    ['484 Address Incomplete', 'NOT_ABLE_TO_CALL', 484],
    ['480 Temporarily Unavailable', 'NO_ANSWER', 480],
    ['408 Request Timeout', 'NO_ANSWER', 408],
    ['500 Server Internal Error', 'FAILED', 500],
    ['503 Service Unavailable', 'FAILED', 503],
  ])('%s ends the call as %s without a charge', async (status, subStatus, sipCode) => {
    const sipp = await trunk.carrier(callee.refuses(status));
    const call = await whenOver(trunk.service, await dial());
    expect(call).toMatchObject({
      call_status: 'failed',
      call_sub_status: subStatus,
      call_cost: 0,
      answered_at: null,
    });
    expect(call.attempts).toMatchObject([{ sub_status: subStatus, sip_code: sipCode }]);
    await receives(sipp, 'ACK');
    expect(await lockedCredits()).toBe(0);
  });

  it('503 schedules a retry after retry_failed', async () => {
    await trunk.carrier(callee.refuses('503 Service Unavailable'));
    const callId = await dial(retries({ retry_count: 1, retry_failed: 60 }));
    const waiting = await whenCall(trunk.service, callId, 'to be retried', (c) => c.call_status === 'retry');
    expect(waiting).toMatchObject({ call_sub_status: 'RETRY_SCHEDULED' });
    expect(waiting.attempts).toMatchObject([{ sub_status: 'FAILED', sip_code: 503 }]);
  });

  it('retries 503 at once with retry_failed 0', async () => {
    await trunk.carrier(callee.refuses('503 Service Unavailable'));
    const call = await whenOver(trunk.service, await dial(retries({ retry_count: 1, retry_failed: 0 })));
    expect(call).toMatchObject({ call_status: 'failed', call_sub_status: 'RETRY_LIMIT_REACHED' });
    expect(call.attempts.map((a: { sip_code: number }) => a.sip_code)).toEqual([503, 503]);
  });

  it('receives CANCEL when the API ends a ringing call', async () => {
    const sipp = await trunk.carrier(callee.ringsOnly);
    const callId = await dial();
    await whenCall(trunk.service, callId, 'ringing', (call) => call.call_sub_status === 'RINGING');
    await hangUp(trunk.service, callId);
    const call = await whenOver(trunk.service, callId);
    expect(call).toMatchObject({
      call_status: 'failed',
      call_sub_status: 'USER_TERMINATED',
      call_cost: 0,
      answered_at: null,
    });
    expect(call.attempts).toMatchObject([{ sip_code: 487 }]);
    await receives(sipp, 'ACK');
    expect([countOf(sipp, 'CANCEL'), countOf(sipp, 'BYE')]).toEqual([1, 0]);
  });

  it('an answer that crosses CANCEL gets ACK and BYE without a charge', async () => {
    const sipp = await trunk.carrier(callee.answersCancelled);
    const callId = await dial();
    await whenCall(trunk.service, callId, 'ringing', (call) => call.call_sub_status === 'RINGING');
    await hangUp(trunk.service, callId);
    const call = await whenOver(trunk.service, callId);
    expect(call).toMatchObject({
      call_status: 'failed',
      call_sub_status: 'USER_TERMINATED',
      call_cost: 0,
    });
    await receives(sipp, 'BYE');
    expect([countOf(sipp, 'CANCEL') > 0, countOf(sipp, 'ACK') > 0]).toEqual([true, true]);
    expect(await lockedCredits()).toBe(0);
  });

  it('early media: the agent speaks only after the answer', async () => {
    await trunk.carrier(answering.afterEarlyMedia);
    const callId = await dial();
    const live = await watchLive(trunk.service, callId);
    await live.hasSaid(/customer number/);
    live.stop();
    await hangUp(trunk.service, callId);
    const call = await whenOver(trunk.service, callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_TERMINATED' });
    expect(soundingMs(sidesOf(await recordingOf(call)).agent)).toBeGreaterThan(500);
  });

  it('an answer with a codec that was not offered gets ACK and BYE and fails with 488', async () => {
    const sipp = await trunk.carrier(answering.withAnotherCodec);
    const call = await whenOver(trunk.service, await dial());
    expect(call).toMatchObject({
      call_status: 'failed',
      call_sub_status: 'FAILED',
      call_cost: 0,
      attempts: [{ sip_code: 488 }],
    });
    await receives(sipp, 'BYE');
    expect(await lockedCredits()).toBe(0);
  });

  async function turnsWith(scenario: string): Promise<unknown[]> {
    await trunk.carrier(scenario);
    const callId = await dial();
    const live = await watchLive(trunk.service, callId);
    await live.until('the keys', ({ type, line }) => type === 'line' && line.by === 'keypad');
    live.stop();
    // The transcript is complete once the call has ended.
    await hangUp(trunk.service, callId);
    const call = await whenOver(trunk.service, callId);
    return transcriptOf(call).filter((line) => line.user !== undefined);
  }

  // SIPp plays its recorded digits through raw sockets, which need root.
  it.skipIf(process.getuid?.() !== 0)('telephone-event digits become a keypad turn', async () => {
    const turns = await turnsWith(answering.pressesKeys(4000, ['1', '4', 'pound']));
    expect(turns).toMatchObject([{ user: '14', by: 'keypad' }]);
  });

  it('SIP INFO digits become a keypad turn', async () => {
    const turns = await turnsWith(answering.sendsInfo(4000, ['1', '4', '#']));
    expect(turns).toMatchObject([{ user: '14', by: 'keypad' }]);
  });
});

describe('SIPp as a caller', () => {
  const newCall = (before: readonly string[]): Promise<string> => newInbound(trunk.service, before);
  beforeAll(async () => {
    const inbound = await createAgent(trunk.service, {
      intro_message: 'Riverside Dental, how may I help you?',
      call_config: { idle_timeout_warning: 0, idle_timeout_end: 3 },
    });
    await attachNumber(trunk.service, inbound, OURS);
  });

  it('is answered, recorded and hangs up: USER_LEFT', async () => {
    const before = await inboundCalls(trunk.service);
    const sipp = await trunk.callsIn(calling.hangsUpAfter(4000));
    expect(await verdict(sipp)).toBe('as written');
    const call = await whenOver(trunk.service, await newCall(before));
    expect(call).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'USER_LEFT',
      hangup_by: 'caller',
      call_type: 'inbound',
      from_number: '+14155550142',
      to_number: OURS,
    });
    expect(transcriptOf(call)[0]?.bot).toBe('Riverside Dental, how may I help you?');
    const sides = sidesOf(await recordingOf(call));
    expect(soundingMs(sides.agent)).toBeGreaterThan(1000);
  });

  it('stays silent: the agent ends the call with BYE', async () => {
    const before = await inboundCalls(trunk.service);
    const sipp = await trunk.callsIn(calling.waitsForBye);
    expect(await verdict(sipp)).toBe('as written');
    const call = await whenOver(trunk.service, await newCall(before));
    expect(call).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'USER_BECAME_IDLE',
      hangup_by: 'agent',
    });
  });

  it('sends its SDP only with the ACK (delayed offer) and hears the agent', async () => {
    const before = await inboundCalls(trunk.service);
    const sipp = await trunk.callsIn(calling.offersLate(2500));
    expect(await verdict(sipp)).toBe('as written');
    const call = await whenOver(trunk.service, await newCall(before));
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_LEFT' });
    expect(soundingMs(sidesOf(await recordingOf(call)).agent)).toBeGreaterThan(500);
  });

  it('offers no supported codec: refused with 488 and recorded as FAILED', async () => {
    const before = await inboundCalls(trunk.service);
    const sipp = await trunk.callsIn(calling.isRefused(488, { anotherCodec: true }));
    expect(await verdict(sipp)).toBe('as written');
    const call = await whenOver(trunk.service, await newCall(before));
    expect(call).toMatchObject({ call_status: 'failed', call_sub_status: 'FAILED', call_cost: 0 });
    expect(await lockedCredits()).toBe(0);
  });

  it.each([
    ['an unknown number', '+14155550177', 404],
    ['a number without an agent', WITHOUT_AGENT, 480],
  ])('is refused for %s', async (_, number, status) => {
    const before = await inboundCalls(trunk.service);
    const sipp = await trunk.callsIn(calling.isRefused(status), number);
    expect(await verdict(sipp)).toBe('as written');
    expect(await inboundCalls(trunk.service)).toEqual(before);
  });
});
