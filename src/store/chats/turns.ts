import type { ChatUse, JournaledTool } from '../json/chat.ts';
import type { ToolLogEntry } from '../../voice/conversation.ts';
import { sql } from 'kysely';
import { storableJson } from '../../shared/storable.ts';
import type { Db, Tx } from '../database.ts';
import { mayTakeAt, mostFor, shareOf, type PlacesToFill } from '../shares.ts';
import { CHAT, type ChatRow } from './chats.ts';
import { markAnswered } from './messages.ts';

/** A chat whose turn this process takes, until the lease expires. */
export interface LeasedChat extends ChatRow {
  /** Tools that an earlier try at this turn had started. */
  readonly turnTools: readonly JournaledTool[];
}

/**
 * Leases chats with unanswered messages, the longest waiting of each workspace first, within the shares of the
 * workspaces. They are found as in `takeJobs`, so that the chats of one workspace cannot hide those of another. Raising
 * `turn` fences off a worker whose lease expired.
 */
export async function leaseDueChats(
  db: Db,
  input: {
    readonly now: Date;
    readonly leaseUntil: Date;
    readonly places: PlacesToFill;
  },
): Promise<LeasedChat[]> {
  const { places } = input;
  const { rows } = await sql<LeasedChat>`
    with recursive tenants as (
      (select workspace_id from chats where state = 'open' and due_at is not null order by workspace_id limit 1)
      union all
      select n.workspace_id from tenants t cross join lateral (
        select workspace_id from chats
        where state = 'open' and due_at is not null and workspace_id > t.workspace_id
        order by workspace_id limit 1) n),
    due as (
      select t.workspace_id, p.id, s.held + p.nth - 1 as held,
        row_number() over (order by s.held + p.nth, s.served, p.due_at) as rank
      from tenants t
      cross join lateral ${shareOf(sql`t.workspace_id`, places)} s
      cross join lateral (
        select d.id, d.due_at, row_number() over (order by d.due_at) as nth from (
          select c.id, c.due_at from chats c
          where c.state = 'open' and c.workspace_id = t.workspace_id and c.due_at <= ${input.now}
            and c.leased_until <= ${input.now} and c.channel <> 'test'
          order by c.due_at limit ${mostFor(sql`s.held`, places)}) d) p),
    chosen as (select workspace_id, id from due where ${mayTakeAt(sql`held`, sql`rank`, places)})
    update chats c set leased_until = ${input.leaseUntil}, turn = c.turn + 1
    from chosen h
    where c.workspace_id = h.workspace_id and c.id = h.id and c.state = 'open' and c.due_at <= ${input.now}
      and c.leased_until <= ${input.now}
    returning ${CHAT}, c.turn_tools as "turnTools"`.execute(db);
  return rows;
}

/** Leases one chat at once; null: another worker has it, or it has ended. */
export async function leaseChat(
  db: Db,
  workspaceId: string,
  id: string,
  times: { readonly now: Date; readonly leaseUntil: Date },
): Promise<LeasedChat | null> {
  const { rows } = await sql<LeasedChat>`
    update chats c set leased_until = ${times.leaseUntil}, turn = c.turn + 1
    where c.workspace_id = ${workspaceId} and c.id = ${id} and c.state = 'open' and c.leased_until <= ${times.now}
    returning ${CHAT}, c.turn_tools as "turnTools"`.execute(db);
  return rows[0] ?? null;
}

/** Writes the tools of the turn under way. False: the turn is fenced off and must stop. */
export async function saveTurnTools(
  db: Db,
  chat: Pick<ChatRow, 'workspaceId' | 'id' | 'turn'>,
  tools: readonly JournaledTool[],
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update chats set turn_tools = ${storableJson(tools)}::jsonb
    where workspace_id = ${chat.workspaceId} and id = ${chat.id} and turn = ${chat.turn} and state = 'open'`.execute(
    db,
  );
  return (numAffectedRows ?? 0n) > 0n;
}

/** Adds what a part of a turn used, whether the turn is stored or repeated. */
export async function addUsage(
  db: Db,
  chat: Pick<ChatRow, 'workspaceId' | 'id'>,
  usage: readonly ChatUse[],
): Promise<void> {
  await sql`
    update chats set usage = usage || ${storableJson(usage)}::jsonb
    where workspace_id = ${chat.workspaceId} and id = ${chat.id} and erased_at is null`.execute(db);
}

/**
 * Stores the end of a turn and releases the chat, which is due at once if a message waits that the turn does not answer.
 * False: the turn is fenced off, and the caller rolls back.
 */
export async function commitTurn(
  tx: Tx,
  chat: Pick<ChatRow, 'workspaceId' | 'id' | 'turn'>,
  result: {
    /** Ids of the customer's messages. */
    readonly answered: readonly string[];
    readonly talk: object;
    readonly toolLog: readonly ToolLogEntry[];
    readonly usage: readonly ChatUse[];
    readonly endsAt: Date;
    readonly now: Date;
  },
): Promise<boolean> {
  // A statement of its own: the update then sees the message of a transaction that held the lock before this one.
  await sql`select from chats where workspace_id = ${chat.workspaceId} and id = ${chat.id} for update`.execute(
    tx,
  );
  await markAnswered(tx, chat, result.answered, chat.turn);
  const { numAffectedRows } = await sql`
    update chats set talk = ${storableJson(result.talk)}::jsonb, tool_log = tool_log || ${storableJson(result.toolLog)}::jsonb,
      usage = usage || ${storableJson(result.usage)}::jsonb, turn_tools = '[]', tries = 0,
      ends_at = ${result.endsAt}, leased_until = '-infinity',
      due_at = case when exists (select from chat_messages m where m.workspace_id = ${chat.workspaceId}
        and m.chat_id = ${chat.id} and m.role = 'customer' and m.turn is null) then ${result.now}::timestamptz end
    where workspace_id = ${chat.workspaceId} and id = ${chat.id} and turn = ${chat.turn} and state = 'open'`.execute(
    tx,
  );
  return (numAffectedRows ?? 0n) > 0n;
}

/** Releases a chat whose turn failed, for another try at `dueAt`. */
export async function releaseTurn(
  db: Db,
  chat: Pick<ChatRow, 'workspaceId' | 'id' | 'turn'>,
  dueAt: Date,
): Promise<void> {
  await sql`
    update chats set leased_until = '-infinity', due_at = ${dueAt}, tries = tries + 1
    where workspace_id = ${chat.workspaceId} and id = ${chat.id} and turn = ${chat.turn} and state = 'open'`.execute(
    db,
  );
}

/** Releases a chat whose turn may not be taken yet; it does not count as a try. */
export async function deferTurn(
  db: Db,
  chat: Pick<ChatRow, 'workspaceId' | 'id' | 'turn'>,
  dueAt: Date,
): Promise<void> {
  await sql`
    update chats set leased_until = '-infinity', due_at = ${dueAt}
    where workspace_id = ${chat.workspaceId} and id = ${chat.id} and turn = ${chat.turn} and state = 'open'`.execute(
    db,
  );
}

/** Adds tools that ran after the chat; false: it is no chat. An erased one keeps nothing. */
export async function appendChatTools(
  db: Db,
  chat: Pick<ChatRow, 'workspaceId' | 'id'>,
  tools: readonly ToolLogEntry[],
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update chats set tool_log = case when erased_at is null then tool_log || ${storableJson(tools)}::jsonb else tool_log end
    where workspace_id = ${chat.workspaceId} and id = ${chat.id}`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}
