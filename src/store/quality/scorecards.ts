import { sql } from 'kysely';
import { storableJson } from '../../shared/storable.ts';
import type { Db, Tx } from '../database.ts';
import type { ScoreCriterion, ScoreVerdict } from '../json/scorecard.ts';

export interface Scorecard {
  readonly version: number;
  readonly criteria: readonly ScoreCriterion[];
  /** The share of checked calls that is scored. */
  readonly percent: number;
  /** Calls with a finding are scored in any case. */
  readonly withFindings: boolean;
  readonly createdAt: Date;
}

/** The newest scorecard of an agent. */
export async function findScorecard(
  db: Db,
  workspaceId: string,
  agentId: string,
): Promise<Scorecard | undefined> {
  const { rows } = await sql<Scorecard>`
    select version, criteria, percent, with_findings as "withFindings", created_at as "createdAt"
    from scorecards where workspace_id = ${workspaceId} and agent_id = ${agentId}
    order by version desc limit 1`.execute(db);
  return rows[0];
}

/** Adds a version; the agent is locked. */
export async function insertScorecard(
  tx: Tx,
  workspaceId: string,
  agentId: string,
  card: Omit<Scorecard, 'version' | 'createdAt'>,
  at: Date,
): Promise<void> {
  await sql`
    insert into scorecards (workspace_id, agent_id, version, criteria, percent, with_findings, created_at)
    select ${workspaceId}, ${agentId}, coalesce(max(version), 0) + 1, ${storableJson(card.criteria)}::jsonb,
      ${card.percent}::int, ${card.withFindings}::boolean, ${at}
    from scorecards where workspace_id = ${workspaceId} and agent_id = ${agentId}`.execute(tx);
}

export interface StoredScore {
  readonly scorecardVersion: number;
  /** 0 to 100; null: no criterion could be judged. */
  readonly score: number | null;
  /** Null: erased. */
  readonly verdicts: readonly ScoreVerdict[] | null;
}

export async function storeScore(
  tx: Tx,
  workspaceId: string,
  callId: string,
  of: StoredScore,
): Promise<void> {
  await tx
    .updateTable('call_checks')
    .set({
      scorecard_version: of.scorecardVersion,
      score: of.score,
      verdicts: storableJson(of.verdicts),
    })
    .where('workspace_id', '=', workspaceId)
    .where('call_id', '=', callId)
    .execute();
}

/** The score of a call; null: it was not scored. */
export async function findScore(db: Db, workspaceId: string, callId: string): Promise<StoredScore | null> {
  const { rows } = await sql<StoredScore>`
    select scorecard_version as "scorecardVersion", score::float8 as score, verdicts from call_checks
    where workspace_id = ${workspaceId} and call_id = ${callId} and scorecard_version is not null`.execute(
    db,
  );
  return rows[0] ?? null;
}
