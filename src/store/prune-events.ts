import { sql } from 'kysely';
import type { Db } from './database.ts';
import { idBefore } from './retention.ts';

/**
 * Removes events told before `before` that no delivery is left of, at most `limit` per workspace; returns how many.
 * Those of a call that may still tell something stay: by them it knows what it has told. `analysisJob` is the kind of
 * job that tells its end.
 */
export async function pruneEvents(db: Db, analysisJob: string, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from events e using (
      select p.workspace_id, p.id from workspaces w cross join lateral (
        select workspace_id, id from events o
        where workspace_id = w.id and id < ${idBefore(before)} and occurred_at < ${before}
          and not exists (select from deliveries d
            where d.workspace_id = o.workspace_id and d.call_id = o.call_id and d.event_seq = o.seq)
          and not exists (select from calls c where c.workspace_id = o.workspace_id and c.id = o.call_id
            and (c.status in ('registered', 'ongoing', 'retry') or c.updated_at >= ${before}))
          and not exists (select from jobs j where j.kind = ${analysisJob} and j.dedup = o.call_id::text
            and j.workspace_id = o.workspace_id and j.state = 'due')
          and not exists (select from recording_files f where f.workspace_id = o.workspace_id
            and f.call_id = o.call_id and f.state in ('repair', 'upload'))
        order by id limit ${limit} for update of o skip locked) p) old
    where e.workspace_id = old.workspace_id and e.id = old.id`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
