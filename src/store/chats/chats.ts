import type { ChatUse } from '../json/chat.ts';
import type { ToolLogEntry } from '../../voice/conversation.ts';
import { versionDocument, type VersionConfig } from '../json/agent-version.ts';
import { sql, type RawBuilder } from 'kysely';
import { storableJson } from '../../shared/storable.ts';
import type { Db, Tx } from '../database.ts';
import type { ChatChannel, ChatState, JsonObject } from '../schema.ts';

/** One chat without its messages. */
export interface ChatRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly versionId: string;
  readonly channel: ChatChannel;
  readonly channelId: string | null;
  readonly customer: string;
  readonly customerNumber: string | null;
  readonly customerName: string;
  readonly args: Readonly<Record<string, string>>;
  readonly state: ChatState;
  readonly endReason: string | null;
  /** The campaign whose message the person answered; null: none. */
  readonly campaignId: string | null;
  readonly talk: JsonObject;
  readonly toolLog: readonly ToolLogEntry[];
  readonly usage: readonly ChatUse[];
  readonly turn: number;
  readonly tries: number;
  readonly createdAt: Date;
  readonly customerAt: Date | null;
  readonly endsAt: Date;
  readonly endedAt: Date | null;
  /** The member who answers instead of the agent. */
  readonly takenBy: string | null;
  readonly takenAt: Date | null;
  readonly platformAnalysis: JsonObject | null;
  readonly clientAnalysis: JsonObject | null;
  readonly evaluations: readonly StoredEvaluation[] | null;
  readonly processedAt: Date | null;
  readonly erasedAt: Date | null;
}

/** How a conversation met one criterion of its agent. */
export interface StoredEvaluation {
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'not_judged';
  readonly reason: string;
}

export const CHAT = sql`c.id, c.workspace_id as "workspaceId", c.agent_id as "agentId",
  coalesce((select display_name from agents a where a.workspace_id = c.workspace_id and a.id = c.agent_id), '')
    as "agentName", c.version_id as "versionId", c.channel, c.channel_id as "channelId", c.customer,
  c.customer_number as "customerNumber", c.customer_name as "customerName", c.args, c.state,
  c.end_reason as "endReason", c.campaign_id as "campaignId", c.talk, c.tool_log as "toolLog", c.usage, c.turn, c.tries,
  c.created_at as "createdAt", c.customer_at as "customerAt", c.ends_at as "endsAt", c.ended_at as "endedAt",
  c.taken_by as "takenBy", c.taken_at as "takenAt",
  c.platform_analysis as "platformAnalysis", c.client_analysis as "clientAnalysis",
  c.evaluations,
  c.processed_at as "processedAt", c.erased_at as "erasedAt"`;

export interface NewChat {
  readonly workspaceId: string;
  readonly id: string;
  readonly agentId: string;
  readonly versionId: string;
  readonly channel: ChatChannel;
  readonly channelId: string | null;
  readonly customer: string;
  readonly customerNumber: string | null;
  readonly customerName: string;
  readonly args: Readonly<Record<string, string>>;
  readonly endsAt: Date;
}

