import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { countBegun, countEnded } from '../analysis/analytics.ts';
import { countDialled } from '../analysis/attempt-shares.ts';
import { countOfResult } from '../analysis/results.ts';
import type { Db } from '../database.ts';
import { CALLS_SINCE } from '../months/since.ts';
import { NO_ZONE, zoneOf } from '../zone.ts';
import { runHot } from '../plans.ts';
import { filtered, isSimple, NO_FILTER, shapeOf, type HistoryFilter } from './history-filter.ts';
import type { DaySplit, Span, SplitByDay } from './day-split.ts';

/**
 * Counts the calls that match the filter. The day sums count those of whole days in the workspace's zone, so the cost does not depend on the
 * length of the history: all calls, or the ended ones, and the live and queued ones are counted along their own partial
 * indexes. Results and dialled calls have sums of their own. Of a day in which the filter begins or ends, and for filters
 * that no sums have, rows are counted.
 */
export async function countCalls(
  db: Db,
  workspaceId: string,
  filter: HistoryFilter,
  splitByDay: SplitByDay,
): Promise<number> {
  const { agentId, campaignId, status, callType } = filter;
  const split = await splitOf(db, workspaceId, filter, splitByDay);
  if (isOnly(filter, { dialled: true, agentId, campaignId })) return countOfDialled(db, workspaceId, filter);
  if (
    split !== null &&
    isOnly(filter, { ...pickDays(filter), result: filter.result, agentId, campaignId }) &&
    filter.result !== null
  ) {
    const { days, edges } = split;
    const inEdges = edges.map((edge) => sql`(${filtered(countOf(db), workspaceId, { ...filter, ...edge })})`);
    const inDays = sql`(${countOfResult(workspaceId, { ...days, agentId, campaignId }, filter.result)})`;
    return sumOf(db, [inDays, ...inEdges]);
  }
  const hasNoSums = [
    filter.fromNumber,
    filter.toNumber,
    filter.result,
    filter.dialled,
    filter.finding,
    filter.followedUp,
  ].some((each) => each !== null);
  if (hasNoSums || split === null) {
    const calls = filtered(countOf(db), workspaceId, filter);
    return (await calls.executeTakeFirstOrThrow()).total;
  }
  const { days, edges } = split;
  const rowsIn = (span: Pick<HistoryFilter, 'since' | 'before'>, statuses: RawBuilder<SqlBool> | null) => {
    const calls = filtered(countOf(db), workspaceId, { ...filter, ...span });
    return statuses === null ? calls : calls.where(statuses);
  };
  const hasAnyStatus = agentId === null && campaignId === null && status === null;
  const inDays = hasAnyStatus
    ? [countBegun(workspaceId, { ...days, callType })]
    : [
        countEnded(workspaceId, { ...days, agentId, campaignId, status, callType }),
        // The statuses are literals: a prepared statement can use a partial index only if its text implies the predicate.
        rowsIn(filter, sql<SqlBool>`calls.status in ('registered', 'retry')`),
        rowsIn(filter, sql<SqlBool>`calls.status = 'ongoing'`),
      ];
  const ended = hasAnyStatus
    ? null
    : sql<SqlBool>`calls.status in ('completed', 'failed', 'error', 'cancelled')`;
  const inEdges = edges.map((edge: Span) => rowsIn(edge, ended));
  const parts = [...inDays, ...inEdges].map((part) => sql`(${part})`);
  const total = sql<{ total: number }>`select ${sql.join(parts, sql` + `)} as total`;
  const rows = isSimple(filter)
    ? await runHot(db, `history_total_${shapeOf(filter)}_${edges.length}`, {
        compile: () => total.compile(db),
      })
    : (await total.execute(db)).rows;
  return rows[0]?.total ?? 0;
}

/**
 * The whole days of the filter, and the parts of days at its ends. Months of calls are deleted by UTC, so in another zone
 * the oldest kept calls may be of a part of a day, whose rows are counted.
 */
async function splitOf(
  db: Db,
  workspaceId: string,
  { since, before }: HistoryFilter,
  splitByDay: SplitByDay,
): Promise<DaySplit | null> {
  const { rows } = await sql<{ zone: string; kept: string | null }>`
    select ${zoneOf(workspaceId)} as zone,
           (select value from installation where key = ${sql.lit(CALLS_SINCE)}) as kept`.execute(db);
  const { zone = NO_ZONE, kept = null } = rows[0] ?? {};
  if (zone === NO_ZONE || kept === null) return splitByDay(since, before, zone);
  const oldest = new Date(kept);
  return splitByDay(since !== null && since > oldest ? since : oldest, before, zone);
}

const countOf = (db: Db) => db.selectFrom('calls').select((e) => e.fn.countAll<number>().as('total'));

/** Whether a filter asks for nothing but `asked`. */
const isOnly = (filter: HistoryFilter, asked: Partial<HistoryFilter>): boolean =>
  shapeOf(filter) === shapeOf({ ...NO_FILTER, ...asked }) && filter.dialled === (asked.dialled ?? null);
const pickDays = ({ since, before }: HistoryFilter) => ({ since, before });

async function sumOf(db: Db, parts: readonly RawBuilder<unknown>[]): Promise<number> {
  const { rows } = await sql<{ total: number }>`select ${sql.join([...parts], sql` + `)} as total`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}

/** The calls whose first attempt has ended, and those that are live with it. */
function countOfDialled(db: Db, workspaceId: string, filter: HistoryFilter): Promise<number> {
  const { agentId, campaignId } = filter;
  const live = filtered(countOf(db), workspaceId, filter).where(
    sql<SqlBool>`calls.status = 'ongoing' and calls.attempt = 1`,
  );
  const ended = countDialled(workspaceId, { agentId, campaignId, firstDay: null, lastDay: null });
  return sumOf(db, [sql`(${ended})`, sql`(${live})`]);
}
