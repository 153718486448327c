import { sql } from 'kysely';
import type { Db } from './database.ts';

/** A queue of the database whose work one poller takes; `job:` is followed by the kind of job. */
export type Queue =
  | 'chats'
  | 'chat_messages'
  | 'campaigns'
  | 'campaign_messages'
  | 'deliveries'
  | 'receivers'
  | 'erasures'
  | `job:${string}`;

/**
 * The queues that have work at `now`, by one statement for all of them. A queue that is not listed has nothing that its
 * poller would take; a listed one may have nothing that this process may take. `db`: of connections with `hasIndexPlans`, since
 * these tables are empty most of the time, and grow within seconds.
 */
export async function queuesWithWork(db: Db, now: Date): Promise<Queue[]> {
  const look = sql<{ queues: Queue[] }>`/* hot:queues_with_work */
    with recursive pairs as (
      (select kind, workspace_id from jobs where state = 'due' order by kind, workspace_id limit 1)
      union all
      select n.kind, n.workspace_id from pairs p cross join lateral (
        select kind, workspace_id from jobs where state = 'due' and (kind, workspace_id) > (p.kind, p.workspace_id)
        order by kind, workspace_id limit 1) n)
    select array_remove(array[
      case when exists (select from chats where state = 'open' and due_at <= ${now} and leased_until <= ${now}
          and channel <> 'test')
        or exists (select from chats where state <> 'closed' and ends_at <= ${now} and leased_until <= ${now})
        or exists (select from chats where state = 'with_person') then 'chats' end,
      case when exists (select from chat_messages where state in ('queued', 'sending', 'unsure') and due_at <= ${now})
        then 'chat_messages' end,
      case when exists (select from campaigns where reported_at is null
          and state in ('scheduled', 'ongoing', 'paused', 'insufficient_balance', 'completed', 'terminated'))
        or exists (select from calls c join campaigns l on l.workspace_id = c.workspace_id and l.id = c.origin_campaign_id
          where c.origin_campaign_id is not null and c.status in ('registered', 'retry')
            and (l.state = 'terminated' or l.end_at <= ${now})) then 'campaigns' end,
      case when exists (select from campaign_messages where due_at is not null and due_at <= ${now})
        or exists (select from campaigns where template is not null and state in ('scheduled', 'ongoing'))
        then 'campaign_messages' end,
      case when exists (select from delivery_queue) then 'deliveries' end,
      case when exists (select from given_up_deliveries where state = 'new') or exists (select from webhook_outages)
        then 'receivers' end,
      case when exists (select from erasures where state = 'due' and due_at <= ${now})
        or exists (select from tombstone_queue) then 'erasures' end], null)
      || array(select distinct 'job:' || p.kind from pairs p where exists (select from jobs j
          where j.state = 'due' and j.kind = p.kind and j.workspace_id = p.workspace_id and j.due_at <= ${now}))
      as queues`;
  const { rows } = await look.execute(db);
  return rows[0]?.queues ?? [];
}
