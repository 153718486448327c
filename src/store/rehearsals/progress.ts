import { sql } from 'kysely';
import { storableJson } from '../../shared/storable.ts';
import type { Db } from '../database.ts';
import type { RehearsalResult } from '../json/rehearsal.ts';
import type { PlanRow, RehearsalRef } from './rehearsals.ts';

/** Marks a rehearsal as running; null: it has ended, or was deleted. `played`: calls of earlier tries. */
export async function beginRehearsal(
  db: Db,
  ref: RehearsalRef,
  at: Date,
): Promise<(PlanRow & { readonly played: number }) | null> {
  const { rows } = await sql<PlanRow & { readonly played: number }>`
    update rehearsals set state = 'running', started_at = coalesce(started_at, ${at})
    where workspace_id = ${ref.workspaceId} and id = ${ref.rehearsalId} and state in ('queued', 'running')
    returning seed, timing, mode, recogniser, at_once as "atOnce", scenarios, spec, against_spec as "againstSpec", calls, by_model as "byModel", played`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Stores judged calls, once however often they are stored. False: the rehearsal was cancelled or deleted. */
export async function storeJudgedCalls(
  db: Db,
  ref: RehearsalRef,
  calls: { readonly first: number; readonly judged: readonly object[] },
): Promise<boolean> {
  const { first, judged } = calls;
  const { rows } = await sql<{ id: string }>`
    with open as (
      update rehearsals set played = greatest(played, ${first + judged.length}::int)
      where workspace_id = ${ref.workspaceId} and id = ${ref.rehearsalId} and state = 'running'
      returning workspace_id, id),
    kept as (
      insert into rehearsal_calls (workspace_id, rehearsal_id, first_call, judged)
      select workspace_id, id, ${first}::int, ${storableJson(judged)}::jsonb from open
      on conflict do nothing)
    select id from open`.execute(db);
  return rows.length > 0;
}

/** What was judged so far, in the order of the calls. */
export async function readJudgedCalls(db: Db, ref: RehearsalRef): Promise<object[]> {
  const rows = await db
    .selectFrom('rehearsal_calls')
    .select('judged')
    .where('workspace_id', '=', ref.workspaceId)
    .where('rehearsal_id', '=', ref.rehearsalId)
    .orderBy('first_call')
    .execute();
  return rows.flatMap(({ judged }) => judged);
}

/** Stores the result in place of the judged calls; a cancelled rehearsal stays cancelled. */
export async function endRehearsal(
  db: Db,
  ref: RehearsalRef,
  end: { readonly result: RehearsalResult } | { readonly error: string },
  at: Date,
): Promise<void> {
  const [state, result, error] =
    'error' in end
      ? (['error', null, end.error] as const)
      : (['ended', storableJson(end.result), null] as const);
  await sql`
    with ended as (
      update rehearsals set state = case when state = 'cancelled' then state else ${state} end,
        result = ${result}::jsonb, error = ${error}, ended_at = coalesce(ended_at, ${at})
      where workspace_id = ${ref.workspaceId} and id = ${ref.rehearsalId} and result is null
        and state in ('running', 'queued', 'cancelled')
      returning workspace_id, id)
    delete from rehearsal_calls c using ended e
    where c.workspace_id = e.workspace_id and c.rehearsal_id = e.id`.execute(db);
}
