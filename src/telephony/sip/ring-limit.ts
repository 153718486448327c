import type { OutboundRequest } from '../leg.ts';
import type { Scheduler } from './scheduler.ts';

/** How often the wall clock is looked at: somebody may set it while a phone rings. */
const LOOK_EVERY_MS = 500;

/** Tells once that a call may ring no longer: its timeout is over, or the moment has come from which nobody may ring. */
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
    const ms = ringUntil === null ? leftMs : Math.min(leftMs, LOOK_EVERY_MS, ringUntil - scheduler.now());
    stop = scheduler.after(ms, () => wait(leftMs - ms));
  };
  // Never before its caller has what stops it.
  stop = scheduler.after(0, () => wait(ringTimeoutMs));
  return () => stop();
}
