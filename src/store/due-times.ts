import { sql } from 'kysely';
import { onQueue } from './by-index.ts';
import type { Db } from './database.ts';
import { RECEIVERS } from './deliveries.ts';

/** Read for each receiver: one with more has to wait for room, not for a look. */
const READ = 100;

/** When deliveries come due between two instants, whoever wrote them, in epoch ms. */
export async function dueTimes(db: Db, after: Date, until: Date): Promise<number[]> {
  const { rows } = await onQueue(db, 'later', (tx) =>
    sql<{ dueAt: number }>`/* hot:due_times */
      with recursive ${RECEIVERS}
      select distinct extract(epoch from d.due_at)::float8 * 1000 as "dueAt" from receivers r
      cross join lateral (
        select q.due_at from delivery_queue q
        where q.host = r.host and q.workspace_id = r.workspace_id and q.due_at > ${after} and q.due_at <= ${until}
        order by q.due_at limit ${READ}) d`.execute(tx),
  );
  return rows.map(({ dueAt }) => dueAt);
}
