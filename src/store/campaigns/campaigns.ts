import type { CallPurpose } from '../../shared/call-purposes.ts';
import { breakerDocument, type BreakerSettings } from '../json/workspace-settings.ts';
import { callLevelDocument, type CallLevelConfig } from '../json/call-config.ts';
import type { CallCallback } from '../json/callback.ts';
import type { Template } from '../json/template.ts';
import { sql } from 'kysely';
import type { Stored, Wire } from '../../shared/wire-names.ts';
import type { Db, Tx } from '../database.ts';
import { settingsOf, unlimitedOf } from '../terms.ts';
import type { CampaignState, JsonObject } from '../schema.ts';

export interface CampaignRow {
  readonly id: string;
  readonly agentId: string;
  readonly name: string;
  readonly state: CampaignState;
  readonly message: string | null;
  readonly callConfig: CallLevelConfig | null;
  readonly startAt: Date | null;
  readonly endAt: Date | null;
  readonly numberPoolId: string | null;
  readonly callback: CallCallback | null;
  readonly concurrencyPercentage: number | null;
  readonly breaker: Wire<BreakerSettings> | null;
  readonly breakerSince: Date | null;
  /** Null: not stated. */
  readonly purpose: CallPurpose | null;
  readonly dltTemplateId: string | null;
  /** The message of a campaign that sends messages; null: its contacts are called. */
  readonly template: Template | null;
  readonly whatsappNumberIds: readonly string[];
  readonly totalRows: number;
  readonly successfulRows: number;
  readonly failedRows: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}
/** The columns of a row, of `campaigns p`. */
export const CAMPAIGN = sql`p.id, p.agent_id as "agentId", p.name, p.state, p.message, p.call_config as "callConfig",
  p.start_at as "startAt", p.end_at as "endAt", p.number_pool_id as "numberPoolId", p.callback,
  p.concurrency_percentage as "concurrencyPercentage", p.breaker, p.breaker_since as "breakerSince",
  p.purpose, p.dlt_template_id as "dltTemplateId", p.template,
  p.whatsapp_number_ids as "whatsappNumberIds", p.total_rows as "totalRows", p.successful_rows as "successfulRows",
  p.failed_rows as "failedRows", p.created_at as "createdAt", p.updated_at as "updatedAt", p.started_at as "startedAt",
  p.ended_at as "endedAt"`;

/** States of a started campaign that has not ended. */
export const RUNNING: readonly CampaignState[] = ['scheduled', 'ongoing', 'paused', 'insufficient_balance'];

export async function findCampaign(
  db: Db,
  workspaceId: string,
  campaignId: string,
): Promise<CampaignRow | undefined> {
  const { rows } = await sql<Stored<CampaignRow, 'callConfig'>>`
    select ${CAMPAIGN} from campaigns p where p.workspace_id = ${workspaceId} and p.id = ${campaignId}`.execute(
    db,
  );
  return campaignRows(rows)[0];
}

/** Rows as the database has them, with their settings read. */
export const campaignRows = <R extends Stored<CampaignRow, 'callConfig'>>(rows: R[]) =>
  callLevelDocument.readIn(rows, 'callConfig');

export interface LockedWorkspace {
  readonly credits: number;
  readonly lockedCredits: number;
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
    .select([
      'credits',
      'locked_credits as lockedCredits',
      unlimitedOf('workspaces').as('unlimited'),
      settingsOf('workspaces').as('settings'),
    ])
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const { rows } = await sql<Stored<CampaignRow, 'callConfig'>>`
    select ${CAMPAIGN} from campaigns p
    where p.workspace_id = ${workspaceId} and p.id = ${campaignId} for no key update`.execute(tx);
  const [campaign] = campaignRows(rows);
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
  readonly breaker: BreakerSettings | null;
  readonly purpose: CallPurpose | null;
  readonly dltTemplateId: string | null;
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
      breaker: start.breaker === null ? null : breakerDocument.text(start.breaker),
      purpose: start.purpose,
      dlt_template_id: start.dltTemplateId,
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
  by: { readonly agentId: string } | { readonly numberPoolId: string },
): Promise<string[]> {
  const [column, id] =
    'agentId' in by ? (['agent_id', by.agentId] as const) : (['number_pool_id', by.numberPoolId] as const);
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

/** The purposes of the running campaigns that call from this pool. */
export async function purposesOfCampaigns(
  db: Db,
  workspaceId: string,
  poolId: string,
): Promise<CallPurpose[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select('purpose')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('number_pool_id', '=', poolId)
    .where('state', 'in', RUNNING)
    .execute();
  return rows.map(({ purpose }) => purpose).filter((purpose) => purpose !== null);
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
