import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Upper bound of the reported counts, which bounds the cost of counting. */
const MAX_COUNTED = 100_000;

export interface Backlog {
  /** Due time of the oldest due individual call; null: none is due. */
  readonly oldestDueCall: Date | null;
  /** Due deliveries, up to `MAX_COUNTED`, and the due time of the oldest one. */
  readonly dueDeliveries: number;
  readonly oldestDelivery: Date | null;
}

/** Due work of all processes that has not started. */
export async function readBacklog(db: Db, now: Date): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select (select min(c.next_attempt_at) from workspaces w
              cross join lateral (select next_attempt_at from calls
                where workspace_id = w.id and status in ('registered', 'retry') and campaign_id is null
                  and next_attempt_at <= ${now}
                order by next_attempt_at limit 1) c
              where w.next_due_at < 'infinity') as "oldestDueCall",
           d.count as "dueDeliveries", d.oldest as "oldestDelivery"
    from (select count(*) as count, min(due_at) as oldest from
            (select due_at from delivery_queue where due_at <= ${now} limit ${MAX_COUNTED}) q) d`.execute(db);
  return rows[0]!;
}
