import { describe, expect, it } from 'vitest';
import { type AttemptEnd, decideRetry, outcomeOf, retryRules } from './next-step.ts';
import { canMove, checkMove, isQueued, isTerminal, type CallStatus } from './transitions.ts';

const MINUTE = 60_000;

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
      { call_retry_config: { retry_count: 3, retry_busy: 0, retry_not_picked: 7, retry_failed: 10_080 } },
      { retry: true },
    );
    expect(decideRetry(rules, 'busy', 0)).toEqual({ retry: true, delayMs: 0 });
    expect(decideRetry(rules, 'not_picked', 0)).toEqual({ retry: true, delayMs: 7 * MINUTE });
    expect(decideRetry(rules, 'failed', 2)).toEqual({ retry: true, delayMs: 10_080 * MINUTE });
    expect(decideRetry(rules, 'voicemail', 0)).toEqual({ retry: true, delayMs: 7 * MINUTE });
    expect(decideRetry(rules, null, 0)).toEqual({ retry: false, exhausted: false });
  });
  it('do not retry voicemail when its retry is off', () => {
    const rules = retryRules('individual', { call_retry_config: { retry_count: 3 } }, { retry: false });
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
