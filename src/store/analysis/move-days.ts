import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../database.ts';
import { MACHINE_OUTCOMES } from '../../shared/machine-outcomes.ts';
import { dayIn } from '../zone.ts';
import { foldEndings, lockSums } from './analytics.ts';
import { pagesOf, type DayPage } from './day-pages.ts';
import { callSpan } from './zone-moves.ts';

const NIL = sql.raw(`'00000000-0000-0000-0000-000000000000'::uuid`);
const EVERYTHING = 2_000_000_000;
/** Of the calls of a workspace, by when they began. */
const PAGES = 20;
const ALL_AT_ONCE: readonly DayPage[] = [{ from: null, to: null }];

/** A table of day sums, and the rows that it counts. */
interface DaySum {
  readonly table: string;
  /** Its key besides workspace and day. */
  readonly key: readonly string[];
  readonly sums: readonly string[];
  /** Its rows have no index by `at`: all of them are counted by one statement. */
  readonly isWhole?: boolean;
  /**
   * SQL of the counted rows with their instant `at`, the key and the sums, less those that wait: they get their day when
   * they are folded.
   */
  readonly counted: (workspaceId: string) => RawBuilder<unknown>;
}

const CALLS: DaySum = {
  table: 'call_days',
  key: [
    'agent_id',
    'version_id',
    'number_id',
    'campaign_id',
    'call_type',
    'status',
    'sub_status',
    'duration_bucket',
  ],
  sums: ['calls', 'attempts', 'duration_ms', 'cost'],
  counted: (workspaceId) => sql`
    select created_at as at, agent_id, version_id, coalesce(number_id, ${NIL}) as number_id,
           coalesce(campaign_id, ${NIL}) as campaign_id, call_type, status, sub_status,
           ending_bucket(duration_ms) as duration_bucket, 1 as calls, attempt::int as attempts,
           coalesce(duration_ms, 0)::bigint as duration_ms, cost
    from calls where workspace_id = ${workspaceId} and status in ('completed', 'failed', 'error', 'cancelled')
    union all
    select at, agent_id, version_id, number_id, campaign_id, call_type, status, sub_status, duration_bucket,
           -1, -attempts, -duration_ms, -cost
    from call_endings where workspace_id = ${workspaceId}`,
};

const BEGUN: DaySum = {
  table: 'call_begun',
  key: ['call_type'],
  sums: ['calls'],
  counted: (workspaceId) => sql`
    select created_at as at, call_type, 1 as calls from calls
    where workspace_id = ${workspaceId} and contact_row is null
    union all
    select c.created_at, c.call_type, p.successful_rows
    from campaigns p cross join lateral (
      select created_at, call_type from calls
      where workspace_id = p.workspace_id and campaign_id = p.id and contact_row is not null limit 1) c
    where p.workspace_id = ${workspaceId} and p.state not in ('uploaded', 'verifying', 'failed')
    union all
    select at, call_type, -calls from call_beginnings where workspace_id = ${workspaceId}`,
};

const RESULTS: DaySum = {
  table: 'result_days',
  key: ['agent_id', 'campaign_id', 'result', 'source'],
  sums: ['calls'],
  counted: (workspaceId) => sql`
    select created_at as at, agent_id, coalesce(campaign_id, ${NIL}) as campaign_id, result, result_source as source,
           1 as calls
    from calls where workspace_id = ${workspaceId} and result is not null
    union all
    select at, agent_id, campaign_id, result, source, -calls from result_changes where workspace_id = ${workspaceId}`,
};

const ATTEMPTS: DaySum = {
  table: 'attempt_days',
  key: ['agent_id', 'version_id', 'number_id', 'campaign_id'],
  sums: ['attempts', 'first_attempts', 'answered'],
  isWhole: true,
  counted: (workspaceId) => sql`
    select date_bin('15 minutes', coalesce(t.dialed_at, c.created_at), 'epoch') as at, c.agent_id, c.version_id,
           coalesce(t.number_id, c.number_id, ${NIL}) as number_id, coalesce(c.campaign_id, ${NIL}) as campaign_id,
           1 as attempts, (t.attempt = 1)::int as first_attempts,
           (t.answered_at is not null and t.sub_status not in (${sql.join(
             MACHINE_OUTCOMES.map((outcome) => sql.lit(outcome)),
           )}))::int as answered
    from call_attempts t join calls c on c.workspace_id = t.workspace_id and c.id = t.call_id
    where t.workspace_id = ${workspaceId} and t.status = 'ended'
      and (t.dialed_at is not null or c.call_type <> 'outbound')
    union all
    select slot, agent_id, version_id, number_id, campaign_id, -1, -(attempt = 1)::int, -is_answered::int
    from ended_attempts where workspace_id = ${workspaceId}`,
};

