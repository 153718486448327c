import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { ChatRole, ChatState, JsonObject } from '../schema.ts';

export interface WebChatRow {
  readonly workspaceId: string;
  readonly chatId: string;
  readonly agentId: string;
  readonly versionId: string;
  /** The page that may connect; null: any. */
  readonly origin: string | null;
  readonly args: Readonly<Record<string, string>>;
  readonly tokenHash: string | null;
  readonly nextHash: string | null;
  readonly expiresAt: Date;
  readonly connectedAt: Date | null;
}

export async function insertWebChat(
  db: Db,
  chat: Omit<WebChatRow, 'nextHash' | 'connectedAt'>,
  at: Date,
): Promise<void> {
  await sql`
    insert into web_chats (workspace_id, chat_id, agent_id, version_id, origin, args, token_hash, created_at, expires_at)
    values (${chat.workspaceId}, ${chat.chatId}, ${chat.agentId}, ${chat.versionId}, ${chat.origin},
            ${JSON.stringify(chat.args)}, ${chat.tokenHash}, ${at}, ${chat.expiresAt})`.execute(db);
}

const SWEPT_AT_ONCE = 1_000;

/** Deletes rows from before `before`. Concurrent sweeps skip each other's rows. */
export async function sweepWebChats(db: Db, before: Date): Promise<void> {
  await sql`
    delete from web_chats where (workspace_id, chat_id) in (
      select workspace_id, chat_id from web_chats where created_at < ${before}
      limit ${SWEPT_AT_ONCE} for update skip locked)`.execute(db);
}

/** Locks the chat whose next connection brings this token; null: there is none. */
export async function lockWebChat(tx: Tx, tokenHash: string): Promise<WebChatRow | null> {
  const { rows } = await sql<WebChatRow>`
    select workspace_id as "workspaceId", chat_id as "chatId", agent_id as "agentId", version_id as "versionId", origin,
      args, token_hash as "tokenHash", next_hash as "nextHash", expires_at as "expiresAt",
      connected_at as "connectedAt"
    from web_chats where token_hash = ${tokenHash} or next_hash = ${tokenHash} for update`.execute(tx);
  return rows[0] ?? null;
}

type Key = Pick<WebChatRow, 'workspaceId' | 'chatId'>;

/** A page connected: `tokenHash` stays valid until the page confirms `nextHash`. */
export async function noteConnection(
  tx: Tx,
  chat: Key,
  next: { readonly tokenHash: string | null; readonly nextHash: string; readonly at: Date },
): Promise<void> {
  await sql`
    update web_chats set token_hash = ${next.tokenHash}, next_hash = ${next.nextHash}, args = '{}',
      connected_at = coalesce(connected_at, ${next.at})
    where workspace_id = ${chat.workspaceId} and chat_id = ${chat.chatId}`.execute(tx);
}

/** The page has its next token: the one before is used up. */
export async function confirmToken(db: Db, chat: Key, nextHash: string): Promise<void> {
  await sql`
    update web_chats set token_hash = ${nextHash}, next_hash = null
    where workspace_id = ${chat.workspaceId} and chat_id = ${chat.chatId} and next_hash = ${nextHash}`.execute(
    db,
  );
}

export interface WatchedChat extends Key {
  /** Messages up to this number are known. */
  readonly after: number;
}

/** The state of a watched chat, with one of its new messages; without one, `seq` is null. */
export interface ChatNews {
  readonly chatId: string;
  readonly state: ChatState;
  readonly endReason: string | null;
  /** The agent computes an answer, or is about to. */
  readonly isAnswering: boolean;
  readonly seq: number | null;
  readonly role: ChatRole;
  readonly text: string;
  readonly content: JsonObject | null;
  readonly externalId: string | null;
}

const MOST_AT_ONCE = 50;

/** The news of all watched chats in one query, each in order. */
export async function readChatNews(db: Db, watched: readonly WatchedChat[]): Promise<ChatNews[]> {
  const { rows } = await sql<ChatNews>`
    select c.id as "chatId", c.state, c.end_reason as "endReason",
      c.state = 'open' and c.due_at is not null as "isAnswering",
      m.seq, m.role, m.text, m.content, m.external_id as "externalId"
    from unnest(${watched.map((chat) => chat.workspaceId)}::uuid[], ${watched.map((chat) => chat.chatId)}::uuid[],
                ${watched.map((chat) => chat.after)}::bigint[]) w (workspace_id, chat_id, after)
    join chats c on c.workspace_id = w.workspace_id and c.id = w.chat_id
    left join lateral (select seq, role, text, content, external_id from chat_messages
      where workspace_id = w.workspace_id and chat_id = w.chat_id and seq > w.after
      order by seq limit ${MOST_AT_ONCE}) m on true
    order by c.id, m.seq`.execute(db);
  return rows;
}

/** Deletes what a page holds of a chat: nobody can continue it. Returns whether it was there. */
export async function deleteWebChat(tx: Tx, workspaceId: string, chatId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from web_chats where workspace_id = ${workspaceId} and chat_id = ${chatId}`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}
