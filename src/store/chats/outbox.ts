import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { JsonObject } from '../schema.ts';

/** A message of ours that this process sends, until its lease expires. */
export interface OutboxMessage {
  readonly workspaceId: string;
  readonly id: string;
  readonly chatId: string;
  readonly numberId: string;
  readonly customer: string;
  readonly customerNumber: string | null;
  /** The customer's last message; null: there is none. */
  readonly customerAt: Date | null;
  readonly kind: string;
  readonly text: string;
  readonly content: JsonObject | null;
  readonly tries: number;
}

/**
 * Takes due messages, in order for each chat: a message waits for every earlier one of its chat. `sending` is committed
 * before the request leaves, so a crash leaves a trace of it. A message whose lease expired becomes `unsure`.
 */
export async function takeOutbox(
  db: Db,
  input: { readonly now: Date; readonly leaseUntil: Date; readonly limit: number },
): Promise<OutboxMessage[]> {
  const { rows } = await sql<OutboxMessage>`
    with due as (
      select m.workspace_id, m.id from chat_messages m
      join chats c on c.workspace_id = m.workspace_id and c.id = m.chat_id and c.channel = 'whatsapp'
      join whatsapp_numbers n on n.workspace_id = c.workspace_id and n.id = c.channel_id and n.paused_until <= ${input.now}
      where m.state = 'queued' and m.due_at <= ${input.now}
        and not exists (select from chat_messages e where e.workspace_id = m.workspace_id and e.chat_id = m.chat_id
          and e.seq < m.seq and e.state in ('queued', 'sending', 'unsure'))
      order by m.due_at limit ${input.limit} for update of m skip locked)
    update chat_messages m set state = 'sending', due_at = ${input.leaseUntil}, tries = m.tries + 1
    from due d, chats c
    where m.workspace_id = d.workspace_id and m.id = d.id and m.state = 'queued'
      and c.workspace_id = m.workspace_id and c.id = m.chat_id
    returning m.workspace_id as "workspaceId", m.id, m.chat_id as "chatId", c.channel_id as "numberId", c.customer,
      c.customer_number as "customerNumber", c.customer_at as "customerAt", m.kind, m.text, m.content, m.tries`.execute(
    db,
  );
  return rows;
}

/**
 * Messages whose process died between the request and its answer wait until `confirmUntil` for a status that proves
 * them sent; without one they are queued again.
 */
export async function settleUnsure(db: Db, now: Date, confirmUntil: Date): Promise<void> {
  await sql`
    update chat_messages set state = 'queued', due_at = ${now}
    where state = 'unsure' and due_at <= ${now}`.execute(db);
  await sql`
    update chat_messages set state = 'unsure', due_at = ${confirmUntil}
    where state = 'sending' and due_at <= ${now}`.execute(db);
}

type Key = Pick<OutboxMessage, 'workspaceId' | 'id'>;

/** The channel accepted the message. A status may have come first. */
export async function markSent(db: Db, { workspaceId, id }: Key, externalId: string): Promise<void> {
  await sql`
    update chat_messages set external_id = coalesce(external_id, ${externalId}),
      state = case when state in ('sending', 'unsure', 'queued') then 'sent' else state end, due_at = null
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db);
}

/** The request failed, or its answer was lost (`unsure`). No effect once a status has proved the message sent. */
export async function markUnsent(
  db: Db,
  { workspaceId, id }: Key,
  next: {
    readonly state: 'queued' | 'unsure' | 'failed';
    readonly dueAt: Date | null;
    readonly errorCode: number | null;
  },
): Promise<void> {
  await sql`
    update chat_messages set state = ${next.state}, due_at = ${next.dueAt}, error_code = ${next.errorCode}
    where workspace_id = ${workspaceId} and id = ${id} and state = 'sending'`.execute(db);
}

export interface StatusTarget {
  readonly workspaceId: string;
  readonly id: string;
  readonly tries: number;
}

/** Applies a delivery status by our own id or the channel's. An older status never replaces a later one. */
export async function applyStatus(
  tx: Tx,
  status: {
    readonly workspaceId: string;
    readonly externalId: string;
    readonly ownId: string | null;
    readonly state: 'sent' | 'delivered' | 'read' | 'failed';
    readonly errorCode: number | null;
  },
): Promise<StatusTarget | null> {
  const ranks = sql`array['queued', 'sending', 'unsure', 'sent', 'failed', 'delivered', 'read']`;
  const { rows } = await sql<StatusTarget>`
    update chat_messages set state = ${status.state}, due_at = null, error_code = ${status.errorCode},
      external_id = coalesce(external_id, ${status.externalId})
    where workspace_id = ${status.workspaceId} and role <> 'customer'
      and (external_id = ${status.externalId} or (external_id is null and id = ${status.ownId}::uuid))
      and array_position(${ranks}, state) < array_position(${ranks}, ${status.state}::text)
    returning workspace_id as "workspaceId", id, tries`.execute(tx);
  return rows[0] ?? null;
}

/** A message that was accepted but not delivered is sent again. */
export async function requeue(tx: Tx, { workspaceId, id }: Key, dueAt: Date): Promise<void> {
  await sql`
    update chat_messages set state = 'queued', due_at = ${dueAt}, external_id = null
    where workspace_id = ${workspaceId} and id = ${id} and state = 'failed'`.execute(tx);
}
