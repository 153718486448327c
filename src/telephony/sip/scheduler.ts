import type { Clock } from '../../shared/clock.ts';

/** Time as the SIP stack sees it: a reading and one-shot timers, so that tests run it in virtual time. */
export interface Scheduler {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `run` once after `ms`; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
}

export const createScheduler = (clock: Clock): Scheduler => ({
  now: () => clock.now(),
  after(ms, run) {
    // The sockets keep the process alive, timers alone do not.
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
});
