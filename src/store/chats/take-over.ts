import { sql } from 'kysely';
import type { Tx } from '../database.ts';
import type { ChatRow } from './chats.ts';

type Key = Pick<ChatRow, 'workspaceId' | 'id'>;

/** A person answers from now on. Raising `turn` fences off a turn of the agent that is under way. */
export async function giveToPerson(
  tx: Tx,
  chat: Key,
  taken: { readonly by: string; readonly at: Date; readonly endsAt: Date },
): Promise<void> {
  await sql`
    update chats set state = 'with_person', taken_by = ${taken.by}, taken_at = ${taken.at}, turn = turn + 1, tries = 0,
      leased_until = '-infinity', due_at = null, ends_at = ${taken.endsAt}
    where workspace_id = ${chat.workspaceId} and id = ${chat.id} and state <> 'closed'`.execute(tx);
}

/** The agent answers from now on, at once if messages of the customer wait. */
export async function giveToAgent(
  tx: Tx,
  chat: Key,
  next: { readonly at: Date; readonly endsAt: Date },
): Promise<void> {
  await sql`
    update chats set state = 'open', taken_by = null, taken_at = null, turn = turn + 1, ends_at = ${next.endsAt},
      due_at = case when exists (select from chat_messages m where m.workspace_id = ${chat.workspaceId}
        and m.chat_id = ${chat.id} and m.role = 'customer' and m.turn is null) then ${next.at}::timestamptz end
    where workspace_id = ${chat.workspaceId} and id = ${chat.id} and state = 'with_person'`.execute(tx);
}

/** The chat ends at `endsAt` unless someone writes. */
export async function postponeEnd(tx: Tx, chat: Key, endsAt: Date): Promise<void> {
  await sql`
    update chats set ends_at = ${endsAt}
    where workspace_id = ${chat.workspaceId} and id = ${chat.id} and state <> 'closed'`.execute(tx);
}
