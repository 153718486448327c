import type { VersionConfig } from '../../../store/json/agent-version.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callWindow, isOpen } from '../../call-windows/call-window.ts';
import {
  type AttemptEnd,
  nextStep,
  outcomeOf,
  type SteppingCall,
  decideRetry,
  retryRules,
} from './next-step.ts';
import { canMove, checkMove, isQueued, isTerminal, type CallStatus } from './transitions.ts';

const MINUTE = 60_000;
/** 10:00 UTC on a Monday. */
const MONDAY = Date.UTC(2026, 0, 5, 10);
const END: Record<'busy' | 'not_picked' | 'failed' | 'voicemail' | 'talked' | 'wrong', AttemptEnd> = {
  busy: { kind: 'not_answered', failure: 'busy' },
  not_picked: { kind: 'not_answered', failure: 'no_answer' },
  failed: { kind: 'not_answered', failure: 'failed' },
  voicemail: { kind: 'answered', reason: 'VOICEMAIL_DETECTED' },
  talked: { kind: 'answered', reason: 'USER_LEFT' },
  wrong: { kind: 'not_answered', failure: 'invalid_number' },
};
type Ending = keyof typeof END;

const call = (more: Partial<SteppingCall> = {}): SteppingCall => ({
  campaignId: null,
  callType: 'outbound',
  toNumber: '+14155550123',
  callConfig: { callRetryConfig: { retryCount: 2 } },
  versionConfig: { callConfig: { callTime: { timezone: 'Etc/UTC' } } } as VersionConfig,
  campaignState: null,
  campaignEndAt: null,
  retriesUsed: 0,
  noRetry: false,
  ...more,
});
const campaign = (more: Partial<SteppingCall> = {}): SteppingCall =>
  call({ campaignId: 'l', callConfig: null, campaignState: 'ongoing', ...more });
const step = (c: SteppingCall, ending: Ending, now = MONDAY, optedOut = false) =>
  nextStep(c, outcomeOf(END[ending]), { optedOut, now });

describe('the step after an attempt', () => {
  it('is a retry after the delay of its outcome; voicemail has the delay of an unanswered call', () => {
    const config = {
      callRetryConfig: { retryCount: 1, retryBusy: 5, retryNotPicked: 7, retryFailed: 9 },
    };
    const delays = (['busy', 'not_picked', 'failed', 'voicemail'] as const).map((ending) => {
      const { retryAt } = step(call({ callConfig: config }), ending);
      return ((retryAt?.getTime() ?? 0) - MONDAY) / MINUTE;
    });
    expect(delays).toEqual([5, 7, 9, 7]);
  });
  it('is no retry before the Retry-After of the refusal, and none outside the window', () => {
    const due = (ending: Ending, retryAfterMs: number | null) =>
      nextStep(call(), outcomeOf(END[ending]), { optedOut: false, now: MONDAY, retryAfterMs }).retryAt;
    expect(due('failed', 5 * MINUTE)).toEqual(new Date(MONDAY + 30 * MINUTE));
    expect(due('failed', 45 * MINUTE)).toEqual(new Date(MONDAY + 45 * MINUTE));
    expect(due('busy', 45 * MINUTE)).toEqual(new Date(MONDAY + 45 * MINUTE));
    expect(due('failed', null)).toEqual(new Date(MONDAY + 30 * MINUTE));
    expect(due('failed', 12 * 60 * MINUTE)?.toISOString()).toBe('2026-01-06T09:00:00.000Z');
    expect(due('wrong', 45 * MINUTE)).toBeNull();
  });
  it('counts retries of all outcomes against one budget', () => {
    const spent = call({ retriesUsed: 2 });
    expect(step(spent, 'busy')).toEqual({
      status: 'failed',
      subStatus: 'RETRY_LIMIT_REACHED',
      retryAt: null,
    });
    expect(step(spent, 'voicemail')).toEqual({
      status: 'completed',
      subStatus: 'VOICEMAIL_DETECTED',
      retryAt: null,
    });
  });
  it('is final for an individual call and retries twice in a campaign by default', () => {
    expect(step(call({ callConfig: null }), 'busy')).toMatchObject({ status: 'failed', subStatus: 'BUSY' });
    expect(step(campaign({ retriesUsed: 1 }), 'busy').status).toBe('retry');
    expect(step(campaign({ retriesUsed: 2 }), 'busy').subStatus).toBe('RETRY_LIMIT_REACHED');
  });
  it('moves the retry to the next opening after its delay', () => {
    const late = Date.UTC(2026, 0, 5, 20, 45);
    expect(step(call(), 'busy', late).retryAt?.toISOString()).toBe('2026-01-06T09:00:00.000Z');
  });
  it('is final when the retry would start at or after the campaign’s end', () => {
    const until = (at: number) => campaign({ campaignEndAt: new Date(at) });
    expect(step(until(MONDAY + 30 * MINUTE + 1), 'busy').status).toBe('retry');
    expect(step(until(MONDAY + 30 * MINUTE), 'busy')).toEqual({
      status: 'failed',
      subStatus: 'CAMPAIGN_TIME_EXCEEDED',
      retryAt: null,
    });
    expect(step(until(MONDAY + 30 * MINUTE), 'voicemail')).toMatchObject({
      status: 'completed',
      subStatus: 'VOICEMAIL_DETECTED',
    });
  });
  it('is final in a terminated campaign and a retry in a paused one', () => {
    expect(step(campaign({ campaignState: 'terminated' }), 'busy')).toMatchObject({ subStatus: 'BUSY' });
    expect(step(campaign({ campaignState: 'paused' }), 'busy').status).toBe('retry');
  });
  it('is final when the window never opens for the callee', () => {
    const config = {
      callTime: { callStartTime: '10:00', callEndTime: '12:00', useCalleeTimezone: true },
      callRetryConfig: { retryCount: 2 },
    };
    const russian = call({ toNumber: '+79161234567', callConfig: config });
    expect(step(russian, 'busy')).toMatchObject({ status: 'failed', subStatus: 'BUSY', retryAt: null });
  });
});

