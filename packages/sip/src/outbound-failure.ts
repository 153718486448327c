import type { FailureClass, OutboundRequest } from './call.ts';
import { hasControl } from './grammar.ts';
import type { Scheduler } from './ports.ts';

/** Why the caller abandoned an outbound call before its answer. */
export interface GivenUp {
  readonly failure: FailureClass;
  readonly reason: string;
  /** True when the dialling window closed. */
  readonly isClosed?: boolean;
}

export const isRingTimeout = (why: GivenUp): boolean => why.failure === 'no_answer' && why.isClosed !== true;

/** Failure reasons of an INVITE without a response. */
export const LOST = {
  timeout: 'no response from trunk',
  transport: 'trunk unreachable',
  late: 'too late to call',
  unknown: 'trunk address not found',
} as const;

/** Checks a call request before its INVITE; null when it can be sent. */
export function faultOf(request: OutboundRequest): GivenUp | null {
  if (request.to === '' || hasControl(request.to))
    return { failure: 'invalid_number', reason: 'unusable number' };
  if (hasControl(request.from) || hasControl(request.displayName ?? '')) {
    return { failure: 'failed', reason: 'control character in caller name or number' };
  }
  return null;
}

/** The wall clock may be set while a phone rings: the window's end is checked at this interval. */
const CLOCK_CHECK_MS = 500;

/** Calls `onOver` once, when the ring timeout expires or the dialling window ends. Returns the cancel function. */
export function limitRinging(
  scheduler: Scheduler,
  { ringTimeoutMs, ringUntil = null }: Pick<OutboundRequest, 'ringTimeoutMs' | 'ringUntil'>,
  onOver: (isClosed: boolean) => void,
): () => void {
  let stop = (): void => {};
  const wait = (leftMs: number): void => {
    const isClosed = ringUntil !== null && scheduler.now() >= ringUntil;
    if (isClosed || leftMs <= 0) {
      onOver(isClosed);
      return;
    }
    const ms = ringUntil === null ? leftMs : Math.min(leftMs, CLOCK_CHECK_MS, ringUntil - scheduler.now());
    stop = scheduler.after(ms, () => wait(leftMs - ms));
  };
  // Deferred, so that `onOver` never runs before the caller holds the cancel function.
  stop = scheduler.after(0, () => wait(ringTimeoutMs));
  return () => stop();
}
