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