describe('over all rules', () => {
  const minutes = fc.option(fc.integer({ min: 0, max: 10_080 }), { nil: undefined });
  const hour = fc.integer({ min: 0, max: 23 }).map((h) => `${String(h).padStart(2, '0')}:00`);
  const rules = fc.record({
    ending: fc.constantFrom(...(Object.keys(END) as Ending[])),
    campaign: fc.boolean(),
    retriesUsed: fc.integer({ min: 0, max: 4 }),
    retryCount: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    busy: minutes,
    notPicked: minutes,
    failed: minutes,
    voicemailRetry: fc.boolean(),
    optedOut: fc.boolean(),
    noRetry: fc.boolean(),
    start: hour,
    end: hour,
    zone: fc.constantFrom('America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'),
    endsAfter: fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: null }),
    now: fc.integer({ min: 0, max: 525_600 }).map((m) => Date.UTC(2026, 0, 1) + m * MINUTE),
  });

  it('respects budget, delay, window and the campaign’s end', () => {
    fc.assert(
      fc.property(rules, (r) => {
        const callTime = { callStartTime: r.start, callEndTime: r.end, timezone: r.zone };
        const retry = {
          retryCount: r.retryCount,
          retryBusy: r.busy,
          retryNotPicked: r.notPicked,
          retryFailed: r.failed,
        };
        const sent = Object.entries(retry).filter(([, value]) => value !== undefined);
        const given = {
          callConfig: { callRetryConfig: Object.fromEntries(sent) },
          versionConfig: {
            callConfig: { callTime, voicemail: { retry: r.voicemailRetry } },
          } as unknown as VersionConfig,
          retriesUsed: r.retriesUsed,
          noRetry: r.noRetry,
          campaignEndAt: r.campaign && r.endsAfter !== null ? new Date(r.now + r.endsAfter * MINUTE) : null,
        };
        const c = r.campaign ? campaign(given) : call(given);
        const next = step(c, r.ending, r.now, r.optedOut);
        const budget = r.retryCount ?? (r.campaign ? 2 : 0);
        const waits = { busy: r.busy, not_picked: r.notPicked, failed: r.failed, voicemail: r.notPicked };
        const isRetried =
          r.ending in waits && (r.ending !== 'voicemail' || r.voicemailRetry) && !r.optedOut && !r.noRetry;
        const wait = (waits[r.ending as keyof typeof waits] ?? 30) * MINUTE;
        const at = next.retryAt?.getTime() ?? Number.NaN;
        const endsAt = given.campaignEndAt?.getTime() ?? Number.POSITIVE_INFINITY;
        const mayBe = isRetried && r.retriesUsed < budget;
        const problems = [
          [(next.status === 'retry') === (next.retryAt !== null), 'a retry has its time'],
          [next.status === 'retry' || ['failed', 'completed'].includes(next.status), 'an end is final'],
          // Only its campaign's end keeps a call from an attempt that it has left.
          [next.retryAt !== null || !mayBe || endsAt < Number.POSITIVE_INFINITY, 'a retry is not lost'],
          [next.retryAt === null || mayBe, 'the budget'],
          [next.retryAt === null || at >= r.now + wait, 'the delay'],
          [next.retryAt === null || isOpen(callWindow(callTime, null, c.toNumber), at), 'the window'],
          [next.retryAt === null || at < endsAt, 'the end of the campaign'],
        ].filter(([holds]) => holds === false);
        expect(problems).toEqual([]);
      }),
      { numRuns: 3000, seed: 20_260_109 },
    );
  });
});

