import { sql } from 'kysely';
import { storableJson } from '../../shared/storable.ts';
import type { Db, Tx } from '../database.ts';
import type { RehearsalResult } from '../json/rehearsal.ts';
import type { RehearsalMode, RehearsalState } from '../schema.ts';
import type { RehearsalStop } from './lines.ts';

export interface NewRehearsal {
  readonly id: string;
  readonly agentId: string;
  readonly versionId: string;
  readonly againstId: string | null;
  readonly versionTag: string;
  readonly againstTag: string | null;
  readonly seed: number;
  readonly calls: number;
  readonly timing: string;
  readonly mode: RehearsalMode;
  /** Who hears the callers by sound; null: by text. */
  readonly recogniser: string | null;
  /** Calls by sound at a time; null: by text. */
  readonly atOnce: number | null;
  readonly scenarios: readonly object[];
  readonly spec: object;
  readonly againstSpec: object | null;
  /** The call whose caller is simulated; null: none. */
  readonly sourceId: string | null;
  /** A model words callers. */
  readonly byModel: boolean;
  /** Millionths of `currency`; null: no limit. */
  readonly maxCost: number | null;
  /** Null: no model is asked, or it has no price. */
  readonly currency: string | null;
}

export interface RehearsalRow extends Omit<
  NewRehearsal,
  'scenarios' | 'spec' | 'againstSpec' | 'versionTag' | 'againstTag'
