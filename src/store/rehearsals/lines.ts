import { sql } from 'kysely';
import { storableJson } from '../../shared/storable.ts';
import type { Db } from '../database.ts';
import type { RehearsalRef } from './rehearsals.ts';

/** Why a rehearsal ended before its last call. */
export type RehearsalStop = 'max_cost' | 'credits' | 'no_model';

/** The recorded line of a call; null: there is none. */
export async function findLine(db: Db, ref: RehearsalRef, call: number, key: string): Promise<object | null> {
  const row = await db
    .selectFrom('rehearsal_lines')
    .select('line')
    .where('workspace_id', '=', ref.workspaceId)
    .where('rehearsal_id', '=', ref.rehearsalId)
    .where('call', '=', call)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.line ?? null;
}

/**
 * Counts `worst` as spent before a line is asked for, so that a crash loses no cost. `beyond`: it would pass the budget; `over`: the
 * rehearsal was cancelled or deleted.
 */
export async function reserveLine(
  db: Db,
  ref: RehearsalRef,
  worst: number,
): Promise<'reserved' | 'beyond' | 'over'> {
  const { rows } = await sql<{ isWithin: boolean }>`
    with open as (
      select workspace_id, id, max_cost is null or spent + ${worst}::bigint <= max_cost as "isWithin" from rehearsals
      where workspace_id = ${ref.workspaceId} and id = ${ref.rehearsalId} and state = 'running' for update),
    counted as (
      update rehearsals r set spent = spent + ${worst}::bigint from open o
      where r.workspace_id = o.workspace_id and r.id = o.id and o."isWithin")
    select "isWithin" from open`.execute(db);
  const [open] = rows;
  if (open === undefined) return 'over';
  return open.isWithin ? 'reserved' : 'beyond';
}

/** Gives back what a reserved line did not cost. */
export async function returnReserve(db: Db, ref: RehearsalRef, unused: number): Promise<void> {
  await sql`
    update rehearsals set spent = spent - ${unused}::bigint
    where workspace_id = ${ref.workspaceId} and id = ${ref.rehearsalId}`.execute(db);
}

/** Records a line; of two processes that ask for the same one, both get what the first recorded. `unused`: of what was reserved. */
export async function recordLine(
  db: Db,
  ref: RehearsalRef,
  of: { readonly call: number; readonly key: string; readonly line: object; readonly unused: number },
): Promise<object> {
  const { rows } = await sql<{ line: object }>`
    with paid as (
      update rehearsals set spent = spent - ${of.unused}::bigint
      where workspace_id = ${ref.workspaceId} and id = ${ref.rehearsalId})
    insert into rehearsal_lines (workspace_id, rehearsal_id, call, key, line)
    values (${ref.workspaceId}, ${ref.rehearsalId}, ${of.call}, ${of.key}, ${storableJson(of.line)}::jsonb)
    on conflict (workspace_id, rehearsal_id, call, key) do update set call = excluded.call
    returning line`.execute(db);
  return rows[0]?.line ?? of.line;
}

/** What a rehearsal may cost and has cost; null: it was deleted. */
export async function readBudget(
  db: Db,
  ref: RehearsalRef,
): Promise<{ readonly most: number | null; readonly spent: number } | null> {
  const row = await db
    .selectFrom('rehearsals')
    .select(['max_cost as most', 'spent'])
    .where('workspace_id', '=', ref.workspaceId)
    .where('id', '=', ref.rehearsalId)
    .executeTakeFirst();
  return row ?? null;
}

/** Notes why a running rehearsal plays no more calls. */
export async function noteStop(db: Db, ref: RehearsalRef, reason: RehearsalStop): Promise<void> {
  await db
    .updateTable('rehearsals')
    .set({ stopped_by: reason })
    .where('workspace_id', '=', ref.workspaceId)
    .where('id', '=', ref.rehearsalId)
    .where('state', '=', 'running')
    .execute();
}
