import { ANALYSIS_JOB } from '../../domain/calls/queue-analyses.ts';
import { isAscii } from 'node:buffer';
import { RECEIVER_DISABLED } from '../../domain/webhooks/delivery-rules.ts';
import type { JsonObject } from '../../store/schema.ts';
import type { SafeResponse } from '../../net/safe-fetch.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { Poller } from '../../shared/poller.ts';
import type { Db } from '../../store/database.ts';
import { pruneDeliveries } from '../../store/webhooks/delivery-log.ts';
import { pruneEvents } from '../../store/webhooks/events.ts';

/** Reasons why an attempt ended without a response from the receiver's side. */
export type AttemptFailure =
  /** Too many sending processes crashed during this attempt. */
  | 'interrupted'
  /** An internal error of this service. */
  | 'broken_off'
  | 'too_large'
  | typeof RECEIVER_DISABLED;

const DETAILS: Readonly<Record<AttemptFailure, string>> = {
  interrupted: 'every process that tried to send it ended before it had a response',
  broken_off: 'an internal error of this service ended the attempt',
  [RECEIVER_DISABLED]: 'its receiver is disabled, because it accepted nothing for five days',
  too_large: 'the event is too large to be sent',
};
/** How much of a response body the delivery log stores. */
const BODY_BYTES = 1024;

/** The delivery log's entry for one attempt. */
export function deliveryLogEntry(
  attempt: number,
  startedAt: number,
  endedAt: number,
  outcome: SafeResponse | AttemptFailure,
): JsonObject {
  const log = { attempt, at: new Date(startedAt).toISOString(), duration_ms: endedAt - startedAt };
  if (typeof outcome === 'string') {
    return { ...log, status: null, body: null, error: outcome, detail: DETAILS[outcome] };
  }
  if (!outcome.ok)
    return { ...log, status: null, body: null, error: outcome.failure, detail: outcome.detail };
  return { ...log, status: outcome.status, body: excerpt(outcome.body), error: null, detail: null };
}

/** The start of a response body as text. PostgreSQL text cannot store NUL, so it is replaced. */
function excerpt(body: Buffer): string | null {
  if (body.length === 0) return null;
  const beginning = body.subarray(0, BODY_BYTES);
  const text = isAscii(beginning)
    ? beginning.toString('latin1')
    : new TextDecoder().decode(beginning, { stream: true });
  return text.replaceAll('\0', '\u{fffd}');
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Rows of one workspace deleted per statement, and the pause between statements. */
const BATCH = 1000;
const PAUSE_MS = 200;

/**
 * Deletes delivery log entries older than `keepDays`, and events that no delivery or job needs any more, in small
 * batches.
 */
export function deliveryLogPruner(options: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly keepDays: number;
}): Poller {
  const { db, clock, log, keepDays } = options;
  return new Poller({
    poll: async () => {
      const before = new Date(clock.now() - keepDays * DAY_MS);
      const deliveries = await pruneDeliveries(db, before, BATCH);
      const events = await pruneEvents(db, ANALYSIS_JOB, before, BATCH);
      return Math.max(deliveries, events) >= BATCH ? PAUSE_MS : HOUR_MS;
    },
    pollMs: HOUR_MS,
    onError: (error) => log.error({ err: error }, 'the delivery log could not be pruned'),
  });
}
