import { sql } from 'kysely';
import type { SpokenBy } from '../../shared/spoken-by.ts';
import { storableJson } from '../../shared/storable.ts';
import type { Db, Tx } from '../database.ts';
import type { ChatRole, JsonObject, SendState } from '../schema.ts';

export interface ChatMessageRow {
  readonly id: string;
  readonly seq: number;
  readonly role: ChatRole;
  readonly kind: string;
  readonly text: string;
  readonly content: JsonObject | null;
  readonly externalId: string | null;
  readonly sentAt: Date;
  readonly createdAt: Date;
  readonly turn: number | null;
  readonly state: SendState | null;
  readonly errorCode: number | null;
  /** Who wrote it, of the role person. */
  readonly author: string | null;
  /** Who gave the agent's reply; null: unknown, or a fixed line. */
  readonly spokenBy: SpokenBy | null;
}
const MESSAGE = sql`id, seq, role, kind, text, content, external_id as "externalId", sent_at as "sentAt",
  created_at as "createdAt", turn, state, error_code as "errorCode", author, spoken_by as "spokenBy"`;

export interface NewMessage {
  readonly id: string;
  readonly role: ChatRole;
  readonly kind: string;
  readonly text: string;
  readonly content?: JsonObject | null;
  readonly externalId?: string | null;
  readonly sentAt: Date;
  /** Ours: `queued` for the channel to send, `sent` if the reader fetches it. */
  readonly state?: SendState;
  /** The turn that needs no further answer to it; absent: a customer's message waits for one. */
  readonly turn?: number;
  readonly author?: string;
  readonly spokenBy?: SpokenBy | null;
}

/** Inserts messages in order; returns the ids of those whose `externalId` is new. */
export async function insertMessages(
  tx: Tx,
  chat: { readonly workspaceId: string; readonly id: string },
  messages: readonly NewMessage[],
  at: Date,
): Promise<Set<string>> {
  if (messages.length === 0) return new Set();
  const rows = await tx
    .insertInto('chat_messages')
    .values(
      messages.map((message) => ({
        workspace_id: chat.workspaceId,
        chat_id: chat.id,
        id: message.id,
        role: message.role,
        kind: message.kind,
        text: message.text,
        content: message.content == null ? null : storableJson(message.content),
        external_id: message.externalId ?? null,
        sent_at: message.sentAt,
        created_at: at,
        turn: message.turn ?? null,
        author: message.author ?? null,
        spoken_by: message.spokenBy == null ? null : storableJson({ ...message.spokenBy }),
        state: message.state ?? null,
        due_at: message.state === 'queued' ? at : null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** Whether the workspace has a message with the channel's id. */
export async function hasExternal(db: Db, workspaceId: string, externalId: string): Promise<boolean> {
  const { rows } = await sql`select from chat_messages
    where workspace_id = ${workspaceId} and external_id = ${externalId}`.execute(db);
  return rows.length > 0;
}

/** The customer's messages that no turn has answered, in the order in which they were sent. */
export async function unansweredMessages(
  db: Db,
  chat: { readonly workspaceId: string; readonly id: string },
): Promise<ChatMessageRow[]> {
  const { rows } = await sql<ChatMessageRow>`
    select ${MESSAGE} from chat_messages
    where workspace_id = ${chat.workspaceId} and chat_id = ${chat.id} and role = 'customer' and turn is null
    order by sent_at, seq`.execute(db);
  return rows;
}

/** The words of a voice message: they take the place of its description. */
export async function setTranscript(
  db: Db,
  chat: { readonly workspaceId: string; readonly id: string },
  messageId: string,
  text: string,
): Promise<void> {
  await sql`
    update chat_messages set text = ${text}, content = content - 'unreadable' || '{"transcribed": true}'
    where workspace_id = ${chat.workspaceId} and chat_id = ${chat.id} and id = ${messageId}
      and role = 'customer'`.execute(db);
}

/** Messages after `seq`, oldest first. */
export async function messagesAfter(
  db: Db,
  chat: { readonly workspaceId: string; readonly id: string },
  seq: number,
  limit: number,
): Promise<ChatMessageRow[]> {
  const { rows } = await sql<ChatMessageRow>`
    select ${MESSAGE} from chat_messages
    where workspace_id = ${chat.workspaceId} and chat_id = ${chat.id} and seq > ${seq}
    order by seq limit ${limit}`.execute(db);
  return rows;
}

export async function markAnswered(
  tx: Tx,
  chat: { readonly workspaceId: string; readonly id: string },
  messageIds: readonly string[],
  turn: number,
): Promise<void> {
  await sql`
    update chat_messages set turn = ${turn}
    where workspace_id = ${chat.workspaceId} and id = any(${[...messageIds]}::uuid[])
      and chat_id = ${chat.id}`.execute(tx);
}

/** How many messages the customer has sent in this chat. */
export async function countCustomerMessages(
  db: Db,
  chat: { readonly workspaceId: string; readonly id: string },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from chat_messages
    where workspace_id = ${chat.workspaceId} and chat_id = ${chat.id} and role = 'customer'`.execute(db);
  return rows[0]?.count ?? 0;
}
