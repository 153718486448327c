import { sql } from 'kysely';
import type { Db } from '../database.ts';

/**
 * Takes or renews the registrations of trunks for a process until `endsAt`: those that no other process holds. A row whose
 * process is fenced or has left counts as ended. Returns the trunks that the process holds now.
 */
export async function holdRegistrations(
  db: Db,
  nodeId: string,
  trunkIds: readonly string[],
  times: { readonly now: Date; readonly endsAt: Date },
): Promise<string[]> {
  if (trunkIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    insert into trunk_registrations as r (trunk_id, node_id, ends_at)
    select id, ${nodeId}, ${times.endsAt}::timestamptz from unnest(${trunkIds}::uuid[]) id order by id
    on conflict (trunk_id) do update set node_id = excluded.node_id, ends_at = excluded.ends_at
    where r.node_id = excluded.node_id or r.ends_at <= ${times.now}
      or not exists (select from nodes n where n.id = r.node_id and n.fenced_at is null)
    returning r.trunk_id as id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Frees the registrations of a process for the others. */
export async function freeRegistrations(db: Db, nodeId: string): Promise<void> {
  await sql`delete from trunk_registrations where node_id = ${nodeId}`.execute(db);
}
