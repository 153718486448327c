import { callTimeDocument, type CallTime } from '../json/call-config.ts';
import type { Wire } from '../../shared/wire-names.ts';
import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { familyParts } from '../scheduler/call-limit.ts';

/** More ended attempts than this are not counted for the pace. */
const MAX_RECENT = 10_000;

/** Where a campaign's queue and its pace stand. */
export interface QueueFacts {
  /** Dialled attempts that ended after `since`, and when the first of them did. */
  readonly recent: number;
  readonly firstEnd: Date | null;
  /** The sub-status of the next contact; null: none waits. */
  readonly reason: string | null;
  readonly nextAttemptAt: Date | null;
  /** When the last waiting contact is due. */
  readonly lastDueAt: Date | null;
  /** Concurrent calls of the workspace, without those of its children. */
  readonly callLimit: number;
}

/** Reads the facts along indexes, so that their cost does not depend on the length of the list. */
export async function readQueue(
  db: Db,
  workspaceId: string,
  campaignId: string,
  since: Date,
): Promise<QueueFacts> {
  const { family, ownLimit } = familyParts(workspaceId);
  const waits = sql`workspace_id = ${workspaceId} and campaign_id = ${campaignId} and campaign_id is not null
    and status in ('registered', 'retry')`;
  const { rows } = await sql<QueueFacts>`
    with ${family}
    select recent.*, head.sub_status as reason, head.next_attempt_at as "nextAttemptAt",
           tail.next_attempt_at as "lastDueAt", coalesce(${ownLimit}, 0) as "callLimit"
    from (
      select count(*)::int as recent, min(ended_at) as "firstEnd" from (
        select ended_at from call_attempts
        where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and campaign_id is not null
          and ended_at > ${since} and dialed_at is not null
        order by ended_at desc limit ${sql.lit(MAX_RECENT)}) a) recent
    left join lateral (
      select sub_status, next_attempt_at from calls where ${waits} order by next_attempt_at limit 1) head on true
    left join lateral (
      select next_attempt_at from calls where ${waits} order by next_attempt_at desc limit 1) tail on true`.execute(
    db,
  );
  return rows[0]!;
}

/** The calling window of the agent's active version, as far as it sets one. */
export async function callTimeOfAgent(
  db: Db,
  workspaceId: string,
  agentId: string,
): Promise<Partial<CallTime> | null> {
  const { rows } = await sql<{ callTime: Wire<Partial<CallTime>> | null }>`
    select v.config -> 'call_config' -> 'call_time' as "callTime" from agents a
    join agent_versions v on v.workspace_id = a.workspace_id and v.id = a.active_version_id
    where a.workspace_id = ${workspaceId} and a.id = ${agentId}`.execute(db);
  return callTimeDocument.read(rows[0]?.callTime ?? null);
}
