import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { CallStatus, CallType } from '../schema.ts';
import { MACHINE_OUTCOMES } from '../../shared/machine-outcomes.ts';
import { foldAttempts } from './attempt-figures.ts';
import { sharesBy, sumAttempts, type AttemptShare } from './attempt-shares.ts';
import { foldResults } from './results.ts';
import { ofKeptDays } from '../months/since.ts';
import { isInDays, waitingDay } from '../zone.ts';

/** Filters ended calls. Days are dates `YYYY-MM-DD` in the zone of the workspace, both inclusive. */
export interface AnalyticsFilter {
  readonly agentId: string | null;
  readonly campaignId: string | null;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

/** Sums over ended calls, and over ended attempts; money in micro-credits. */
export interface Sums extends AttemptShare {
  readonly calls: number;
  /** By a person. */
  readonly answered: number;
  readonly completed: number;
  readonly durationMs: number;
  /** Of the answered ones. */
  readonly talkMs: number;
  readonly cost: number;
}

const NIL = '00000000-0000-0000-0000-000000000000';
const KEY_WITHOUT_DAY = sql.raw(
  'workspace_id, agent_id, version_id, number_id, campaign_id, call_type, status, sub_status, duration_bucket',
);
/** The key of `call_days`. */
export const KEY = sql`day, ${KEY_WITHOUT_DAY}`;
const nullIfNil = (column: string): RawBuilder<string | null> =>
  sql`nullif(${sql.ref(column)}, ${sql.lit(NIL)}::uuid)`;

const sumsOf = (workspaceId: string): RawBuilder<unknown> =>
  sql`hashtextextended(${`call_days ${workspaceId}`}, 0)`;

/** Waits for the lock under which the sums of the workspace change. */
export async function lockSums(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sumsOf(workspaceId)})`.execute(tx);
}

/**
 * Folds at most `take` pending beginnings and endings, of calls and of attempts, of the workspace into its sums. The
 * sums change only under the advisory lock taken here; returns at once while another transaction holds it.
 */
export async function foldEndings(tx: Tx, workspaceId: string, take: number): Promise<void> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(${sumsOf(workspaceId)}) as mine`.execute(tx);
  if (rows[0]?.mine !== true) return;
  const waiting = (table: 'call_endings' | 'call_beginnings'): RawBuilder<unknown> => sql`
    delete from ${sql.table(table)} where workspace_id = ${workspaceId} and id in (
      select id from ${sql.table(table)} where workspace_id = ${workspaceId} order by id limit ${take}
      for update skip locked)
    returning *`;
  await sql`
    with taken as (${waiting('call_endings')})
    insert into call_days (${KEY}, calls, attempts, duration_ms, cost)
    select ${KEY}, count(*), sum(attempts), sum(duration_ms), sum(cost)
    from (select ${waitingDay(workspaceId)} as day, ${KEY_WITHOUT_DAY}, attempts, duration_ms, cost from taken) t
    group by ${KEY}
    on conflict (${KEY}) do update set calls = call_days.calls + excluded.calls,
      attempts = call_days.attempts + excluded.attempts,
      duration_ms = call_days.duration_ms + excluded.duration_ms,
      cost = call_days.cost + excluded.cost`.execute(tx);
  await sql`
    with taken as (${waiting('call_beginnings')})
    insert into call_begun (workspace_id, day, call_type, calls)
    select workspace_id, ${waitingDay(workspaceId)}, call_type, sum(calls) from taken group by 1, 2, 3
    on conflict (workspace_id, day, call_type) do update set calls = call_begun.calls + excluded.calls`.execute(
    tx,
  );
  await foldAttempts(tx, workspaceId, take);
  await foldResults(tx, workspaceId, take);
}

interface EndedFilter extends AnalyticsFilter {
  readonly status?: CallStatus | null;
  readonly callType?: CallType | null;
}

