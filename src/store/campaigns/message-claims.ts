import { versionDocument, type VersionConfig } from '../json/agent-version.ts';
import { callLevelDocument, type CallLevelConfig } from '../json/call-config.ts';
import type { Stored } from '../../shared/wire-names.ts';
import type { Template } from '../json/template.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { CampaignState } from '../schema.ts';

/** A campaign that may send messages now. */
export interface DueCampaign {
  readonly workspaceId: string;
  readonly id: string;
}

/** Running campaigns with a due message, those without a claim for longest first. */
export async function campaignsToSend(db: Db, now: Date): Promise<DueCampaign[]> {
  const { rows } = await sql<DueCampaign>`
    select c.workspace_id as "workspaceId", c.id from campaigns c
    where c.template is not null and c.state in ('scheduled', 'ongoing')
      and (c.start_at is null or c.start_at <= ${now}) and (c.end_at is null or c.end_at > ${now})
      and exists (select from campaign_messages m where m.workspace_id = c.workspace_id and m.campaign_id = c.id
        and m.status in ('registered', 'retry') and m.next_attempt_at <= ${now})
    order by c.served_at, c.id`.execute(db);
  return rows;
}

export interface SendingCampaign extends DueCampaign {
  readonly agentId: string;
  readonly state: CampaignState;
  readonly template: Template;
  readonly numberIds: readonly string[];
  readonly callConfig: CallLevelConfig | null;
  /** The configuration of the agent's active version. */
  readonly agentConfig: VersionConfig;
  readonly concurrencyPercentage: number | null;
}

/** Locks a campaign that may send, which blocks its pause and end until commit; null: another process has it, or it may not. */
export async function lockSending(
  tx: Tx,
  { workspaceId, id }: DueCampaign,
  now: Date,
): Promise<SendingCampaign | null> {
  const { rows } = await sql<Stored<SendingCampaign, 'callConfig' | 'agentConfig'>>`
    select c.workspace_id as "workspaceId", c.id, c.agent_id as "agentId", c.state, c.template,
      c.whatsapp_number_ids as "numberIds", c.call_config as "callConfig", v.config as "agentConfig",
      c.concurrency_percentage as "concurrencyPercentage"
    from campaigns c
    join agents a on a.workspace_id = c.workspace_id and a.id = c.agent_id
    join agent_versions v on v.workspace_id = a.workspace_id and v.agent_id = a.id and v.id = a.active_version_id
    where c.workspace_id = ${workspaceId} and c.id = ${id} and c.template is not null
      and c.state in ('scheduled', 'ongoing') and (c.end_at is null or c.end_at > ${now})
    for no key update of c skip locked`.execute(tx);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    ...row,
    callConfig: callLevelDocument.read(row.callConfig),
    agentConfig: versionDocument.read(row.agentConfig),
  };
}

/** The campaign sends: its first claim starts it. */
export async function noteSending(tx: Tx, { workspaceId, id }: DueCampaign, at: Date): Promise<void> {
  await sql`
    update campaigns set state = 'ongoing', started_at = coalesce(started_at, ${at}), served_at = ${at},
      updated_at = case when state = 'scheduled' then ${at} else updated_at end
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export interface DueMessage {
  readonly id: string;
  readonly row: number;
  readonly toNumber: string;
  readonly args: Readonly<Record<string, string>>;
  readonly attempt: number;
  readonly isListed: boolean;
  /** A chat with the person is open. */
  readonly isChatting: boolean;
}

/**
 * Locks due messages of a locked campaign, with what keeps them from being sent. Messages that are due since the same
 * moment come in the order of the index, which is that of their import: sorting them by row would read them all.
 */
export async function lockDueMessages(
  tx: Tx,
  { workspaceId, id }: DueCampaign,
  now: Date,
  limit: number,
): Promise<DueMessage[]> {
  const { rows } = await sql<DueMessage>`
    select m.id, m.contact_row as row, m.to_number as "toNumber", m.args, m.attempt,
      exists (select from do_not_call d where d.workspace_id = m.workspace_id and d.number = m.to_number)
        or exists (select from campaign_do_not_call d where d.workspace_id = m.workspace_id
          and d.campaign_id = m.campaign_id and d.number = m.to_number) as "isListed",
      exists (select from chats h where h.workspace_id = m.workspace_id and h.customer_number = m.to_number
        and h.channel = 'whatsapp' and h.state <> 'closed') as "isChatting"
    from campaign_messages m
    where m.workspace_id = ${workspaceId} and m.campaign_id = ${id}
      and m.status in ('registered', 'retry') and m.next_attempt_at <= ${now}
    order by m.next_attempt_at limit ${limit} for update of m skip locked`.execute(tx);
  return rows;
}

export interface Postponed {
  readonly id: string;
  readonly until: Date;
  readonly subStatus: string;
}

export async function postponeMessages(
  tx: Tx,
  workspaceId: string,
  messages: readonly Postponed[],
  at: Date,
): Promise<void> {
  if (messages.length === 0) return;
  await sql`
    update campaign_messages m set next_attempt_at = p.until, sub_status = p.reason, updated_at = ${at}
    from unnest(${messages.map((m) => m.id)}::uuid[], ${messages.map((m) => m.until)}::timestamptz[],
      ${messages.map((m) => m.subStatus)}::text[]) p (id, until, reason)
    where m.workspace_id = ${workspaceId} and m.id = p.id`.execute(tx);
}

export interface Claimed {
  readonly id: string;
  readonly numberId: string;
  readonly text: string;
}

/** Writes down that requests are about to leave; a process that dies leaves a trace until `dueAt`. */
export async function markSending(
  tx: Tx,
  workspaceId: string,
  messages: readonly Claimed[],
  at: Date,
  dueAt: Date,
): Promise<void> {
  if (messages.length === 0) return;
  await sql`
    update campaign_messages m set status = 'ongoing', sub_status = 'ACCEPTED', state = 'sending',
      attempt = m.attempt + 1, tries = m.tries + 1, number_id = p.number_id, text = p.text, external_id = null,
      error_code = null, claimed_at = ${at}, sent_at = null, delivered_at = null, due_at = ${dueAt}, updated_at = ${at}
    from unnest(${messages.map((m) => m.id)}::uuid[], ${messages.map((m) => m.numberId)}::uuid[],
      ${messages.map((m) => m.text)}::text[]) p (id, number_id, text)
    where m.workspace_id = ${workspaceId} and m.id = p.id`.execute(tx);
}

/** Whether a request may be between its claim, after `since`, and the network. */
export async function isMessageLeaving(
  db: Db,
  workspaceId: string,
  campaignId: string | null,
  since: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from campaign_messages
    where workspace_id = ${workspaceId} and (${campaignId}::uuid is null or campaign_id = ${campaignId})
      and due_at is not null and state = 'sending' and claimed_at > ${since} limit 1`.execute(db);
  return rows.length > 0;
}
