import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { ChatRow } from './chats.ts';

type Key = Pick<ChatRow, 'workspaceId' | 'id'>;

/** What allowed the person to take the chat over; both null: the chat's own rules end it. */
export interface Taker {
  readonly sessionId: string | null;
  readonly keyId: string | null;
}

/** A chat that a person has, by a session or a key. */
export interface TakenChat extends Taker {
  readonly workspaceId: string;
  readonly chatId: string;
  readonly takenBy: string;
}

/** The chats that were taken over last; several processes may read the same ones. */
export async function listTakenChats(db: Db, limit: number): Promise<TakenChat[]> {
  const { rows } = await sql<TakenChat>`
    select workspace_id as "workspaceId", id as "chatId", taken_by as "takenBy", taken_session as "sessionId",
      taken_key as "keyId"
    from chats where state = 'with_person' and (taken_session is not null or taken_key is not null)
    order by taken_at desc limit ${limit}`.execute(db);
  return rows;
}

/** The person goes on with another session or key. */
export async function noteTaker(tx: Tx, chat: Key, taker: Taker): Promise<void> {
  await sql`
    update chats set taken_session = ${taker.sessionId}, taken_key = ${taker.keyId}
    where workspace_id = ${chat.workspaceId} and id = ${chat.id} and state = 'with_person'`.execute(tx);
}

/** A person answers from now on. Raising `turn` fences off a turn of the agent that is under way. */
export async function giveToPerson(
  tx: Tx,
  chat: Key,
  taken: { readonly by: string; readonly taker: Taker; readonly at: Date; readonly endsAt: Date },
): Promise<void> {
  await sql`
    update chats set state = 'with_person', taken_by = ${taken.by}, taken_at = ${taken.at}, turn = turn + 1, tries = 0,
      taken_session = ${taken.taker.sessionId}, taken_key = ${taken.taker.keyId}, leased_until = '-infinity', due_at = null, ends_at = ${taken.endsAt}
    where workspace_id = ${chat.workspaceId} and id = ${chat.id} and state <> 'closed'`.execute(tx);
}

/** The agent answers from now on, at once if messages of the customer wait. */
export async function giveToAgent(
  tx: Tx,
  chat: Key,
  next: { readonly at: Date; readonly endsAt: Date },
): Promise<void> {
  await sql`
    update chats set state = 'open', taken_by = null, taken_at = null, taken_session = null,
      taken_key = null, turn = turn + 1, ends_at = ${next.endsAt},
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
