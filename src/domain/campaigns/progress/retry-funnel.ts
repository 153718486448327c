import type { AttemptSums, UnfinishedContacts } from '../../../store/campaigns/attempt-sums.ts';

/** What became of the contacts that had an attempt. */
export interface FunnelStep {
  /** 1: the first attempt. */
  readonly attempt: number;
  /** Ended attempts that were dialled. */
  readonly calls: number;
  readonly answered: number;
  /** Milliseconds from the dialling to the end, on average; null without a call. */
  readonly busyMs: number | null;
  /** Contacts that are on the phone with this attempt. */
  readonly live: number;
  /** Contacts that wait for the attempt after it. */
  readonly waiting: number;
  /** Contacts that have had, have or wait for the attempt after it: the others are finished. */
  readonly remaining: number;
}

/** The attempts in their order. Pure. */
export function retryFunnel(
  sums: readonly AttemptSums[],
  unfinished: readonly UnfinishedContacts[],
): FunnelStep[] {
  const last = Math.max(
    0,
    ...sums.map(({ attempt }) => attempt),
    ...unfinished.map(({ attempt }) => attempt),
  );
  const total = (attempt: number, of: 'calls' | 'answered' | 'busyMs'): number =>
    sums.find((each) => each.attempt === attempt)?.[of] ?? 0;
  const contacts = (attempt: number, status: UnfinishedContacts['status']): number =>
    unfinished.find((each) => each.attempt === attempt && each.status === status)?.contacts ?? 0;
  return Array.from({ length: last }, (_, index) => {
    const attempt = index + 1;
    const calls = total(attempt, 'calls');
    const waiting = contacts(attempt, 'retry');
    return {
      attempt,
      calls,
      answered: total(attempt, 'answered'),
      busyMs: calls === 0 ? null : total(attempt, 'busyMs') / calls,
      live: contacts(attempt, 'ongoing'),
      waiting,
      remaining: total(attempt + 1, 'calls') + contacts(attempt + 1, 'ongoing') + waiting,
    };
  });
}
