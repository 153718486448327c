import type { CallLevelConfig } from '../json/call-config.ts';
import type { CallCallback } from '../json/callback.ts';
import type { Template } from '../json/template.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { CampaignState, JsonObject } from '../schema.ts';

export interface CampaignRow {
  readonly id: string;
  readonly agent_id: string;
  readonly name: string;
  readonly state: CampaignState;
  readonly message: string | null;
  readonly call_config: CallLevelConfig | null;
  readonly start_at: Date | null;
  readonly end_at: Date | null;
  readonly number_pool_id: string | null;
  readonly callback: CallCallback | null;
  readonly concurrency_percentage: number | null;
  readonly breaker: JsonObject | null;
  readonly breaker_since: Date | null;
  /** The message of a campaign that sends messages; null: its contacts are called. */
  readonly template: Template | null;
  readonly whatsapp_number_ids: readonly string[];
  readonly total_rows: number;
  readonly successful_rows: number;
  readonly failed_rows: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
}
const CAMPAIGN = [
  'id',
  'agent_id',
  'name',
  'state',
  'message',
  'call_config',
  'start_at',
  'end_at',
  'number_pool_id',
  'callback',
  'concurrency_percentage',
  'breaker',
  'breaker_since',
  'template',
  'whatsapp_number_ids',
  'total_rows',
  'successful_rows',
  'failed_rows',
  'created_at',
  'updated_at',
  'started_at',
  'ended_at',
] as const;

/** States of a started campaign that has not ended. */
export const RUNNING: readonly CampaignState[] = ['scheduled', 'ongoing', 'paused', 'insufficient_balance'];

export function findCampaign(
  db: Db,
  workspaceId: string,
  campaignId: string,
): Promise<CampaignRow | undefined> {
  return db
    .selectFrom('campaigns')
    .select(CAMPAIGN)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', campaignId)
    .executeTakeFirst();
}

export interface LockedWorkspace {
  readonly credits: number;
  readonly locked_credits: number;
  readonly unlimited: boolean;
  readonly settings: JsonObject;
}

/**
 * Locks the workspace, which waits for a claim under way and blocks the next one, then the campaign. Lock order
 * everywhere: workspace, campaign. Undefined if the workspace has no such campaign.
 */
export async function lockCampaign(
  tx: Tx,
  workspaceId: string,
  campaignId: string,
): Promise<{ workspace: LockedWorkspace; campaign: CampaignRow } | undefined> {
  const workspace = await tx
    .selectFrom('workspaces')
    .select(['credits', 'locked_credits', 'unlimited', 'settings'])
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const campaign = await tx
    .selectFrom('campaigns')
    .select(CAMPAIGN)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', campaignId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return workspace === undefined || campaign === undefined ? undefined : { workspace, campaign };
}

export interface CampaignMove {
  readonly state: CampaignState;
  readonly message: string | null;
  readonly startedAt?: Date;
  readonly endedAt?: Date;
  /** The circuit breaker ignores attempts that ended earlier. */
  readonly breakerSince?: Date;
  /** Restarts the ramp. */
  readonly isFromStandstill?: boolean;
  /** The new scheduling hint. */
  readonly dueAt?: Date;
}

/** Changes the state of a locked campaign. */
export async function moveCampaign(
  tx: Tx,
  workspaceId: string,
  campaignId: string,
  move: CampaignMove,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('campaigns')
    .set({
      state: move.state,
      message: move.message,
      updated_at: at,
      ...(move.startedAt === undefined ? {} : { started_at: move.startedAt }),
      ...(move.endedAt === undefined ? {} : { ended_at: move.endedAt }),
      ...(move.breakerSince === undefined ? {} : { breaker_since: move.breakerSince }),
      ...(move.dueAt === undefined ? {} : { next_due_at: move.dueAt }),
      ...(move.isFromStandstill === true ? { ramp_limit: null, ramp_at: null } : {}),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', campaignId)
    .execute();
}

export interface CampaignStart {
  readonly numberIds: readonly string[];
  readonly numberPoolId: string | null;
  readonly whatsappNumberIds: readonly string[];
  readonly callback: object | null;
  readonly concurrencyPercentage: number | null;
  readonly breaker: object | null;
}

/** Stores the choices of a start: caller numbers or pool, webhook receiver, concurrency share, circuit breaker. */
export async function saveStart(
  tx: Tx,
  workspaceId: string,
  campaignId: string,
  start: CampaignStart,
): Promise<void> {
  const json = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));
  await tx
    .updateTable('campaigns')
    .set({
      number_pool_id: start.numberPoolId,
      whatsapp_number_ids: [...start.whatsappNumberIds],
      callback: json(start.callback),
      concurrency_percentage: start.concurrencyPercentage,
      breaker: json(start.breaker),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', campaignId)
    .execute();
  if (start.numberIds.length === 0) return;
  await tx
    .insertInto('campaign_numbers')
    .values(
      start.numberIds.map((number_id) => ({ workspace_id: workspaceId, campaign_id: campaignId, number_id })),
    )
    .onConflict((conflict) => conflict.columns(['workspace_id', 'campaign_id', 'number_id']).doNothing())
    .execute();
}

/** The caller numbers a campaign was started with, oldest first. */
export async function numbersOfCampaign(db: Db, workspaceId: string, campaignId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('campaign_numbers as c')
    .innerJoin('numbers as n', (join) =>
      join.onRef('n.workspace_id', '=', 'c.workspace_id').onRef('n.id', '=', 'c.number_id'),
    )
    .select('n.id')
    .where('c.workspace_id', '=', workspaceId)
    .where('c.campaign_id', '=', campaignId)
    .orderBy('n.created_at')
    .orderBy('n.id')
    .execute();
  return rows.map((row) => row.id);
}

/** Names of the running campaigns that use this agent or this pool, oldest first. */
export async function campaignsUnderWay(
  db: Db,
  workspaceId: string,
  by: { readonly agent_id: string } | { readonly number_pool_id: string },
): Promise<string[]> {
  const [column, id] =
    'agent_id' in by
      ? (['agent_id', by.agent_id] as const)
      : (['number_pool_id', by.number_pool_id] as const);
  const rows = await db
    .selectFrom('campaigns')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where(column, '=', id)
    .where('state', 'in', RUNNING)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => row.name);
}

/** Ids of the agent's campaigns in one of these states, in id order. */
export async function campaignsOfAgent(
  db: Db,
  workspaceId: string,
  agentId: string,
  states: readonly CampaignState[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('agent_id', '=', agentId)
    .where('state', 'in', states)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

/** Whether the workspace has live calls. */
export async function hasLiveCalls(db: Db, workspaceId: string): Promise<boolean> {
  const { rows } = await sql`select from calls
    where workspace_id = ${workspaceId} and status = 'ongoing' limit 1`.execute(db);
  return rows.length > 0;
}

/** Takes the advisory lock for ending a campaign's calls until commit; false while another process holds it. */
export async function tryCampaignLock(tx: Tx, campaignId: string): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`campaign ${campaignId}`}, 0)) as mine`.execute(tx);
  return rows[0]?.mine === true;
}
