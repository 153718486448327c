import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { withIndexPlans } from '../plans.ts';
import { RECEIVERS, type TakenAttempt } from './deliveries.ts';

/** Due times read per receiver. One with more waits for its quota, not for a poll. */
const TIMES_EACH = 100;

/** The due times between two instants, of deliveries inserted by any process, in epoch ms. */
export async function dueTimes(db: Db, after: Date, until: Date): Promise<number[]> {
  const { rows } = await withIndexPlans(db, 'later', (tx) =>
    sql<{ dueAt: number }>`/* hot:due_times */
      with recursive ${RECEIVERS}
      select distinct extract(epoch from d.due_at)::float8 * 1000 as "dueAt" from receivers r
      cross join lateral (
        select q.due_at from delivery_queue q
        where q.host = r.host and q.workspace_id = r.workspace_id and q.due_at > ${after} and q.due_at <= ${until}
        order by q.due_at limit ${TIMES_EACH}) d`.execute(tx),
  );
  return rows.map(({ dueAt }) => dueAt);
}

/** Rolls back the attempts of leased deliveries that cannot be sent, and holds them until `releaseDeliveries`. */
export async function holdDeliveries(db: Db, taken: readonly TakenAttempt[]): Promise<void> {
  const leases = taken.map(({ leaseUntil }) => new Date(leaseUntil).toISOString());
  await withIndexPlans(db, 'now', (tx) =>
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

/** Makes held deliveries due at `now`, except those of the workspaces `aside`. */
export async function releaseDeliveries(db: Db, aside: readonly string[], now: Date): Promise<void> {
  await withIndexPlans(db, 'now', (tx) =>
    sql`
      update delivery_queue set due_at = ${now}
      where due_at = 'infinity' and workspace_id <> all (${[...aside]}::uuid[])`.execute(tx),
  );
}