/**
 * Moves the day sums of a workspace from the days of one zone to those of another, in the transaction that stores the new
 * zone. What is counted from kept calls and attempts moves; sums of calls that are deleted, and reaction times, whose turns
 * are not kept, stay on the day they have. Each page of a table moves in one statement, so its rows and those that wait are of
 * one snapshot; nothing is folded between two pages, because this transaction has the lock of the sums. A total never changes, only
 * its days do. Costs a read of every call of the workspace; `onPage` learns which share of it is done.
 */
export async function moveDays(
  tx: Tx,
  workspaceId: string,
  { from, to }: { readonly from: string; readonly to: string },
  onPage: (share: number) => void = () => undefined,
): Promise<void> {
  await lockSums(tx, workspaceId);
  await foldEndings(tx, workspaceId, EVERYTHING);
  const span = await callSpan(tx, workspaceId);
  const pages = span === null ? ALL_AT_ONCE : pagesOf(span, PAGES);
  const tables = [CALLS, BEGUN, RESULTS, ATTEMPTS];
  for (const [at, sum] of tables.entries()) {
    const parts = sum.isWhole === true ? ALL_AT_ONCE : pages;
    for (const [done, page] of parts.entries()) {
      await movePage(tx, sum, page, { workspaceId, from, to });
      onPage((at + (done + 1) / parts.length) / tables.length);
    }
    await dropEmpty(tx, sum, workspaceId);
  }
  await sql`delete from call_totals where workspace_id = ${workspaceId} and calls = 0`.execute(tx);
  await moveChecks(tx, workspaceId, to);
}

async function movePage(
  tx: Tx,
  { table, key, sums, counted }: DaySum,
  page: DayPage,
  { workspaceId, from, to }: { workspaceId: string; from: string; to: string },
): Promise<void> {
  const [name, keys] = [sql.table(table), sql.join(key.map((each) => sql.ref(each)))];
  const names = sql.join(sums.map((each) => sql.ref(each)));
  const totals = (sign: string): RawBuilder<unknown> =>
    sql.join(sums.map((each) => sql`${sql.raw(sign)}sum(${sql.ref(each)}) as ${sql.ref(each)}`));
  const day = (zone: string): RawBuilder<string> => dayIn(sql.lit(zone), sql`at`);
  const bound = (at: number | null, otherwise: string): RawBuilder<unknown> =>
    at === null ? sql`${sql.lit(otherwise)}::timestamptz` : sql`${new Date(at)}::timestamptz`;
  const isOnPage = sql`at >= ${bound(page.from, '-infinity')} and at < ${bound(page.to, 'infinity')}`;
  await sql`
    with moved as (
      select ${day(from)} as was, ${day(to)} as becomes, ${keys}, ${totals('')}
      from (${counted(workspaceId)}) c where ${isOnPage} and ${day(from)} <> ${day(to)} group by 1, 2, ${keys}),
    changes as (
      select day, ${keys}, ${totals('')} from (
        select was as day, ${keys}, ${sql.join(sums.map((each) => sql`-${sql.ref(each)} as ${sql.ref(each)}`))} from moved
        union all
        select becomes, ${keys}, ${names} from moved) both_days
      group by day, ${keys})
    insert into ${name} (workspace_id, day, ${keys}, ${names})
    select ${workspaceId}::uuid, day, ${keys}, ${names} from changes
    on conflict (workspace_id, day, ${keys}) do update set ${sql.join(
      sums.map(
        (each) => sql`${sql.ref(each)} = ${sql.table(table)}.${sql.ref(each)} + excluded.${sql.ref(each)}`,
      ),
    )}`.execute(tx);
}

async function dropEmpty(tx: Tx, { table, sums }: DaySum, workspaceId: string): Promise<void> {
  const isEmpty = sql.join(
    sums.map((each) => sql`${sql.ref(each)} = 0`),
    sql` and `,
  );
  await sql`delete from ${sql.table(table)} where workspace_id = ${workspaceId} and ${isEmpty}`.execute(tx);
}

/** Checks of the detectors count by the day of the check. Idempotent. */
export async function moveChecks(tx: Tx, workspaceId: string, to: string): Promise<void> {
  const day = dayIn(sql.lit(to), sql`c.checked_at`);
  await sql`update call_checks c set day = ${day} where workspace_id = ${workspaceId} and day <> ${day}`.execute(
    tx,
  );
  await sql`
    update call_findings f set day = c.day from call_checks c
    where f.workspace_id = ${workspaceId} and c.workspace_id = f.workspace_id and c.call_id = f.call_id
      and f.day <> c.day`.execute(tx);
}
