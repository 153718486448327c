import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { CallStatus } from '../schema.ts';
import type { MessageState } from './messages.ts';

/** The message of one contact and what became of it. */
export interface MessageRow {
  readonly id: string;
  readonly row: number;
  readonly toNumber: string;
  readonly calleeName: string;
  readonly args: Readonly<Record<string, string>>;
  readonly status: CallStatus;
  readonly subStatus: string;
  readonly state: MessageState | null;
  readonly attempt: number;
  readonly retriesUsed: number;
  readonly nextAttemptAt: Date;
  readonly numberId: string | null;
  readonly fromNumber: string | null;
  readonly externalId: string | null;
  readonly text: string | null;
  readonly errorCode: number | null;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly readAt: Date | null;
  readonly answeredAt: Date | null;
  readonly chatId: string | null;
  readonly endedAt: Date | null;
}
const ROW = sql`m.id, m.contact_row as row, m.to_number as "toNumber", m.callee_name as "calleeName", m.args, m.status,
  m.sub_status as "subStatus", m.state, m.attempt, m.retries_used as "retriesUsed",
  m.next_attempt_at as "nextAttemptAt", m.number_id as "numberId",
  (select n.number from whatsapp_numbers n where n.workspace_id = m.workspace_id and n.id = m.number_id)
    as "fromNumber", m.external_id as "externalId", m.text, m.error_code as "errorCode", m.sent_at as "sentAt",
  m.delivered_at as "deliveredAt", m.read_at as "readAt", m.answered_at as "answeredAt", m.chat_id as "chatId",
  m.ended_at as "endedAt"`;

/** The next messages of a campaign in file order, of every status or of one, after row `after` (0: from the first). */
export async function messagesOfRows(
  db: Db,
  workspaceId: string,
  campaignId: string,
  status: CallStatus | null,
  after: number,
  take: number,
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select ${ROW} from campaign_messages m
    where m.workspace_id = ${workspaceId} and m.campaign_id = ${campaignId} and m.contact_row > ${after}
      and (${status}::text is null or m.status = ${status})
    order by m.contact_row limit ${take}`.execute(db);
  return rows;
}

export interface MessageFilter {
  readonly status: CallStatus | null;
  readonly state: MessageState | null;
  readonly number: string | null;
}

/** A page of a campaign's messages in file order. */
export async function listMessages(
  db: Db,
  workspaceId: string,
  campaignId: string,
  filter: MessageFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ messages: MessageRow[]; total: number }> {
  const where = sql`m.workspace_id = ${workspaceId} and m.campaign_id = ${campaignId}
    and (${filter.status}::text is null or m.status = ${filter.status})
    and (${filter.state}::text is null or m.state = ${filter.state})
    and (${filter.number}::text is null or m.to_number = ${filter.number})`;
  const { rows: messages } = await sql<MessageRow>`
    select ${ROW} from campaign_messages m where ${where}
    order by m.contact_row limit ${page.limit} offset ${page.offset}`.execute(db);
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from campaign_messages m where ${where}`.execute(db);
  return { messages, total: rows[0]?.total ?? 0 };
}

/** The variables of the campaign's first message that has any. */
export async function someMessageArgs(
  db: Db,
  workspaceId: string,
  campaignId: string,
): Promise<Record<string, string>> {
  const { rows } = await sql<{ args: Record<string, string> }>`
    select args from campaign_messages
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and args <> '{}'
    order by contact_row limit 1`.execute(db);
  return rows[0]?.args ?? {};
}

/** Deletes number, name, values and text of at most `take` messages that ended before `cutoff`; returns how many. */
export async function clearMessageContacts(
  tx: Tx,
  workspaceId: string,
  cutoff: Date,
  take: number,
  at: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update campaign_messages set ${WITHOUT_PERSON}, updated_at = ${at}
    where workspace_id = ${workspaceId} and id in (
      select id from campaign_messages
      where workspace_id = ${workspaceId} and to_number > '' and ended_at < ${cutoff}
      limit ${take} for update skip locked)`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

const WITHOUT_PERSON = sql`to_number = '', callee_name = '', args = '{}', text = null, customer = null`;

/** Erases the personal data of campaigns' messages to these numbers; waiting ones are cancelled. The rows remain counted. */
export async function eraseMessages(
  tx: Tx,
  workspaceId: string,
  numbers: readonly string[],
  requestedAt: Date,
  at: Date,
): Promise<void> {
  await sql`
    update campaign_messages m set ${WITHOUT_PERSON},
      status = case when status in ('registered', 'retry') then 'cancelled' else status end,
      sub_status = case when status in ('registered', 'retry') then 'USER_TERMINATED' else sub_status end,
      ended_at = case when status in ('registered', 'retry') then ${at} else ended_at end, updated_at = ${at}
    where m.workspace_id = ${workspaceId} and m.to_number = any(${[...numbers]}::text[])
      and (m.created_at <= ${requestedAt} or exists (
        select from campaign_uploads u where u.workspace_id = m.workspace_id and u.id = m.campaign_id
          and u.created_at <= ${requestedAt}))`.execute(tx);
}
