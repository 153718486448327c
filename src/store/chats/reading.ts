import { platformDocument, type PlatformAnalysis } from '../json/analysis.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { ChatChannel, ChatState, JsonObject } from '../schema.ts';
import { CHAT, type ChatRow } from './chats.ts';

export interface ChatFilter {
  readonly agentId: string | null;
  /** The campaign whose message the person answered. */
  readonly campaignId: string | null;
  readonly channel: Exclude<ChatChannel, 'test'> | null;
  readonly state: ChatState | null;
  readonly customerNumber: string | null;
  readonly since: Date | null;
  readonly before: Date | null;
}

export interface ListedChat extends ChatRow {
  readonly messageCount: number;
  readonly lastText: string | null;
  readonly lastAt: Date | null;
}

const matches = (workspaceId: string, filter: ChatFilter) => sql`
  c.workspace_id = ${workspaceId} and c.channel <> 'test'
  and (${filter.agentId}::uuid is null or c.agent_id = ${filter.agentId}::uuid)
  and (${filter.campaignId}::uuid is null or c.campaign_id = ${filter.campaignId}::uuid)
  and (${filter.channel}::text is null or c.channel = ${filter.channel})
  and (${filter.state}::text is null or c.state = ${filter.state})
  and (${filter.customerNumber}::text is null or c.customer_number = ${filter.customerNumber})
  and (${filter.since}::timestamptz is null or c.created_at >= ${filter.since})
  and (${filter.before}::timestamptz is null or c.created_at < ${filter.before})`;

/** A page of the workspace's chats, newest first. */
export async function listChats(
  db: Db,
  workspaceId: string,
  filter: ChatFilter,
  page: {
    readonly limit: number;
    readonly offset: number;
    readonly after: { readonly at: Date; readonly id: string } | null;
  },
): Promise<{ chats: ListedChat[]; total: number }> {
  const { rows: chats } = await sql<ListedChat>`
    select ${CHAT}, m.count as "messageCount", l.text as "lastText", l.sent_at as "lastAt"
    from chats c
    cross join lateral (select count(*)::int as count from chat_messages
      where workspace_id = c.workspace_id and chat_id = c.id) m
    left join lateral (select left(text, 200) as text, sent_at from chat_messages
      where workspace_id = c.workspace_id and chat_id = c.id order by seq desc limit 1) l on true
    where ${matches(workspaceId, filter)}
      ${page.after === null ? sql`` : sql`and (c.created_at, c.id) < (${page.after.at}, ${page.after.id})`}
    order by c.created_at desc, c.id desc limit ${page.limit} offset ${page.offset}`.execute(db);
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from chats c where ${matches(workspaceId, filter)}`.execute(db);
  return { chats, total: rows[0]?.total ?? 0 };
}

export interface ChatTotals {
  readonly chats: number;
  readonly openChats: number;
  readonly withPerson: number;
  readonly customerMessages: number;
  readonly agentMessages: number;
  readonly personMessages: number;
  readonly averageSeconds: number | null;
  readonly byEnd: Readonly<Record<string, number>>;
  readonly byChannel: Readonly<Record<string, number>>;
  readonly byClassification: Readonly<Record<string, number>>;
}

/** Totals of the workspace's chats. */
export async function readChatTotals(db: Db, workspaceId: string, filter: ChatFilter): Promise<ChatTotals> {
  const { rows } = await sql<ChatTotals>`
    with found as (select c.* from chats c where ${matches(workspaceId, filter)}),
    said as (
      select count(*) filter (where role = 'customer')::int as customer,
        count(*) filter (where role = 'agent')::int as agent, count(*) filter (where role = 'person')::int as person
      from chat_messages m join found f on f.workspace_id = m.workspace_id and f.id = m.chat_id)
    select (select count(*)::int from found) as chats,
      (select count(*)::int from found where state <> 'closed') as "openChats",
      (select count(*)::int from found where state = 'with_person') as "withPerson",
      (select customer from said) as "customerMessages", (select agent from said) as "agentMessages",
      (select person from said) as "personMessages",
      (select extract(epoch from avg(ended_at - created_at))::float8 from found where ended_at is not null)
        as "averageSeconds",
      (select coalesce(jsonb_object_agg(k, n), '{}') from (
        select end_reason as k, count(*)::int as n from found where end_reason is not null group by 1) e) as "byEnd",
      (select coalesce(jsonb_object_agg(k, n), '{}') from (
        select channel as k, count(*)::int as n from found group by 1) e) as "byChannel",
      (select coalesce(jsonb_object_agg(k, n), '{}') from (
        select platform_analysis ->> 'classification' as k, count(*)::int as n from found
        where platform_analysis ->> 'classification' is not null group by 1) e) as "byClassification"`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('totals of chats have no row');
  return row;
}

/** Stores the analyses of a closed chat; false if its processing has ended. */
export async function saveChatAnalyses(
  tx: Tx,
  chat: Pick<ChatRow, 'workspaceId' | 'id'>,
  analyses: {
    readonly platform: PlatformAnalysis | null;
    readonly client: JsonObject | null;
    readonly evaluations: readonly object[] | null;
  },
  at: Date,
): Promise<boolean> {
  const { platform, client, evaluations } = analyses;
  const { numAffectedRows } = await sql`
    update chats set processed_at = ${at},
      platform_analysis = ${platform === null ? null : platformDocument.text(platform)}::jsonb,
      client_analysis = ${client === null ? null : JSON.stringify(client)}::jsonb,
      evaluations = ${evaluations === null ? null : JSON.stringify(evaluations)}::jsonb
    where workspace_id = ${chat.workspaceId} and id = ${chat.id} and state = 'closed'
      and processed_at is null`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}
