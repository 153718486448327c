import { caseDocument, type CaseDefinition, type PlayedTurn, type Verdict } from '../json/test-case.ts';
import type { Stored } from '../../shared/wire-names.ts';
import { sql } from 'kysely';
import { storableJson } from '../../shared/storable.ts';
import type { Db, Tx } from '../database.ts';
import type { TestState } from '../schema.ts';

export interface TestRunRow {
  readonly id: string;
  readonly agentId: string;
  readonly versionId: string;
  readonly versionSlug: string;
  readonly runsTools: boolean;
  readonly onModelFailure: 'error' | 'script';
  readonly createdAt: Date;
  /** Null while a case is queued or running. */
  readonly endedAt: Date | null;
  /** Cases by state. */
  readonly counts: Readonly<Partial<Record<TestState, number>>>;
}

export interface TestResultRow {
  readonly caseId: string;
  readonly definition: CaseDefinition;
  readonly state: TestState;
  readonly turns: readonly PlayedTurn[];
  readonly verdicts: readonly Verdict[];
  readonly endReason: string | null;
  readonly error: string | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

/** One result, as its job names it. */
export interface ResultRef {
  readonly workspaceId: string;
  readonly runId: string;
  readonly caseId: string;
}

export async function insertTestRun(
  tx: Tx,
  workspaceId: string,
  run: {
    readonly id: string;
    readonly agentId: string;
    readonly versionId: string;
    readonly runsTools: boolean;
    readonly onModelFailure: 'error' | 'script';
    readonly cases: readonly { readonly id: string; readonly definition: CaseDefinition }[];
  },
  at: Date,
): Promise<void> {
  await tx
    .insertInto('agent_test_runs')
    .values({
      workspace_id: workspaceId,
      id: run.id,
      agent_id: run.agentId,
      version_id: run.versionId,
      runs_tools: run.runsTools,
      on_model_failure: run.onModelFailure,
      created_at: at,
    })
    .execute();
  await tx
    .insertInto('agent_test_results')
    .values(
      run.cases.map(({ id, definition }, position) => ({
        workspace_id: workspaceId,
        run_id: run.id,
        case_id: id,
        version_id: run.versionId,
        position,
        definition: storableJson(caseDocument.write(definition)),
        source_id: sql<string | null>`(select source_id from agent_test_cases
          where workspace_id = ${workspaceId} and id = ${id})`,
        state: 'queued' as const,
        updated_at: at,
      })),
    )
    .execute();
}

/** Runs of the agent that have not ended. */
export async function countOpenRuns(db: Db, workspaceId: string, agentId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct r.run_id)::int as count from agent_test_results r
    join agent_test_runs t on t.workspace_id = r.workspace_id and t.id = r.run_id
    where r.workspace_id = ${workspaceId} and r.state in ('queued', 'running') and t.agent_id = ${agentId}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Deletes the ended runs of the agent beyond the newest `keep`. */
export async function dropOldRuns(tx: Tx, workspaceId: string, agentId: string, keep: number): Promise<void> {
  await sql`
    delete from agent_test_runs t
    where t.workspace_id = ${workspaceId} and t.id in (
      select id from agent_test_runs where workspace_id = ${workspaceId} and agent_id = ${agentId}
      order by created_at desc, id desc offset ${keep})
      and not exists (select from agent_test_results r where r.workspace_id = t.workspace_id and r.run_id = t.id
        and r.state in ('queued', 'running'))`.execute(tx);
}

/** Deletes at most `take` results that ended before `cutoff`, and runs without results; returns how many results. */
export async function dropOldTestResults(
  tx: Tx,
  workspaceId: string,
  cutoff: Date,
  take: number,
): Promise<number> {
  const { rows } = await sql<{ runId: string }>`
    delete from agent_test_results where workspace_id = ${workspaceId} and (run_id, case_id) in (
      select run_id, case_id from agent_test_results
      where workspace_id = ${workspaceId} and updated_at < ${cutoff} and ended_at < ${cutoff}
      order by updated_at limit ${take} for update skip locked)
    returning run_id as "runId"`.execute(tx);
  const runIds = [...new Set(rows.map(({ runId }) => runId))];
  await sql`
    delete from agent_test_runs t where t.workspace_id = ${workspaceId} and t.id = any(${runIds}::uuid[])
      and not exists (select from agent_test_results r where r.workspace_id = t.workspace_id and r.run_id = t.id)`.execute(
    tx,
  );
  return rows.length;
}

/** Runs of the agent, newest first. `runId`: only this one. */
export async function listTestRuns(
  db: Db,
  at: { readonly workspaceId: string; readonly agentId: string; readonly runId?: string },
): Promise<TestRunRow[]> {
  const only = at.runId === undefined ? sql`` : sql`and t.id = ${at.runId}`;
  const { rows } = await sql<TestRunRow>`
    select t.id, t.agent_id as "agentId", t.version_id as "versionId", coalesce(v.slug, '') as "versionSlug",
      t.runs_tools as "runsTools", t.on_model_failure as "onModelFailure", t.created_at as "createdAt", s."endedAt", s.counts
    from agent_test_runs t
    left join agent_versions v on v.workspace_id = t.workspace_id and v.agent_id = t.agent_id and v.id = t.version_id
    cross join lateral (
      select coalesce(jsonb_object_agg(k.state, k.cases), '{}') as counts,
        case when bool_and(k.state not in ('queued', 'running')) then max(k."endedAt") end as "endedAt"
      from (select state, count(*) as cases, max(ended_at) as "endedAt" from agent_test_results r
            where r.workspace_id = t.workspace_id and r.run_id = t.id group by state) k) s
    where t.workspace_id = ${at.workspaceId} and t.agent_id = ${at.agentId} ${only}
    order by t.created_at desc, t.id desc`.execute(db);
  return rows;
}

/** The results of a run, in the order of its cases. */
export async function listTestResults(db: Db, workspaceId: string, runId: string): Promise<TestResultRow[]> {
  const { rows } = await sql<Stored<TestResultRow, 'definition'>>`
    select case_id as "caseId", definition, state, turns, verdicts, end_reason as "endReason", error,
      started_at as "startedAt", ended_at as "endedAt"
    from agent_test_results where workspace_id = ${workspaceId} and run_id = ${runId}
    order by position`.execute(db);
  return caseDocument.readIn(rows, 'definition');
}

export interface BegunResult {
  readonly agentId: string;
  readonly versionId: string;
  readonly runsTools: boolean;
  readonly onModelFailure: 'error' | 'script';
  readonly definition: CaseDefinition;
  /** An earlier try began it and did not end it. */
  readonly wasRunning: boolean;
}

/** Marks a result as running since `at`, which fences off earlier tries; null: it has ended, or its run was deleted. */
export async function beginTestResult(db: Db, ref: ResultRef, at: Date): Promise<BegunResult | null> {
  const { rows } = await sql<Stored<BegunResult, 'definition'>>`
    with known as materialized (
      select state from agent_test_results
      where workspace_id = ${ref.workspaceId} and run_id = ${ref.runId} and case_id = ${ref.caseId}
        and state in ('queued', 'running') for update)
    update agent_test_results r set state = 'running', started_at = ${at}, updated_at = ${at}
    from known k, agent_test_runs t
    where r.workspace_id = ${ref.workspaceId} and r.run_id = ${ref.runId} and r.case_id = ${ref.caseId}
      and t.workspace_id = r.workspace_id and t.id = r.run_id
    returning t.agent_id as "agentId", t.version_id as "versionId", t.runs_tools as "runsTools",
      t.on_model_failure as "onModelFailure", r.definition,
      k.state = 'running' as "wasRunning"`.execute(db);
  return caseDocument.readIn(rows, 'definition')[0] ?? null;
}

/** Stores the end of a result. No effect if it has ended, or another try began after `startedAt`. */
export async function endTestResult(
  db: Db,
  ref: ResultRef,
  end: {
    /** Null: whichever try is running. */
    readonly startedAt: Date | null;
    readonly state: Exclude<TestState, 'queued' | 'running'>;
    readonly turns: readonly object[];
    readonly verdicts: readonly object[];
    readonly endReason: string | null;
    readonly error: string | null;
    readonly versionChangedAt: Date | null;
  },
  at: Date,
): Promise<void> {
  const mine = end.startedAt === null ? sql`` : sql`and started_at = ${end.startedAt}`;
  await sql`
    update agent_test_results set state = ${end.state}, turns = ${storableJson(end.turns)}::jsonb,
      verdicts = ${storableJson(end.verdicts)}::jsonb, end_reason = ${end.endReason}, error = ${end.error},
      version_changed_at = ${end.versionChangedAt}, started_at = coalesce(started_at, ${at}), ended_at = ${at},
      updated_at = ${at}
    where workspace_id = ${ref.workspaceId} and run_id = ${ref.runId} and case_id = ${ref.caseId}
      and state in ('queued', 'running') ${mine}`.execute(db);
}
