import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database.ts';
import { isCounted, measured, NIL, SUMMED, waiting, type AttemptFilter } from './attempt-figures.ts';

/** From `from` (epoch ms) on, local time is UTC plus the offset. */
interface Stretch {
  readonly from: number;
  readonly offsetMs: number;
}

/** Epoch ms, `to` exclusive. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** How the hours of a zone are read: the offsets, the weeks that the filter counts as wholes, and all time beside these. */
export interface HourPlan {
  /** Oldest first. */
  readonly stretches: readonly Stretch[];
  /** Each of whole weeks within one stretch. */
  readonly weeks: readonly Span[];
  readonly rest: readonly Span[];
}

/** The hour 0 to 23 of `slot` in a zone with these stretches. */
function hourOf(stretches: readonly Stretch[]): RawBuilder<number> {
  const seconds = (ms: number): RawBuilder<number> => sql<number>`${Math.round(ms / 1000)}::bigint`;
  const cases = stretches
    .slice(1)
    .toReversed()
    .map(
      ({ from, offsetMs }) =>
        sql`when extract(epoch from slot)::bigint >= ${seconds(from)} then ${seconds(offsetMs)}`,
    );
  const first = seconds(stretches[0]?.offsetMs ?? 0);
  const offset = cases.length === 0 ? first : sql`case ${sql.join(cases, sql` `)} else ${first} end`;
  return sql<number>`(((extract(epoch from slot)::bigint + ${offset}) % 86400) / 3600)::int`;
}

const instant = (ms: number): string =>
  Number.isFinite(ms) ? new Date(ms).toISOString() : ms < 0 ? '-infinity' : 'infinity';

/** SQL: a row for each span, which a query joins by `slot >= begins and slot < ends` to read these rows alone. */
const spansOf = (spans: readonly Span[]): RawBuilder<unknown> => sql`
  unnest(${spans.map(({ from }) => instant(from))}::timestamptz[], ${spans.map(({ to }) => instant(to))}::timestamptz[])
    span (begins, ends)`;

/** SQL: the rows of whole weeks. */
const ofWeeks = (
  table: 'attempt_weeks' | 'reaction_weeks',
  workspaceId: string,
  { agentId }: AttemptFilter,
  { weeks }: HourPlan,
): RawBuilder<unknown> => sql`
  ${spansOf(weeks)} join ${sql.table(table)} on workspace_id = ${workspaceId} and agent_id = ${agentId ?? NIL}::uuid
    and slot >= begins and slot < ends`;

/** SQL: the rows beside whole weeks. */
const ofRest = (
  table: 'attempt_slots' | 'reaction_slots',
  workspaceId: string,
  filter: AttemptFilter,
  { rest }: HourPlan,
): RawBuilder<unknown> => sql`
  ${spansOf(rest)} join ${sql.table(table)} on ${isCounted(workspaceId, filter, 'slot')}
    and slot >= begins and slot < ends`;

export interface HourSums {
  readonly hour: number;
  readonly attempts: number;
  readonly answered: number;
  readonly durationMs: number;
}

/** Attempts by hour of the day. Weeks have no campaigns: a campaign's attempts are read by quarter of an hour. */
export async function sumByHour(
  db: Db,
  workspaceId: string,
  filter: AttemptFilter,
  plan: HourPlan,
): Promise<HourSums[]> {
  const where = isCounted(workspaceId, filter, 'slot');
  const bySlot = sql`select slot, sum(attempts) as attempts, sum(answered) as answered, sum(duration_ms)::bigint as duration_ms`;
  const folded =
    filter.campaignId === null
      ? sql`
        select slot, attempts, answered, duration_ms from ${ofWeeks('attempt_weeks', workspaceId, filter, plan)}
        union all
        ${bySlot} from ${ofRest('attempt_slots', workspaceId, filter, plan)} group by slot`
      : sql`${bySlot} from attempt_slots where ${where} group by slot`;
  const { rows } = await sql<HourSums>`
    select ${hourOf(plan.stretches)} as hour, sum(attempts)::bigint as attempts, sum(answered)::bigint as answered,
           sum(duration_ms)::bigint as "durationMs"
    from (
      ${folded}
      union all
      select slot, 1, is_answered::int, duration_ms from ended_attempts where ${where}) counted
    group by 1 order by 1`.execute(db);
  return rows;
}

/** The histograms of the reaction by hour of the day; no campaign filters them. */
export async function countReactionsByHour(
  db: Db,
  workspaceId: string,
  filter: Omit<AttemptFilter, 'campaignId'>,
  plan: HourPlan,
): Promise<{ hour: number; counts: readonly number[] }[]> {
  const all = { ...filter, campaignId: null };
  const { rows } = await sql<{ hour: number; counts: readonly number[] }>`
    select ${hourOf(plan.stretches)} as hour, ${SUMMED}
    from (
      select slot, counts from ${ofWeeks('reaction_weeks', workspaceId, all, plan)}
      union all
      select slot, counts from ${ofRest('reaction_slots', workspaceId, all, plan)}
      union all
      select slot, bucket_counts(array_agg(bucket))
      from (${measured(workspaceId, waiting(workspaceId, all))}) m where part = 0 group by 1) counted
    group by 1 order by 1`.execute(db);
  return rows;
}

/** The first and the last quarter of an hour with an attempt that the filter counts; null: none. */
export async function findAttemptSpan(
  db: Db,
  workspaceId: string,
  filter: AttemptFilter,
): Promise<{ first: Date; last: Date } | null> {
  const where = isCounted(workspaceId, { ...filter, agentId: null, campaignId: null }, 'slot');
  const { rows } = await sql<{ first: Date | null; last: Date | null }>`
    select least((select min(slot) from attempt_slots where ${where}),
                 (select min(slot) from ended_attempts where ${where})) as first,
           greatest((select max(slot) from attempt_slots where ${where}),
                    (select max(slot) from ended_attempts where ${where})) as last`.execute(db);
  const { first = null, last = null } = rows[0] ?? {};
  return first === null || last === null ? null : { first, last };
}