/** Inserts a chat; false if this person has an open one. */
export async function insertChat(tx: Tx, chat: NewChat, at: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('chats')
    .values({
      workspace_id: chat.workspaceId,
      id: chat.id,
      agent_id: chat.agentId,
      version_id: chat.versionId,
      channel: chat.channel,
      channel_id: chat.channelId,
      customer: chat.customer,
      customer_number: chat.customerNumber,
      customer_name: chat.customerName,
      args: JSON.stringify(chat.args),
      created_at: at,
      ends_at: chat.endsAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

const one = async (
  db: Db,
  where: RawBuilder<unknown>,
  lock: RawBuilder<unknown>,
): Promise<ChatRow | null> => {
  const { rows } = await sql<ChatRow>`select ${CHAT} from chats c where ${where} ${lock}`.execute(db);
  return rows[0] ?? null;
};
const NO_LOCK = sql``;
const FOR_UPDATE = sql`for update of c`;

export const findChat = (db: Db, workspaceId: string, id: string): Promise<ChatRow | null> =>
  one(db, sql`c.workspace_id = ${workspaceId} and c.id = ${id}`, NO_LOCK);

/** Locks the chat until commit, which serialises messages, turns and its end. */
export const lockChat = (tx: Tx, workspaceId: string, id: string): Promise<ChatRow | null> =>
  one(tx, sql`c.workspace_id = ${workspaceId} and c.id = ${id}`, FOR_UPDATE);

/** Locks the open chat of a person. */
export const lockOpenChat = (
  tx: Tx,
  at: { readonly workspaceId: string; readonly channel: ChatChannel; readonly customer: string },
): Promise<ChatRow | null> =>
  one(
    tx,
    sql`c.workspace_id = ${at.workspaceId} and c.channel = ${at.channel} and c.customer = ${at.customer}
      and c.state <> 'closed'`,
    FOR_UPDATE,
  );

/** The configuration of the chat's version. */
export async function chatVersionConfig(
  db: Db,
  chat: Pick<ChatRow, 'workspaceId' | 'agentId' | 'versionId'>,
): Promise<VersionConfig> {
  const row = await db
    .selectFrom('agent_versions')
    .select('config')
    .where('workspace_id', '=', chat.workspaceId)
    .where('agent_id', '=', chat.agentId)
    .where('id', '=', chat.versionId)
    .executeTakeFirstOrThrow();
  return versionDocument.read(row.config);
}

/** A customer wrote: the chat ends later. `dueAt`: when a turn answers at the latest; null: a person answers. */
export async function noteCustomerMessage(
  tx: Tx,
  chat: Pick<ChatRow, 'workspaceId' | 'id'>,
  next: { readonly at: Date; readonly endsAt: Date; readonly dueAt: Date | null; readonly name: string },
): Promise<void> {
  await sql`
    update chats set customer_at = greatest(customer_at, ${next.at}), ends_at = ${next.endsAt},
      due_at = case when ${next.dueAt}::timestamptz is null then due_at else coalesce(due_at, ${next.dueAt}) end,
      customer_name = case when customer_name = '' then ${next.name} else customer_name end
    where workspace_id = ${chat.workspaceId} and id = ${chat.id}`.execute(tx);
}

/** A turn of the agent is due, whether or not a message waits. */
export async function makeDue(tx: Tx, chat: Pick<ChatRow, 'workspaceId' | 'id'>, dueAt: Date): Promise<void> {
  await sql`
    update chats set due_at = coalesce(due_at, ${dueAt})
    where workspace_id = ${chat.workspaceId} and id = ${chat.id} and state = 'open'`.execute(tx);
}

/** The conversation so far, as the agent knows it at its next turn. */
export async function saveTalk(
  tx: Tx,
  chat: Pick<ChatRow, 'workspaceId' | 'id'>,
  talk: object,
): Promise<void> {
  await sql`
    update chats set talk = ${storableJson(talk)}::jsonb
    where workspace_id = ${chat.workspaceId} and id = ${chat.id}`.execute(tx);
}

/** Ends a chat; false if it has ended. */
export async function closeChat(
  tx: Tx,
  chat: Pick<ChatRow, 'workspaceId' | 'id'>,
  reason: string,
  at: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update chats set state = 'closed', end_reason = ${reason}, ended_at = ${at}, due_at = null, turn = turn + 1,
      taken_by = null, taken_at = null
    where workspace_id = ${chat.workspaceId} and id = ${chat.id} and state <> 'closed'`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Chats whose time is over. */
export async function chatsToEnd(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ workspaceId: string; id: string }[]> {
  const { rows } = await sql<{ workspaceId: string; id: string }>`
    select workspace_id as "workspaceId", id from chats
    where state <> 'closed' and ends_at <= ${now} and leased_until <= ${now}
    order by ends_at limit ${limit}`.execute(db);
  return rows;
}

/** Deletes test runs that ended before `before`, at most `limit`. */
export async function dropTestRuns(db: Db, before: Date, limit: number): Promise<void> {
  await sql`
    with old as (
      select workspace_id, id from chats
      where channel = 'test' and state = 'closed' and ended_at < ${before} order by ended_at limit ${limit}),
    said as (
      delete from chat_messages m using old o where m.workspace_id = o.workspace_id and m.chat_id = o.id)
    delete from chats c using old o where c.workspace_id = o.workspace_id and c.id = o.id`.execute(db);
}
