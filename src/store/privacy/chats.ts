import { sql } from 'kysely';
import type { Tx } from '../database.ts';
import { eraseTestCases } from '../agents/test-cases.ts';
import { redactEvents } from './call-data.ts';

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
export async function clearChats(tx: Tx, workspaceId: string, chatIds: readonly string[]): Promise<void> {
  const ids = [...chatIds];
  await sql`
    delete from chat_messages where workspace_id = ${workspaceId} and chat_id = any(${ids}::uuid[])`.execute(
    tx,
  );
  await sql`
    update chats set talk = '{}', tool_log = '[]', turn_tools = '[]', platform_analysis = null, client_analysis = null,
      evaluations = null
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`.execute(tx);
  await redactEvents(tx, workspaceId, ids, { isComplete: false });
}

/** Erases the personal data of ended chats, and of every copy. The rows remain, because they are counted. */
export async function eraseChatData(
  tx: Tx,
  workspaceId: string,
  chatIds: readonly string[],
  at: Date,
): Promise<void> {
  const ids = [...chatIds];
  await clearChats(tx, workspaceId, ids);
  await eraseTestCases(tx, workspaceId, ids);
  await redactEvents(tx, workspaceId, ids, { isComplete: true });
  await sql`
    update chats set customer = id::text, customer_number = null, customer_name = '', args = '{}', erased_at = ${at}
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`.execute(tx);
}
