import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Tx } from '../database.ts';

/** Selects calls of a workspace. */
export type CallScope =
  /** The agent's individual calls, without those of its campaigns. */
  | { readonly agentId: string }
  | { readonly callIds: readonly string[] }
  /** The calls of a campaign and the callbacks requested in them. */
  | { readonly campaignId: string; readonly numbers?: readonly string[] }
  /** Only the callbacks of a campaign. */
  | { readonly callbacksOf: string }
  | { readonly numbers: readonly string[] };

const ofCampaign = (campaignId: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(campaign_id = ${campaignId} and campaign_id is not null
    or origin_campaign_id = ${campaignId} and origin_campaign_id is not null)`;

function inScope(scope: CallScope): RawBuilder<SqlBool> {
  if ('agentId' in scope) return sql<SqlBool>`agent_id = ${scope.agentId} and campaign_id is null`;
  if ('campaignId' in scope) {
    const campaign = ofCampaign(scope.campaignId);
    return scope.numbers === undefined
      ? campaign
      : sql<SqlBool>`${campaign} and to_number = any(${scope.numbers})`;
  }
  if ('callbacksOf' in scope) {
    return sql<SqlBool>`origin_campaign_id = ${scope.callbacksOf} and origin_campaign_id is not null`;
  }
  if ('callIds' in scope) return sql<SqlBool>`id = any(${scope.callIds}::uuid[])`;
  return sql<SqlBool>`to_number = any(${scope.numbers})`;
}

/**
 * Ids of at most `take` calls in scope that have not been dialled: queued calls, and claimed ones without a dial time.
 */
export async function findUndialled(
  tx: Tx,
  workspaceId: string,
  scope: CallScope,
  take: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from calls
    where workspace_id = ${workspaceId} and status in ('registered', 'retry') and ${inScope(scope)}
    union all
    select id from calls
    where workspace_id = ${workspaceId} and status = 'ongoing' and call_type = 'outbound'
      and dialed_at is null and ${inScope(scope)}
    limit ${take}`.execute(tx);
  return rows.map((row) => row.id);
}

/** Disables retries of the live calls in scope. */
export async function withdrawRetries(db: Db, workspaceId: string, scope: CallScope): Promise<void> {
  await sql`
    update calls set no_retry = true
    where workspace_id = ${workspaceId} and status = 'ongoing' and call_type = 'outbound' and not no_retry
      and ${inScope(scope)}`.execute(db);
}

/**
 * Ids of at most `take` queued calls of a campaign. The ORDER BY makes the planner read the queue's partial index and
 * not scan the ended calls.
 */
export async function waitingOfCampaign(
  tx: Tx,
  workspaceId: string,
  campaignId: string,
  take: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from calls
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and campaign_id is not null
      and status in ('registered', 'retry')
    order by next_attempt_at limit ${take}`.execute(tx);
  return rows.map((row) => row.id);
}

/** Ids of the campaign's calls and callbacks that are claimed and have no dial time. */
export async function claimedOfCampaign(tx: Tx, workspaceId: string, campaignId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from calls
    where workspace_id = ${workspaceId} and ${ofCampaign(campaignId)}
      and status = 'ongoing' and call_type = 'outbound' and dialed_at is null
    order by id`.execute(tx);
  return rows.map((row) => row.id);
}

/** Whether an INVITE in scope may not have left yet: its dial was journalled since `since`, its `sent_at` was not. */
export async function isInviteLeaving(
  db: Db,
  workspaceId: string,
  scope: CallScope,
  since: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from calls
    where workspace_id = ${workspaceId} and status = 'ongoing' and call_type = 'outbound'
      and dialed_at >= ${since} and sub_status = 'QUEUED' and ${inScope(scope)}
      and not exists (select from call_attempts a
                      where a.workspace_id = ${workspaceId} and a.call_id = calls.id
                        and a.attempt = calls.attempt and a.sent_at is not null)
    limit 1`.execute(db);
  return rows.length > 0;
}

/** The ids among these that are calls of the workspace. */
export async function knownCalls(
  db: Db,
  workspaceId: string,
  callIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from calls where workspace_id = ${workspaceId} and id = any(${callIds}::uuid[])`.execute(db);
  return new Set(rows.map((row) => row.id));
}
