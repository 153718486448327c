import { sql } from 'kysely';
import { foldEndings } from '../../../src/store/analysis/analytics.ts';
import type { Db } from '../../../src/store/database.ts';

const PART = 2_000;

/**
 * Inserts and folds calls of a workspace that ended, one a minute from `from` on, of its first agent. One an hour has a
 * result; attempts have no rows.
 */
export async function insertMany(
  db: Db,
  workspaceId: string,
  { from, count }: { readonly from: Date; readonly count: number },
): Promise<void> {
  // In parts, so that no statement lasts long on a busy machine.
  for (let first = 0; first < count; first += PART) {
    const last = Math.min(first + PART, count) - 1;
    await sql`
      insert into calls (workspace_id, id, agent_id, version_id, call_type, to_number, status, sub_status, attempt,
        created_at, updated_at, ended_at)
      select a.workspace_id, gen_random_uuid(), a.id, a.active_version_id, 'outbound', '+12125550123', 'failed', 'BUSY', 1,
        ${from}::timestamptz + n * interval '1 minute', ${from}, ${from}
      from (select * from agents where workspace_id = ${workspaceId} order by id limit 1) a,
        generate_series(${first}::int, ${last}::int) n`.execute(db);
    await db.transaction().execute((tx) => foldEndings(tx, workspaceId, PART));
  }
  await sql`
    update calls set result = 'confirmed', result_source = 'label'
    where workspace_id = ${workspaceId} and extract(minute from created_at) = 0`.execute(db);
}

/** The ended calls of a workspace by day of a zone, counted from the calls. */
export async function countByDay(db: Db, workspaceId: string, zone: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ day: string; calls: number }>`
    select to_char(created_at at time zone ${zone}, 'YYYY-MM-DD') as day, count(*)::int as calls
    from calls where workspace_id = ${workspaceId} and status in ('completed', 'failed', 'error', 'cancelled')
    group by 1 order by 1`.execute(db);
  return new Map(rows.map(({ day, calls }) => [day, calls]));
}
