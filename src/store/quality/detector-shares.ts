import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface DetectorCount {
  readonly detector: string;
  readonly calls: number;
  readonly falseAlarms: number;
}

/** Days are UTC dates, both inclusive; null: no limit. */
export interface CheckFilter {
  readonly agentId: string | null;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

const isIn = (workspaceId: string, { agentId, firstDay, lastDay }: CheckFilter) => sql`
  workspace_id = ${workspaceId}
  ${agentId === null ? sql`` : sql`and agent_id = ${agentId}`}
  ${firstDay === null ? sql`` : sql`and day >= ${firstDay}::date`}
  ${lastDay === null ? sql`` : sql`and day <= ${lastDay}::date`}`;

/** How many calls were checked. */
export async function countChecks(db: Db, workspaceId: string, filter: CheckFilter): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select count(*)::int as calls from call_checks where ${isIn(workspaceId, filter)}`.execute(db);
  return rows[0]?.calls ?? 0;
}

/** In how many calls each detector found something, and how many of these were marked as false alarms. */
export async function countFindings(
  db: Db,
  workspaceId: string,
  filter: CheckFilter,
): Promise<DetectorCount[]> {
  const { rows } = await sql<DetectorCount>`
    select detector, count(*)::int as calls, count(false_at)::int as "falseAlarms"
    from call_findings where ${isIn(workspaceId, filter)}
    group by detector order by calls desc, detector`.execute(db);
  return rows;
}

/** The checked calls of one day. */
export interface QualityDay {
  /** `YYYY-MM-DD`, in UTC. */
  readonly date: string;
  readonly checkedCalls: number;
  /** Calls with a finding that is no false alarm. */
  readonly callsWithFinding: number;
  readonly scoredCalls: number;
  /** 0 to 100; null: no call was scored. */
  readonly meanScore: number | null;
  /** Calls of each detector, without false alarms. */
  readonly detectors: Readonly<Record<string, number>>;
}

/** The checked calls by day, oldest first; days without any are left out. At most the newest `most` days. */
export async function listDays(
  db: Db,
  workspaceId: string,
  filter: CheckFilter,
  most: number,
): Promise<QualityDay[]> {
  const where = isIn(workspaceId, filter);
  const { rows } = await sql<QualityDay>`
    with checked as (
      select day, count(*)::int as calls, count(score)::int as scored, avg(score)::float8 as mean
      from call_checks where ${where} group by day order by day desc limit ${most}::int),
    found as (
      select day, detector, count(*)::int as calls from call_findings where ${where} and false_at is null
      group by day, detector),
    alarmed as (
      select day, count(distinct call_id)::int as calls from call_findings where ${where} and false_at is null
      group by day)
    select c.day::text as date, c.calls as "checkedCalls", coalesce(a.calls, 0) as "callsWithFinding",
      c.scored as "scoredCalls", c.mean as "meanScore",
      coalesce((select jsonb_object_agg(f.detector, f.calls) from found f where f.day = c.day), '{}') as detectors
    from checked c left join alarmed a on a.day = c.day order by c.day`.execute(db);
  return rows;
}
