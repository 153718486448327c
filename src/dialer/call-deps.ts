import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { AttemptLog } from './attempt-log.ts';
import type { LiveCalls } from './live-calls.ts';

/** What both directions of a call need from the process. */
export interface CallDeps {
  readonly attempts: AttemptLog;
  readonly live: LiveCalls;
  readonly clock: Clock;
  readonly log: Log;
  /** Runs when an attempt has been settled: a slot is free. */
  onSettled(): void;
}