function isCounted(workspaceId: string, filter: EndedFilter): RawBuilder<SqlBool> {
  const conditions: RawBuilder<SqlBool>[] = [sql<SqlBool>`workspace_id = ${workspaceId}`];
  if (filter.agentId !== null) conditions.push(sql<SqlBool>`agent_id = ${filter.agentId}`);
  if (filter.campaignId !== null) {
    conditions.push(
      sql<SqlBool>`campaign_id = ${filter.campaignId} and campaign_id <> ${sql.lit(NIL)}::uuid`,
    );
  }
  if (filter.firstDay !== null) conditions.push(sql<SqlBool>`day >= ${filter.firstDay}::date`);
  if (filter.lastDay !== null) conditions.push(sql<SqlBool>`day <= ${filter.lastDay}::date`);
  if (filter.status != null) conditions.push(sql<SqlBool>`status = ${filter.status}`);
  if (filter.callType != null) conditions.push(sql<SqlBool>`call_type = ${filter.callType}`);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** The pending endings of the workspace, each on its day. */
const pendingEndings = (workspaceId: string): RawBuilder<unknown> => sql`(
  select ${waitingDay(workspaceId)} as day, ${KEY_WITHOUT_DAY}, attempts, duration_ms, cost
  from call_endings where workspace_id = ${workspaceId}) pending`;

/** The folded day sums and the pending endings, filtered, in one snapshot. */
function counted(workspaceId: string, where: RawBuilder<SqlBool>): RawBuilder<unknown> {
  return sql`(
    select ${KEY}, calls, attempts, duration_ms, cost from call_days where ${where}
    union all
    select ${KEY}, 1, attempts, duration_ms, cost from ${pendingEndings(workspaceId)} where ${where}) counted`;
}

/** SQL that counts ended calls that are kept; reads the small `call_totals` if it covers the filter. */
export function countEnded(workspaceId: string, filter: EndedFilter): RawBuilder<number> {
  const where = sql<SqlBool>`${isCounted(workspaceId, filter)} and ${ofKeptDays}`;
  const from =
    filter.agentId === null && filter.campaignId === null
      ? sql`(
        select calls from call_totals where ${where}
        union all
        select 1 from ${pendingEndings(workspaceId)} where ${where}) counted`
      : counted(workspaceId, where);
  return sql<number>`select coalesce(sum(calls), 0)::bigint from ${from}`;
}

/** SQL that counts kept calls of every status, filtered by day and call type. */
export function countBegun(
  workspaceId: string,
  filter: Pick<EndedFilter, 'firstDay' | 'lastDay' | 'callType'>,
): RawBuilder<number> {
  const of = isCounted(workspaceId, { ...filter, agentId: null, campaignId: null });
  const where = sql<SqlBool>`${of} and ${ofKeptDays}`;
  return sql<number>`select coalesce(sum(calls), 0)::bigint from (
    select calls from call_begun where ${where}
    union all
    select calls from (
      select workspace_id, ${waitingDay(workspaceId)} as day, call_type, calls
      from call_beginnings where workspace_id = ${workspaceId}) pending where ${where}) counted`;
}

/** A person answered the last attempt. */
const BY_PERSON = sql<SqlBool>`(duration_bucket >= 0
  and sub_status not in (${sql.join(MACHINE_OUTCOMES.map((outcome) => sql.lit(outcome)))}))`;
const SUMS = sql`
  coalesce(sum(calls), 0)::bigint as calls,
  coalesce(sum(calls) filter (where ${BY_PERSON}), 0)::bigint as answered,
  coalesce(sum(calls) filter (where status = 'completed'), 0)::bigint as completed,
  coalesce(sum(duration_ms), 0)::bigint as "durationMs",
  coalesce(sum(duration_ms) filter (where ${BY_PERSON}), 0)::bigint as "talkMs",
  coalesce(sum(cost), 0)::bigint as cost`;
const SUM_NAMES = ['calls', 'answered', 'completed', 'durationMs', 'talkMs', 'cost'];

export async function sumAll(db: Db, workspaceId: string, filter: AnalyticsFilter): Promise<Sums> {
  const [share, { rows }] = await Promise.all([
    sumAttempts(db, workspaceId, filter),
    sql<
      Omit<Sums, keyof AttemptShare>
    >`select ${SUMS} from ${counted(workspaceId, isCounted(workspaceId, filter))}`.execute(db),
  ]);
  return { ...rows[0]!, ...share };
}

/** SQL of the sums by `keys`, columns of both `call_days` and `attempt_days`: calls that ended, and attempts. */
function summed(workspaceId: string, filter: AnalyticsFilter, ...keys: string[]): RawBuilder<unknown> {
  const columns = sql.join(keys.map((key) => sql.ref(key)));
  const sums = ['attempts', 'answeredAttempts', ...SUM_NAMES].map(
    (name) => sql`coalesce(${sql.ref(name)}, 0)::bigint as ${sql.ref(name)}`,
  );
  return sql`(
    select ${columns}, ${sql.join(sums)}
    from (select ${columns}, ${SUMS} from ${counted(workspaceId, isCounted(workspaceId, filter))} group by ${columns}) calls
    full join (${sharesBy(workspaceId, filter, columns)}) shares using (${columns})) summed`;
}
const ALL_SUMS = sql.join(['attempts', 'answeredAttempts', ...SUM_NAMES].map((name) => sql.ref(name)));

/** Sums of each day that has ended calls or attempts, oldest first. */
export async function sumByDay(
  db: Db,
  workspaceId: string,
  filter: AnalyticsFilter,
): Promise<(Sums & { day: string })[]> {
  const { rows } = await sql<Sums & { day: string }>`
    select to_char(day, 'YYYY-MM-DD') as day, ${ALL_SUMS}
    from ${summed(workspaceId, filter, 'day')} order by summed.day`.execute(db);
  return rows;
}

export interface OutcomeSums extends Sums {
  readonly status: CallStatus;
  readonly subStatus: string;
  readonly callType: CallType;
}

/** Sums by call type, status and sub-status; attempts are those of the ended calls. */
export async function sumByOutcome(
  db: Db,
  workspaceId: string,
  filter: AnalyticsFilter,
): Promise<OutcomeSums[]> {
  const { rows } = await sql<OutcomeSums>`
    select status, sub_status as "subStatus", call_type as "callType", ${SUMS},
           sum(attempts)::bigint as attempts, coalesce(sum(calls) filter (where ${BY_PERSON}), 0)::bigint as "answeredAttempts"
    from ${counted(workspaceId, isCounted(workspaceId, filter))} group by status, sub_status, call_type
    order by calls desc, status, sub_status, call_type`.execute(db);
  return rows;
}

export interface VersionSums extends Sums {
  readonly agentId: string;
  readonly agentName: string | null;
  readonly versionId: string;
  readonly versionSlug: string | null;
}

export async function sumByVersion(
  db: Db,
  workspaceId: string,
  filter: AnalyticsFilter,
): Promise<VersionSums[]> {
  const { rows } = await sql<VersionSums>`
    select s.*, a.display_name as "agentName", v.slug as "versionSlug"
    from (select agent_id as "agentId", version_id as "versionId", ${ALL_SUMS}
          from ${summed(workspaceId, filter, 'agent_id', 'version_id')}) s
    left join agents a on a.workspace_id = ${workspaceId} and a.id = s."agentId"
    left join agent_versions v on v.workspace_id = ${workspaceId} and v.id = s."versionId"
    order by s.calls desc, s."agentId", s."versionId"`.execute(db);
  return rows;
}

export interface NumberSums extends Sums {
  /** Null: calls without a number of the workspace. */
  readonly numberId: string | null;
  readonly number: string | null;
  readonly displayName: string | null;
}

export async function sumByNumber(
  db: Db,
  workspaceId: string,
  filter: AnalyticsFilter,
): Promise<NumberSums[]> {
  const { rows } = await sql<NumberSums>`
    select s.*, n.number, n.display_name as "displayName"
    from (select ${nullIfNil('number_id')} as "numberId", ${ALL_SUMS}
          from ${summed(workspaceId, filter, 'number_id')}) s
    left join numbers n on n.workspace_id = ${workspaceId} and n.id = s."numberId"
    order by s.calls desc, s."numberId"`.execute(db);
  return rows;
}

/** The campaigns with the most ended calls; those with none come last. */
export async function sumByCampaign(
  db: Db,
  workspaceId: string,
  filter: AnalyticsFilter,
  limit: number,
): Promise<(Sums & { campaignId: string })[]> {
  const { rows } = await sql<Sums & { campaignId: string }>`
    select campaign_id as "campaignId", ${ALL_SUMS} from ${summed(workspaceId, filter, 'campaign_id')}
    where campaign_id <> ${sql.lit(NIL)}::uuid
    order by calls desc, campaign_id limit ${limit}`.execute(db);
  return rows;
}

/** Answered calls by duration, in the buckets of `ending_bucket`. */
export async function countByDuration(
  db: Db,
  workspaceId: string,
  filter: AnalyticsFilter,
): Promise<{ bucket: number; calls: number; durationMs: number }[]> {
  const { rows } = await sql<{ bucket: number; calls: number; durationMs: number }>`
    select duration_bucket as bucket, sum(calls)::bigint as calls, sum(duration_ms)::bigint as "durationMs"
    from ${counted(workspaceId, isCounted(workspaceId, filter))} where ${BY_PERSON}
    group by duration_bucket order by duration_bucket`.execute(db);
  return rows;
}

/** Answered calls of each version whose talk lasted 30 s or longer. */
export async function countLongTalks(
  db: Db,
  workspaceId: string,
  filter: AnalyticsFilter,
): Promise<{ versionId: string; calls: number }[]> {
  const { rows } = await sql<{ versionId: string; calls: number }>`
    select version_id as "versionId", sum(calls)::bigint as calls
    from ${counted(workspaceId, isCounted(workspaceId, filter))} where duration_bucket >= 2 and ${BY_PERSON}
    group by version_id order by version_id`.execute(db);
  return rows;
}

/** Conditions for ended calls `c` themselves, whose records are read. */
export function endedCalls(workspaceId: string, filter: AnalyticsFilter): RawBuilder<SqlBool> {
  const conditions: RawBuilder<SqlBool>[] = [
    sql<SqlBool>`c.workspace_id = ${workspaceId} and c.status in ('completed', 'failed', 'error', 'cancelled')`,
  ];
  if (filter.agentId !== null) conditions.push(sql<SqlBool>`c.agent_id = ${filter.agentId}`);
  if (filter.campaignId !== null) conditions.push(sql<SqlBool>`c.campaign_id = ${filter.campaignId}`);
  conditions.push(...isInDays(workspaceId, sql`c.created_at`, filter));
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

export interface ClassCount {
  readonly classification: string | null;
  readonly sentiment: string | null;
  readonly calls: number;
}

/** Analysed ended calls by classification and sentiment. */
export async function countByClass(
  db: Db,
  workspaceId: string,
  filter: AnalyticsFilter,
): Promise<ClassCount[]> {
  const { rows } = await sql<ClassCount>`
    select r.platform_analysis ->> 'classification' as classification,
           r.platform_analysis ->> 'sentiment' as sentiment, count(*)::bigint as calls
    from call_records r join calls c on c.workspace_id = r.workspace_id and c.id = r.call_id
    where r.workspace_id = ${workspaceId} and r.platform_analysis is not null
      and r.platform_analysis ->> 'status' is distinct from 'failed'
      and ${endedCalls(workspaceId, filter)}
    group by 1, 2 order by 3 desc, 1, 2`.execute(db);
  return rows;
}

export interface EvaluationCounts {
  readonly agentId: string;
  readonly agentName: string | null;
  readonly versionId: string;
  readonly versionSlug: string | null;
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly notJudged: number;
}

/** Results of ended calls by agent, version and criterion. */
export async function countEvaluations(
  db: Db,
  workspaceId: string,
  filter: AnalyticsFilter,
): Promise<EvaluationCounts[]> {
  const { rows } = await sql<EvaluationCounts>`
    with counts as (
      select c.agent_id, c.version_id, e ->> 'name' as name,
             count(*) filter (where e ->> 'result' = 'passed')::bigint as passed,
             count(*) filter (where e ->> 'result' = 'failed')::bigint as failed,
             count(*) filter (where e ->> 'result' = 'not_judged')::bigint as not_judged
      from call_records r join calls c on c.workspace_id = r.workspace_id and c.id = r.call_id,
           jsonb_array_elements(r.evaluations) e
      where r.workspace_id = ${workspaceId} and r.evaluations is not null and ${endedCalls(workspaceId, filter)}
      group by 1, 2, 3)
    select n.agent_id as "agentId", a.display_name as "agentName", n.version_id as "versionId",
           v.slug as "versionSlug", n.name, n.passed, n.failed, n.not_judged as "notJudged"
    from counts n
    left join agents a on a.workspace_id = ${workspaceId} and a.id = n.agent_id
    left join agent_versions v on v.workspace_id = ${workspaceId} and v.id = n.version_id
    order by a.display_name, n.agent_id, v.created_at, n.version_id, n.name`.execute(db);
  return rows;
}
