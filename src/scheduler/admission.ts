import { affordableMs, lockFor, pulsePrice, type Rate } from '../domain/credits/price.ts';
import type { Hold } from '../domain/calls/campaign-hold.ts';

export type Admission =
  | { readonly kind: 'start'; readonly capMs: number; readonly amount: number }
  | Hold<
      | 'DND_SKIPPED'
      | 'USER_TERMINATED'
      | 'CAMPAIGN_TIME_EXCEEDED'
      | 'INSUFFICIENT_BALANCE'
      | 'NOT_ABLE_TO_CALL'
    >;

/** How soon a call is retried that only needs money which other live calls have locked. */
const BALANCE_RECHECK_MS = 15_000;
const DEFAULT_MAX_CALL_SECONDS = 240;

/**
 * Decides whether a due call may start now. Checks in this order: do-not-call lists, its campaign, agent, destination,
 * calling window, callee frequency, destination limit, money. Pure.
 */
export function admit(input: {
  readonly now: number;
  readonly doNotCall: boolean;
  /** What its campaign's state decides, see `whyStopped`; null: nothing. */
  readonly stopped: Hold | null;
  readonly agentArchived: boolean;
  /** The workspace may dial this destination. */
  readonly mayDial: boolean;
  /** When the call's window opens next, `now` if it is open; null: never. */
  readonly opening: number | null;
  /** When the callee frequency limit lets the call start; null: it does now. */
  readonly tooOftenUntil: number | null;
  /** When to retry because a destination limit is exhausted; null: none is. */
  readonly destinationFullUntil: () => number | null;
  readonly maxCallSeconds: number | undefined;
  readonly unlimited: boolean;
  /** Micro-credits: the balance and its unlocked part. */
  readonly credits: number;
  readonly available: number;
  readonly rate: Rate;
}): Admission {
  if (input.doNotCall) return { kind: 'end', subStatus: 'DND_SKIPPED' };
  if (input.stopped !== null) return input.stopped;
  if (input.agentArchived) return { kind: 'end', subStatus: 'USER_TERMINATED' };
  const { now, opening } = input;
  if (opening === null || !input.mayDial) return { kind: 'end', subStatus: 'NOT_ABLE_TO_CALL' };
  if (opening > now) return { kind: 'defer', subStatus: 'WINDOW_CLOSED', until: opening };
  const until = input.tooOftenUntil ?? input.destinationFullUntil();
  if (until !== null) return { kind: 'defer', subStatus: 'LIMIT_REACHED', until };
  const maxCallMs = (input.maxCallSeconds ?? DEFAULT_MAX_CALL_SECONDS) * 1000;
  if (input.unlimited) return { kind: 'start', capMs: maxCallMs, amount: 0 };
  const lock = lockFor(maxCallMs, input.available, input.rate);
  if (lock !== null) return { kind: 'start', ...lock };
  // Live calls return unused locked money, so the call can wait for it. Without any, the balance stays too low.
  return input.credits >= pulsePrice(input.rate) && affordableMs(input.credits, input.rate) > 0
    ? { kind: 'defer', subStatus: 'INSUFFICIENT_BALANCE', until: now + BALANCE_RECHECK_MS }
    : { kind: 'end', subStatus: 'INSUFFICIENT_BALANCE' };
}