describe('retry rules', () => {
  it('default to no retry for an individual call and two in a campaign, after half an hour', () => {
    expect(decideRetry(retryRules('individual', null, null), 'busy', 0)).toEqual({
      retry: false,
      exhausted: false,
    });
    const campaign = retryRules('campaign', null, null);
    expect(decideRetry(campaign, 'busy', 1)).toEqual({ retry: true, delayMs: 30 * MINUTE });
    expect(decideRetry(campaign, 'busy', 2)).toEqual({ retry: false, exhausted: true });
  });
  it('have a delay per outcome; zero is due at once', () => {
    const rules = retryRules(
      'individual',
      { callRetryConfig: { retryCount: 3, retryBusy: 0, retryNotPicked: 7, retryFailed: 10_080 } },
      { retry: true },
    );
    expect(decideRetry(rules, 'busy', 0)).toEqual({ retry: true, delayMs: 0 });
    expect(decideRetry(rules, 'not_picked', 0)).toEqual({ retry: true, delayMs: 7 * MINUTE });
    expect(decideRetry(rules, 'failed', 2)).toEqual({ retry: true, delayMs: 10_080 * MINUTE });
    expect(decideRetry(rules, 'voicemail', 0)).toEqual({ retry: true, delayMs: 7 * MINUTE });
    expect(decideRetry(rules, null, 0)).toEqual({ retry: false, exhausted: false });
  });
  it('do not retry voicemail when its retry is off', () => {
    const rules = retryRules('individual', { callRetryConfig: { retryCount: 3 } }, { retry: false });
    expect(decideRetry(rules, 'voicemail', 0)).toEqual({ retry: false, exhausted: false });
  });
});

describe('outcomes', () => {
  const ends: AttemptEnd[] = [
    ...(['busy', 'no_answer', 'rejected', 'invalid_number', 'failed', 'cancelled'] as const).map(
      (failure): AttemptEnd => ({ kind: 'not_answered', failure }),
    ),
    ...(
      [
        'USER_LEFT',
        'AGENT_ENDED',
        'USER_BECAME_IDLE',
        'MAX_CALL_DURATION',
        'MEDIA_TIMEOUT',
        'USER_TERMINATED',
        'OPTED_OUT',
        'VOICEMAIL_DETECTED',
        'FAILED',
      ] as const
    ).map((reason): AttemptEnd => ({ kind: 'answered', reason })),
    { kind: 'do_not_call' },
    { kind: 'crashed' },
  ];
  it('all lead to a status that a settlement may write', () => {
    expect(ends.filter((end) => !canMove('settle', 'ongoing', outcomeOf(end).final))).toEqual([]);
  });
  it('never retry a crash, an opt-out, a conversation or an invalid number', () => {
    expect(
      ends.filter((end) => outcomeOf(end).retry !== null).map((end) => outcomeOf(end).subStatus),
    ).toEqual(['BUSY', 'NO_ANSWER', 'BUSY', 'FAILED', 'VOICEMAIL_DETECTED']);
  });
});

describe('transitions', () => {
  const all: CallStatus[] = ['registered', 'ongoing', 'retry', 'completed', 'failed', 'error', 'cancelled'];
  it('have four terminal statuses and two queued ones', () => {
    expect(all.filter(isTerminal)).toEqual(['completed', 'failed', 'error', 'cancelled']);
    expect(all.filter(isQueued)).toEqual(['registered', 'retry']);
    expect(canMove('settle', 'ongoing', 'cancelled')).toBe(false);
    expect(canMove('end_queued', 'retry', 'error')).toBe(false);
  });
  it('let a release return a live call to the queue, and no other call anywhere', () => {
    const released = all.flatMap((from) =>
      all.filter((to) => canMove('release', from, to)).map((to) => `${from} → ${to}`),
    );
    expect(released).toEqual(['ongoing → registered', 'ongoing → retry']);
    expect(() => checkMove('release', 'completed', 'registered')).toThrow('cannot move');
  });
});
