import { describe, expect, it } from 'vitest';
import { outcomeOf, type AttemptEnd } from './outcome.ts';
import { decideRetry, retryRules } from './retry-rules.ts';
import { canMove, isQueued, isTerminal, TRANSITIONS, type CallStatus } from './transitions.ts';

const MINUTE = 60_000;

describe('retry rules', () => {
  it('defaults: none for an individual call, two for a campaign, after half an hour', () => {
    expect(decideRetry(retryRules('individual', null, null), 'busy', 0)).toEqual({
      retry: false,
      exhausted: false,
    });
    const campaign = retryRules('campaign', null, null);
    expect(decideRetry(campaign, 'busy', 1)).toEqual({ retry: true, delayMs: 30 * MINUTE });
    expect(decideRetry(campaign, 'busy', 2)).toEqual({ retry: false, exhausted: true });
  });
  it('waits by outcome, zero meaning at once', () => {
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
  it('leaves voicemail alone when its retry is off', () => {
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
    { kind: 'crashed' },
  ];
  it('all end in a status an ongoing call may move to', () => {
    expect(ends.filter((end) => !canMove('ongoing', outcomeOf(end).final))).toEqual([]);
  });
  it('never redial after a crash, an opt-out, a conversation or a wrong number', () => {
    expect(
      ends.filter((end) => outcomeOf(end).retry !== null).map((end) => outcomeOf(end).subStatus),
    ).toEqual(['BUSY', 'NO_ANSWER', 'BUSY', 'FAILED', 'VOICEMAIL_DETECTED']);
  });
});

describe('transitions', () => {
  it('has four terminal states, and two that wait', () => {
    const all = Object.keys(TRANSITIONS) as CallStatus[];
    expect(all.filter(isTerminal)).toEqual(['completed', 'failed', 'error', 'cancelled']);
    expect(all.filter(isQueued)).toEqual(['registered', 'retry']);
    expect(canMove('ongoing', 'cancelled')).toBe(false);
    expect(canMove('retry', 'error')).toBe(false);
  });
});
