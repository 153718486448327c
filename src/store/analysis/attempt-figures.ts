import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Tx } from '../database.ts';
import { dayIn, isInDays, zoneOf } from '../zone.ts';

/** Filters attempts. Days are dates `YYYY-MM-DD` of the dialing in the zone of the workspace, both inclusive. */
export interface AttemptFilter {
  readonly agentId: string | null;
  readonly campaignId: string | null;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

/** Stands for no campaign, no number, and in sums by week for all agents. */
export const NIL = '00000000-0000-0000-0000-000000000000';

/** The parts of `reaction_days`, by their number. */
export const REACTION_PARTS = ['reaction', 'endpointing', 'recognition', 'model', 'voice'] as const;
export type ReactionPart = (typeof REACTION_PARTS)[number];

/** An attempt that was dialled, or came in. Turns in ms: reaction, endpointing, recognition, model, voice. */
export interface EndedAttempt {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly versionId: string;
  readonly numberId: string | null;
  readonly campaignId: string | null;
  /** 1: the first. */
  readonly attempt: number;
  readonly dialedAt: Date;
  readonly endedAt: Date;
  /** By a person. */
  readonly isAnswered: boolean;
  /** Of the talk with a person. */
  readonly durationMs: number;
  readonly turns: readonly (readonly (number | null)[])[];
}

/** The slot of an ended attempt as `attempt_quarters` counts it: quarters of an hour since 1970. */
export const QUARTER = sql<number>`floor(extract(epoch from slot) / 900)::int`;

/** Counts an attempt that ends in this transaction. */
export async function noteAttempt(tx: Tx, attempt: EndedAttempt): Promise<void> {
  const busyMs = Math.max(0, attempt.endedAt.getTime() - attempt.dialedAt.getTime());
  await sql`
    insert into ended_attempts (workspace_id, slot, agent_id, version_id, number_id, campaign_id, attempt, is_answered,
                                duration_ms, busy_ms, turns)
    values (${attempt.workspaceId}, date_bin('15 minutes', ${attempt.dialedAt}::timestamptz, 'epoch'), ${attempt.agentId},
      ${attempt.versionId}, ${attempt.numberId ?? NIL}, ${attempt.campaignId ?? NIL}, ${attempt.attempt}, ${attempt.isAnswered},
      ${Math.round(attempt.durationMs)}, ${busyMs}, ${JSON.stringify(attempt.turns)}::jsonb)`.execute(tx);
}

/** One row for each measured part of each turn of `from`. */
export const measured = (workspaceId: string, from: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select t.workspace_id, t.slot, ${dayIn(zoneOf(workspaceId), sql`t.slot`)} as day, t.agent_id, t.version_id, t.campaign_id,
         p.part, reaction_bucket(p.ms) as bucket
  from ${from} t
  cross join lateral jsonb_array_elements(t.turns) turn
  cross join lateral (values ${sql.join(
    REACTION_PARTS.map((_, part) => sql`(${sql.lit(part)}::smallint, (turn ->> ${sql.lit(part)})::float8)`),
  )}) p (part, ms)
  where p.ms is not null`;

const ATTEMPT_KEY = sql.raw('workspace_id, day, agent_id, version_id, number_id, campaign_id');
/** Ended attempts as `attempt_days` counts them. */
export const byDay = (workspaceId: string, from: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select workspace_id, ${dayIn(zoneOf(workspaceId), sql`slot`)} as day, agent_id, version_id, number_id, campaign_id,
         1 as attempts, (attempt = 1)::int as first_attempts, is_answered::int as answered
  from ${from} e)`;

/** Folds at most `take` ended attempts; the caller holds the workspace's lock of `foldEndings`. */
export async function foldAttempts(tx: Tx, workspaceId: string, take: number): Promise<void> {
  await sql`
    with taken as (
      delete from ended_attempts where workspace_id = ${workspaceId} and id in (
        select id from ended_attempts where workspace_id = ${workspaceId} order by id limit ${take}
        for update skip locked)
      returning *),
    measured as (${measured(workspaceId, sql`taken`)}),
    days as (
      insert into reaction_days (workspace_id, day, agent_id, version_id, campaign_id, part, counts)
      select workspace_id, day, agent_id, version_id, campaign_id, part, bucket_counts(array_agg(bucket))
      from measured group by 1, 2, 3, 4, 5, 6
      on conflict (workspace_id, day, agent_id, version_id, campaign_id, part)
      do update set counts = add_counts(reaction_days.counts, excluded.counts)),
    slots as (
      insert into reaction_slots (workspace_id, slot, agent_id, counts)
      select workspace_id, slot, agent_id, bucket_counts(array_agg(bucket))
      from measured where part = 0 group by 1, 2, 3
      on conflict (workspace_id, slot, agent_id)
      do update set counts = add_counts(reaction_slots.counts, excluded.counts)),
    shares as (
      insert into attempt_days (${ATTEMPT_KEY}, attempts, first_attempts, answered)
      select ${ATTEMPT_KEY}, sum(attempts), sum(first_attempts), sum(answered) from ${byDay(workspaceId, sql`taken`)} t
      group by ${ATTEMPT_KEY}
      on conflict (${ATTEMPT_KEY}) do update set attempts = attempt_days.attempts + excluded.attempts,
        first_attempts = attempt_days.first_attempts + excluded.first_attempts,
        answered = attempt_days.answered + excluded.answered),
    quarters as (
      insert into attempt_quarters (workspace_id, campaign_id, quarter, attempt, calls, answered, busy_ms)
      select workspace_id, campaign_id, ${QUARTER}, attempt, count(*), count(*) filter (where is_answered), sum(busy_ms)
      from taken where campaign_id <> ${sql.lit(NIL)}::uuid group by 1, 2, 3, 4
      on conflict (workspace_id, campaign_id, quarter, attempt)
      do update set calls = attempt_quarters.calls + excluded.calls,
        answered = attempt_quarters.answered + excluded.answered,
        busy_ms = attempt_quarters.busy_ms + excluded.busy_ms)
    insert into attempt_slots (workspace_id, slot, agent_id, campaign_id, attempts, answered, duration_ms)
    select workspace_id, slot, agent_id, campaign_id, count(*), count(*) filter (where is_answered), sum(duration_ms)
    from taken group by 1, 2, 3, 4
    on conflict (workspace_id, slot, agent_id, campaign_id)
    do update set attempts = attempt_slots.attempts + excluded.attempts,
      answered = attempt_slots.answered + excluded.answered,
      duration_ms = attempt_slots.duration_ms + excluded.duration_ms`.execute(tx);
}

/** Conditions for the folded tables and `ended_attempts`; `by`: the column of the time. */
export function isCounted(
  workspaceId: string,
  filter: AttemptFilter,
  by: 'day' | 'slot',
): RawBuilder<SqlBool> {
  const conditions: RawBuilder<SqlBool>[] = [sql<SqlBool>`workspace_id = ${workspaceId}`];
  if (filter.agentId !== null) conditions.push(sql<SqlBool>`agent_id = ${filter.agentId}`);
  if (filter.campaignId !== null) {
    conditions.push(
      sql<SqlBool>`campaign_id = ${filter.campaignId} and campaign_id <> ${sql.lit(NIL)}::uuid`,
    );
  }
  if (by === 'slot') conditions.push(...isInDays(workspaceId, sql`slot`, filter));
  else {
    if (filter.firstDay !== null) conditions.push(sql<SqlBool>`day >= ${filter.firstDay}::date`);
    if (filter.lastDay !== null) conditions.push(sql<SqlBool>`day <= ${filter.lastDay}::date`);
  }
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** Attempts that are not folded yet. */
export const waiting = (workspaceId: string, filter: AttemptFilter): RawBuilder<unknown> =>
  sql`(select * from ended_attempts where ${isCounted(workspaceId, filter, 'slot')})`;

/** Buckets of a histogram (`reaction_bucket`). */
const BUCKETS = 160;
/** The sum of histograms: by far quicker than to unnest each and group its buckets. */
export const SUMMED = sql.raw(
  `array[${Array.from({ length: BUCKETS }, (_, at) => `coalesce(sum(counts[${at + 1}]), 0)`).join(', ')}]::float8[] as counts`,
);

/** The histogram of one part: turns by bucket. */
interface PartHistogram {
  readonly part: number;
  readonly counts: readonly number[];
}

/** The histograms of every part, by `keys`, columns of `reaction_days`. */
async function countReactions<Keys>(
  db: Db,
  workspaceId: string,
  filter: AttemptFilter,
  keys: RawBuilder<unknown>,
  columns: RawBuilder<unknown>,
): Promise<(PartHistogram & Keys)[]> {
  const { rows } = await sql<PartHistogram & Keys>`
    select ${columns}, part, ${SUMMED}
    from (
      select day, agent_id, version_id, part, counts
      from reaction_days where ${isCounted(workspaceId, filter, 'day')}
      union all
      select day, agent_id, version_id, part, bucket_counts(array_agg(bucket))
      from (${measured(workspaceId, waiting(workspaceId, filter))}) m group by 1, 2, 3, 4) counted
    group by ${keys}, part order by ${keys}, part`.execute(db);
  return rows;
}

export type DayReaction = PartHistogram & { readonly day: string };
export const countReactionsByDay = (
  db: Db,
  workspaceId: string,
  filter: AttemptFilter,
): Promise<DayReaction[]> =>
  countReactions(db, workspaceId, filter, sql`day`, sql`to_char(day, 'YYYY-MM-DD') as day`);

export type VersionReaction = PartHistogram & { readonly agentId: string; readonly versionId: string };
export const countReactionsByVersion = (
  db: Db,
  workspaceId: string,
  filter: AttemptFilter,
): Promise<VersionReaction[]> =>
  countReactions(
    db,
    workspaceId,
    filter,
    sql`agent_id, version_id`,
    sql`agent_id as "agentId", version_id as "versionId"`,
  );
