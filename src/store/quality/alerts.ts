import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';

/** A rule over checked calls, as a person sets it. */
export interface AlertSettings {
  readonly name: string;
  /** Null: every agent of the workspace. */
  readonly agentId: string | null;
  readonly measure: 'score_below' | 'findings_above';
  /** Null: any detector; of a score always null. */
  readonly detector: string | null;
  /** Points of a score, or percent of calls. */
  readonly threshold: number;
  readonly margin: number;
  readonly minimumCalls: number;
  readonly windowHours: number;
}

export interface QualityAlert extends AlertSettings {
  /** Null: the alert is not raised. */
  readonly raisedAt: Date | null;
  /** Null: the window was not measured yet. */
  readonly measuredAt: Date | null;
  readonly measuredCalls: number | null;
  readonly measuredValue: number | null;
}

const COLUMNS = sql`name, agent_id as "agentId", measure, detector, threshold, margin, minimum_calls as "minimumCalls",
  window_hours as "windowHours", raised_at as "raisedAt", measured_at as "measuredAt", measured_calls as "measuredCalls",
  measured_value::float8 as "measuredValue"`;

/** The rules of a workspace in its order. */
export async function listAlerts(db: Db, workspaceId: string): Promise<QualityAlert[]> {
  const { rows } = await sql<QualityAlert>`
    select ${COLUMNS} from quality_alerts where workspace_id = ${workspaceId} order by place`.execute(db);
  return rows;
}

/** Replaces the rules of a workspace; one that stays the same keeps whether it is raised. */
export async function replaceAlerts(
  tx: Tx,
  workspaceId: string,
  rules: readonly AlertSettings[],
): Promise<void> {
  const kept = rules.map(({ name }) => name);
  await sql`
    delete from quality_alerts where workspace_id = ${workspaceId} and not name = any(${kept}::text[])`.execute(
    tx,
  );
  for (const [place, rule] of rules.entries())
    await sql`
      insert into quality_alerts as a (workspace_id, name, place, agent_id, measure, detector, threshold, margin,
        minimum_calls, window_hours)
      values (${workspaceId}, ${rule.name}, ${place}::int, ${rule.agentId}, ${rule.measure}, ${rule.detector},
        ${rule.threshold}::int, ${rule.margin}::int, ${rule.minimumCalls}::int, ${rule.windowHours}::int)
      on conflict (workspace_id, name) do update set place = excluded.place, agent_id = excluded.agent_id,
        measure = excluded.measure, detector = excluded.detector, threshold = excluded.threshold, margin = excluded.margin,
        minimum_calls = excluded.minimum_calls, window_hours = excluded.window_hours,
        raised_at = case when ${isSame} then a.raised_at end, measured_at = case when ${isSame} then a.measured_at end,
        measured_calls = case when ${isSame} then a.measured_calls end,
        measured_value = case when ${isSame} then a.measured_value end`.execute(tx);
}
const isSame = sql`(a.agent_id, a.measure, a.detector, a.threshold, a.margin, a.minimum_calls, a.window_hours)
  is not distinct from (excluded.agent_id, excluded.measure, excluded.detector, excluded.threshold, excluded.margin,
    excluded.minimum_calls, excluded.window_hours)`;

/** Rules of every workspace that were not measured since, those that wait longest first. */
export async function listDueAlerts(
  db: Db,
  measuredBefore: Date,
  most: number,
): Promise<{ workspaceId: string; name: string }[]> {
  const { rows } = await sql<{ workspaceId: string; name: string }>`
    select workspace_id as "workspaceId", name from quality_alerts
    where measured_at is null or measured_at <= ${measuredBefore}
    order by measured_at nulls first limit ${most}::int`.execute(db);
  return rows;
}

/** Locks a rule; undefined: another process measures it, or has done so, or the rule is gone. */
export async function lockDueAlert(
  tx: Tx,
  { workspaceId, name }: { readonly workspaceId: string; readonly name: string },
  measuredBefore: Date,
): Promise<QualityAlert | undefined> {
  const { rows } = await sql<QualityAlert>`
    select ${COLUMNS} from quality_alerts
    where workspace_id = ${workspaceId} and name = ${name} and (measured_at is null or measured_at <= ${measuredBefore})
    for update skip locked`.execute(tx);
  return rows[0];
}

/** The calls of a rule that were checked since then, and its value in the unit of its threshold, without false alarms. */
export async function measureAlert(
  db: Db,
  workspaceId: string,
  { agentId, measure, detector }: AlertSettings,
  since: Date,
): Promise<{ readonly calls: number; readonly value: number | null }> {
  const window = sql`
    c.workspace_id = ${workspaceId} and c.day >= (${since}::timestamptz at time zone 'UTC')::date - 1 and c.checked_at > ${since}
    ${agentId === null ? sql`` : sql`and c.agent_id = ${agentId}`}`;
  const finding = sql`
    exists (select from call_findings f where f.workspace_id = c.workspace_id and f.call_id = c.call_id and f.false_at is null
      ${detector === null ? sql`` : sql`and f.detector = ${detector}`})`;
  const figures =
    measure === 'score_below'
      ? sql`count(c.score)::int as calls, avg(c.score)::float8 as value`
      : sql`count(*)::int as calls, (100 * avg(${finding}::int))::float8 as value`;
  const { rows } = await sql<{ calls: number; value: number | null }>`
    select ${figures} from call_checks c where ${window}`.execute(db);
  return rows[0] ?? { calls: 0, value: null };
}

/** Stores a measurement; `raisedAt`: since when the alert is raised. */
export async function storeMeasured(
  tx: Tx,
  workspaceId: string,
  name: string,
  of: {
    readonly at: Date;
    readonly calls: number;
    readonly value: number | null;
    readonly raisedAt: Date | null;
  },
): Promise<void> {
  await tx
    .updateTable('quality_alerts')
    .set({
      measured_at: of.at,
      measured_calls: of.calls,
      measured_value: of.value,
      raised_at: of.raisedAt,
    })
    .where('workspace_id', '=', workspaceId)
    .where('name', '=', name)
    .execute();
}
