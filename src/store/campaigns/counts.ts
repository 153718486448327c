import { sql, type RawBuilder } from 'kysely';
import type { Stored } from '../../shared/wire-names.ts';
import { CAMPAIGN, campaignRows, type CampaignRow } from './campaigns.ts';
import type { Db } from '../database.ts';

/** A campaign's contacts by status; the counts add up to `total`. */
export interface CampaignCounts {
  readonly total: number;
  readonly registered: number;
  readonly ongoing: number;
  readonly retry: number;
  readonly completed: number;
  /** Ended as `failed` or `error`. */
  readonly failed: number;
  readonly cancelled: number;
  /** What became of the messages of a campaign that sends messages; null: its contacts are called. */
  readonly messages: MessageCounts | null;
}

/** Messages by what WhatsApp reported; each count includes those of the next. */
export interface MessageCounts {
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
  readonly answered: number;
}

/** Contacts that wait for their first attempt or a retry. */
export const waitingOf = (counts: CampaignCounts): number => counts.registered + counts.retry;

const NIL = sql.raw(`'00000000-0000-0000-0000-000000000000'::uuid`);

/**
 * Counts the contacts of each campaign `p` in one snapshot, at a cost that does not depend on its size: ended ones from
 * the day sums, live ones and retries along their partial indexes, and the remainder waits for a first attempt.
 * Messages are counted from their index. A list that was not imported has no contacts.
 */
const COUNTS = sql`
  cross join lateral (
    select case when p.state in ('uploaded', 'verifying', 'failed') then 0 else p.successful_rows end as total) t
  cross join lateral (
    select coalesce(sum(e.calls) filter (where e.status = 'completed'), 0)::int as completed,
           coalesce(sum(e.calls) filter (where e.status in ('failed', 'error')), 0)::int as failed,
           coalesce(sum(e.calls) filter (where e.status = 'cancelled'), 0)::int as cancelled
    from (
      select status, calls from call_days
      where workspace_id = p.workspace_id and campaign_id = p.id and campaign_id <> ${NIL}
      union all
      select status, 1 from call_endings where workspace_id = p.workspace_id and campaign_id = p.id) e) ended
  cross join lateral (
    select count(*)::int as ongoing from calls
    where workspace_id = p.workspace_id and campaign_id = p.id and campaign_id is not null and status = 'ongoing') live
  cross join lateral (
    select count(*)::int as retry from calls
    where workspace_id = p.workspace_id and campaign_id = p.id and campaign_id is not null and status = 'retry') again
  cross join lateral (
    select count(*) filter (where status = 'ongoing')::int as ongoing,
      count(*) filter (where status = 'retry')::int as retry,
      count(*) filter (where status = 'completed')::int as completed,
      count(*) filter (where status in ('failed', 'error'))::int as failed,
      count(*) filter (where status = 'cancelled')::int as cancelled,
      case when p.template is null then null else jsonb_build_object(
        'sent', count(*) filter (where state in ('sent', 'delivered', 'read')),
        'delivered', count(*) filter (where state in ('delivered', 'read')),
        'read', count(*) filter (where state = 'read'),
        'answered', count(*) filter (where answered_at is not null)) end as messages
    from campaign_messages
    where p.template is not null and workspace_id = p.workspace_id and campaign_id = p.id) said`;
const COLUMNS = sql`t.total, live.ongoing + said.ongoing as ongoing, again.retry + said.retry as retry,
  ended.completed + said.completed as completed, ended.failed + said.failed as failed,
  ended.cancelled + said.cancelled as cancelled, said.messages,
  t.total - live.ongoing - again.retry - ended.completed - ended.failed - ended.cancelled
    - said.ongoing - said.retry - said.completed - said.failed - said.cancelled as registered`;

/** SQL that joins the counts of each campaign `p`, as `name`. */
export const countsOf = (name: string): RawBuilder<unknown> =>
  sql`cross join lateral (select ${COLUMNS} from (values (1)) one ${COUNTS}) ${sql.ref(name)}`;

const NOTHING: CampaignCounts = {
  total: 0,
  registered: 0,
  ongoing: 0,
  retry: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  messages: null,
};

export async function countCampaign(
  db: Db,
  workspaceId: string,
  campaignId: string,
): Promise<CampaignCounts> {
  const { rows } = await sql<CampaignCounts>`
    select ${COLUMNS} from campaigns p ${COUNTS}
    where p.workspace_id = ${workspaceId} and p.id = ${campaignId}`.execute(db);
  return rows[0] ?? NOTHING;
}

/** A page of the workspace's campaigns, newest first. `withCounts` costs several index lookups per campaign. */
export async function listCampaigns(
  db: Db,
  workspaceId: string,
  page: {
    readonly limit: number;
    readonly offset: number;
    readonly after: { readonly at: Date; readonly id: string } | null;
  },
  withCounts: boolean,
): Promise<{ campaigns: { row: CampaignRow; counts: CampaignCounts | null }[]; total: number }> {
  const none: RawBuilder<unknown> = sql``;
  const { rows } = await sql<Stored<CampaignRow, 'callConfig'> & CampaignCounts>`
    select ${CAMPAIGN} ${withCounts ? sql`, ${COLUMNS}` : none}
    from (select * from campaigns where workspace_id = ${workspaceId}
            ${page.after === null ? none : sql`and (created_at, id) < (${page.after.at}, ${page.after.id})`}
          order by created_at desc, id desc limit ${page.limit} offset ${page.offset}) p
    ${withCounts ? COUNTS : none}
    order by p.created_at desc, p.id desc`.execute(db);
  const { total } = await db
    .selectFrom('campaigns')
    .select((e) => e.fn.countAll<number>().as('total'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return {
    campaigns: campaignRows(rows).map((row) => ({ row, counts: withCounts ? row : null })),
    total,
  };
}
