import type { Template } from '../json/template.ts';
import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/** A campaign's message that a person answers. */
export interface AnsweredMessage {
  readonly id: string;
  readonly campaignId: string;
  readonly calleeName: string;
  readonly args: Readonly<Record<string, string>>;
  readonly text: string;
  readonly sentAt: Date;
  readonly template: Template;
}

/**
 * Locks the campaign's message that an incoming message answers: the one that it quotes, else the last one to this
 * person over this number since `since` that has no answer. Null: none.
 */
export async function lockAnswered(
  tx: Tx,
  by: {
    readonly workspaceId: string;
    readonly numberId: string;
    /** The customer's id in WhatsApp, and digits of the number. */
    readonly customer: string;
    readonly number: string | null;
    readonly quotedId: string | null;
    readonly since: Date;
  },
): Promise<AnsweredMessage | null> {
  const { rows } = await sql<AnsweredMessage>`
    select m.id, m.campaign_id as "campaignId", m.callee_name as "calleeName", m.args, coalesce(m.text, '') as text,
      coalesce(m.sent_at, m.claimed_at, m.created_at) as "sentAt", c.template
    from campaign_messages m join campaigns c on c.workspace_id = m.workspace_id and c.id = m.campaign_id
    where m.workspace_id = ${by.workspaceId} and m.number_id = ${by.numberId}
      and (m.external_id = ${by.quotedId}
        or ((m.to_number = ${by.number === null ? null : `+${by.number}`} or m.customer in (${by.customer}, ${by.number}))
          and m.state in ('unsure', 'sent', 'delivered', 'read') and m.answered_at is null
          and coalesce(m.sent_at, m.claimed_at) > ${by.since}))
    order by (m.external_id = ${by.quotedId}) desc nulls last, m.claimed_at desc limit 1 for update of m`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** The person wrote back, which proves the message delivered and read. The first answer counts. */
export async function noteAnswer(
  tx: Tx,
  workspaceId: string,
  id: string,
  answer: { readonly chatId: string; readonly at: Date },
): Promise<void> {
  await sql`
    update campaign_messages set answered_at = coalesce(answered_at, ${answer.at}),
      chat_id = coalesce(chat_id, ${answer.chatId}), status = 'completed', sub_status = 'ANSWERED', state = 'read',
      sent_at = coalesce(sent_at, claimed_at), due_at = null, error_code = null,
      ended_at = coalesce(ended_at, ${answer.at}), updated_at = ${answer.at}
    where workspace_id = ${workspaceId} and id = ${id} and status in ('ongoing', 'completed', 'error')`.execute(
    tx,
  );
}

/** The campaign of a chat that began with the answer to its message. */
export async function setChatCampaign(
  tx: Tx,
  chat: { readonly workspaceId: string; readonly id: string },
  campaignId: string,
): Promise<void> {
  await sql`
    update chats set campaign_id = ${campaignId}
    where workspace_id = ${chat.workspaceId} and id = ${chat.id}`.execute(tx);
}
