import { ANALYSIS_JOB } from '../domain/analysis/queue-analysis.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { LookingLoop } from '../shared/looking-loop.ts';
import type { Db } from '../store/database.ts';
import { pruneDeliveries } from '../store/delivery-log.ts';
import { pruneEvents } from '../store/prune-events.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Rows of one workspace that go in one statement, and the pause before the next. */
const BATCH = 1000;
const PAUSE_MS = 200;

/**
 * Keeps the delivery log as long as it is set: what ended and is older goes, a little at a time, and the events that
 * nothing is left to be done with.
 */
export function deliveryLogPruner(options: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly keepDays: number;
}): LookingLoop {
  const { db, clock, log, keepDays } = options;
  return new LookingLoop({
    look: async () => {
      const before = new Date(clock.now() - keepDays * DAY_MS);
      const deliveries = await pruneDeliveries(db, before, BATCH);
      const events = await pruneEvents(db, ANALYSIS_JOB, before, BATCH);
      return Math.max(deliveries, events) >= BATCH ? PAUSE_MS : HOUR_MS;
    },
    pollMs: HOUR_MS,
    onError: (error) => log.error({ err: error }, 'the delivery log could not be pruned'),
  });
}