> {
  readonly versionSlug: string;
  readonly againstSlug: string | null;
  readonly state: RehearsalState;
  /** Calls that were played and judged. */
  readonly played: number;
  /** Millionths of `currency`. */
  readonly spent: number;
  /** Null: it did not end before its last call. */
  readonly stoppedBy: RehearsalStop | null;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

/** What decides the calls of a rehearsal. */
export type PlanRow = Pick<
  NewRehearsal,
  | 'seed'
  | 'timing'
  | 'mode'
  | 'recogniser'
  | 'atOnce'
  | 'scenarios'
  | 'spec'
  | 'againstSpec'
  | 'calls'
  | 'byModel'
>;

export interface RehearsalRef {
  readonly workspaceId: string;
  readonly rehearsalId: string;
}

export async function insertRehearsal(
  tx: Tx,
  workspaceId: string,
  of: NewRehearsal,
  at: Date,
): Promise<void> {
  await tx
    .insertInto('rehearsals')
    .values({
      workspace_id: workspaceId,
      id: of.id,
      agent_id: of.agentId,
      version_id: of.versionId,
      against_id: of.againstId,
      version_tag: of.versionTag,
      against_tag: of.againstTag,
      seed: of.seed,
      calls: of.calls,
      timing: of.timing,
      mode: of.mode,
      recogniser: of.recogniser,
      at_once: of.atOnce,
      scenarios: storableJson(of.scenarios),
      spec: storableJson(of.spec),
      against_spec: of.againstSpec === null ? null : storableJson(of.againstSpec),
      source_id: of.sourceId,
      by_model: of.byModel,
      max_cost: of.maxCost,
      currency: of.currency,
      state: 'queued',
      created_at: at,
    })
    .execute();
}

/** Rehearsals of the agent that have not ended. */
export async function countOpenRehearsals(db: Db, workspaceId: string, agentId: string): Promise<number> {
  const row = await db
    .selectFrom('rehearsals')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('agent_id', '=', agentId)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Deletes the ended rehearsals of the agent beyond the newest `keep`. */
export async function dropOldRehearsals(
  tx: Tx,
  workspaceId: string,
  agentId: string,
  keep: number,
): Promise<void> {
  await sql`
    delete from rehearsals where workspace_id = ${workspaceId} and state not in ('queued', 'running') and id in (
      select id from rehearsals where workspace_id = ${workspaceId} and agent_id = ${agentId}
      order by created_at desc, id desc offset ${keep})`.execute(tx);
}

/** Deletes at most `take` rehearsals that ended before `cutoff`; returns how many. */
export async function dropRehearsalsBefore(
  tx: Tx,
  workspaceId: string,
  cutoff: Date,
  take: number,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from rehearsals where workspace_id = ${workspaceId} and id in (
      select id from rehearsals where workspace_id = ${workspaceId} and ended_at < ${cutoff}
      order by ended_at limit ${take} for update skip locked)
    returning id`.execute(tx);
  return rows.length;
}

/** Rehearsals of the agent, newest first. `rehearsalId`: only this one. */
export async function listRehearsals(
  db: Db,
  at: { readonly workspaceId: string; readonly agentId: string; readonly rehearsalId?: string },
): Promise<RehearsalRow[]> {
  const only = at.rehearsalId === undefined ? sql`` : sql`and r.id = ${at.rehearsalId}`;
  const { rows } = await sql<RehearsalRow>`
    select r.id, r.agent_id as "agentId", r.version_id as "versionId", r.against_id as "againstId",
      coalesce(v.slug, '') as "versionSlug", w.slug as "againstSlug", r.source_id as "sourceId", r.seed, r.calls, r.timing, r.mode, r.recogniser,
      r.at_once as "atOnce", r.state, r.played, r.by_model as "byModel", r.max_cost as "maxCost", r.spent, r.currency,
      r.stopped_by as "stoppedBy", r.error, r.created_at as "createdAt", r.started_at as "startedAt", r.ended_at as "endedAt"
    from rehearsals r
    left join agent_versions v on v.workspace_id = r.workspace_id and v.agent_id = r.agent_id and v.id = r.version_id
    left join agent_versions w on w.workspace_id = r.workspace_id and w.agent_id = r.agent_id and w.id = r.against_id
    where r.workspace_id = ${at.workspaceId} and r.agent_id = ${at.agentId} ${only}
    order by r.created_at desc, r.id desc`.execute(db);
  return rows;
}

export async function findResult(
  db: Db,
  { workspaceId, rehearsalId }: RehearsalRef,
): Promise<RehearsalResult | null> {
  const row = await db
    .selectFrom('rehearsals')
    .select('result')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', rehearsalId)
    .executeTakeFirst();
  return row?.result ?? null;
}

export async function findPlan(
  db: Db,
  { workspaceId, rehearsalId }: RehearsalRef,
): Promise<PlanRow | undefined> {
  return db
    .selectFrom('rehearsals')
    .select(['seed', 'timing', 'mode', 'recogniser', 'at_once as atOnce', 'by_model as byModel'])
    .select(['scenarios', 'spec', 'against_spec as againstSpec', 'calls'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', rehearsalId)
    .executeTakeFirst();
}

/** What the newest ended rehearsal of these two contents with so many calls shows; null: there is none. */
export async function lastComparison(
  db: Db,
  workspaceId: string,
  of: { readonly agentId: string; readonly tag: string; readonly liveTag: string; readonly calls: number },
): Promise<{ readonly isWorse: boolean; readonly reasons: readonly string[] } | null> {
  const row = await db
    .selectFrom('rehearsals')
    .select('result')
    .where('workspace_id', '=', workspaceId)
    .where('agent_id', '=', of.agentId)
    .where('version_tag', '=', of.tag)
    .where('against_tag', '=', of.liveTag)
    .where('state', '=', 'ended')
    // One that stopped early compared fewer.
    .where('played', '>=', of.calls)
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const comparison = row?.result?.comparison ?? null;
  return comparison === null ? null : { isWorse: comparison.is_worse, reasons: comparison.reasons };
}

/** False: it has ended already, or is unknown. */
export async function cancelRehearsal(db: Db, ref: RehearsalRef, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('rehearsals')
    .set({ state: 'cancelled', ended_at: at })
    .where('workspace_id', '=', ref.workspaceId)
    .where('id', '=', ref.rehearsalId)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
