import { sql } from 'kysely';
import { onQueue } from './by-index.ts';
import type { Db } from './database.ts';
import type { TakenAttempt } from './deliveries.ts';

/**
 * Puts deliveries back that were taken and cannot be sent, as if their attempt had never begun. Nobody takes them
 * until they are released.
 */
export async function holdDeliveries(db: Db, taken: readonly TakenAttempt[]): Promise<void> {
  const leases = taken.map(({ leaseUntil }) => new Date(leaseUntil).toISOString());
  await onQueue(db, 'now', (tx) =>
    sql`
      update delivery_queue q set attempt = h.attempt - 1, leased_until = '-infinity', due_at = 'infinity'
      from unnest(${taken.map((each) => each.workspaceId)}::uuid[], ${taken.map((each) => each.id)}::uuid[],
                  ${taken.map((each) => each.attempt)}::smallint[], ${leases}::timestamptz[])
        as h (workspace_id, id, attempt, lease)
      where q.workspace_id = h.workspace_id and q.id = h.id and q.attempt = h.attempt and q.leased_until = h.lease`.execute(
      tx,
    ),
  );
}

/** Makes held deliveries due at `now`, those of some workspaces aside. */
export async function releaseDeliveries(db: Db, aside: readonly string[], now: Date): Promise<void> {
  await onQueue(db, 'now', (tx) =>
    sql`
      update delivery_queue set due_at = ${now}
      where due_at = 'infinity' and workspace_id <> all (${[...aside]}::uuid[])`.execute(tx),
  );
}
