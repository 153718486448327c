import { sql } from 'kysely';
import type { Tx } from '../database.ts';
import { redactEvents } from './call-data.ts';
import { redact } from './redact.ts';

/** Chats of these numbers that began before an erasure was requested and are not erased; locks them. */
export async function chatsToErase(
  tx: Tx,
  workspaceId: string,
  numbers: readonly string[],
  requestedAt: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from chats
    where workspace_id = ${workspaceId} and customer_number = any(${[...numbers]}::text[])
      and created_at <= ${requestedAt} and erased_at is null
    order by id for update`.execute(tx);
  return rows.map((row) => row.id);
}

/** The numbers of the persons of these chats. */
export async function numbersOfChats(
  tx: Tx,
  workspaceId: string,
  chatIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select distinct customer_number as number from chats
    where workspace_id = ${workspaceId} and id = any(${[...chatIds]}::uuid[]) and customer_number is not null`.execute(
    tx,
  );
  return rows.map(({ number }) => number);
}

/** Chats that ended before `cutoff` and still have their messages; locks them. */
export async function chatsWithOldMessages(
  tx: Tx,
  workspaceId: string,
  cutoff: Date,
  take: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from chats c
    where c.workspace_id = ${workspaceId} and c.state = 'closed' and c.ended_at < ${cutoff}
      and exists (select from chat_messages m where m.workspace_id = c.workspace_id and m.chat_id = c.id)
    order by c.id limit ${take} for update of c skip locked`.execute(tx);
  return rows.map((row) => row.id);
}

/** Deletes the conversations of ended chats from their rows and from every copy. */
export async function clearChats(
  tx: Tx,
  workspaceId: string,
  chatIds: readonly string[],
  at: Date,
): Promise<void> {
  await redact(tx, 'chat', workspaceId, chatIds, ['transcript_days'], at);
  await redactEvents(tx, workspaceId, chatIds, 'conversation');
}

/** Chats that ended before `cutoff` and still have number, name or values of the person; locks them. */
export async function chatsWithContacts(
  tx: Tx,
  workspaceId: string,
  cutoff: Date,
  take: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from chats
    where workspace_id = ${workspaceId} and state = 'closed' and ended_at < ${cutoff} and customer <> id::text
    order by id limit ${take} for update skip locked`.execute(tx);
  return rows.map((row) => row.id);
}

/** Deletes numbers, names and values of ended chats, and their copies. */
export async function clearChatContacts(
  tx: Tx,
  workspaceId: string,
  chatIds: readonly string[],
  at: Date,
): Promise<void> {
  await redact(tx, 'chat', workspaceId, chatIds, ['contact_days'], at);
  await redactEvents(tx, workspaceId, chatIds, 'contact');
}

/** Erases the personal data of ended chats, and of every copy. The rows remain, because they are counted. */
export async function eraseChatData(
  tx: Tx,
  workspaceId: string,
  chatIds: readonly string[],
  at: Date,
): Promise<void> {
  await redact(tx, 'chat', workspaceId, chatIds, 'everything', at);
  await redactEvents(tx, workspaceId, chatIds, 'erased');
  await sql`
    update chats set erased_at = ${at}
    where workspace_id = ${workspaceId} and id = any(${[...chatIds]}::uuid[])`.execute(tx);
}
