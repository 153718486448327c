import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { CallStatus, CallType, Schema } from '../schema.ts';
import { IS_FOLLOWED_UP } from './follow-ups.ts';

export interface HistoryFilter {
  campaignId: string | null;
  agentId: string | null;
  status: CallStatus | null;
  callType: CallType | null;
  fromNumber: string | null;
  toNumber: string | null;
  result: string | null;
  /** A detector that found something, or any; without false alarms. */
  finding: string | null;
  /** True: only calls that are marked as done; false: only the others. */
  followedUp: boolean | null;
  /** True: only calls that were dialled or came in; false: only the others. */
  dialled: boolean | null;
  /** Created at or after `since` and before `before`. */
  since: Date | null;
  before: Date | null;
}

export const NO_FILTER: HistoryFilter = {
  campaignId: null,
  agentId: null,
  status: null,
  callType: null,
  fromNumber: null,
  toNumber: null,
  result: null,
  finding: null,
  followedUp: null,
  dialled: null,
  since: null,
  before: null,
};

/** As the index `calls_dialled` has it. */
const WAS_DIALLED = sql<SqlBool>`(calls.dialed_at is not null or calls.call_type <> 'outbound')`;
/** When a call was last dialled, or came in: the order of `calls_dialled`. */
export const DIALLED_AT = sql<Date>`coalesce(calls.dialed_at, calls.created_at)`;

/**
 * Adds the filter's conditions to a query. Status and direction are literals, so that the planner can use the indexes
 * of one status or direction.
 */
export function filtered<O>(
  query: SelectQueryBuilder<Schema, 'calls', O>,
  workspaceId: string,
  filter: HistoryFilter,
): SelectQueryBuilder<Schema, 'calls', O> {
  let q = query.where('calls.workspace_id', '=', workspaceId);
  if (filter.campaignId !== null) q = q.where('calls.campaign_id', '=', filter.campaignId);
  if (filter.agentId !== null) q = q.where('calls.agent_id', '=', filter.agentId);
  if (filter.status !== null) q = q.where('calls.status', '=', sql.lit(filter.status));
  if (filter.callType !== null) q = q.where('calls.call_type', '=', sql.lit(filter.callType));
  if (filter.fromNumber !== null) q = q.where('calls.from_number', '=', filter.fromNumber);
  if (filter.toNumber !== null) q = q.where('calls.to_number', '=', filter.toNumber);
  if (filter.result !== null) q = q.where('calls.result', '=', filter.result);
  if (filter.finding !== null) q = q.where(hasFinding(filter.finding));
  if (filter.followedUp === true) q = q.where(IS_FOLLOWED_UP);
  if (filter.followedUp === false) q = q.where(sql<SqlBool>`not ${IS_FOLLOWED_UP}`);
  if (filter.dialled === true) q = q.where(WAS_DIALLED);
  if (filter.dialled === false) q = q.where(sql<SqlBool>`not ${WAS_DIALLED}`);
  if (filter.since !== null) q = q.where('calls.created_at', '>=', filter.since);
  if (filter.before !== null) q = q.where('calls.created_at', '<', filter.before);
  return q;
}

/** Names any detector. */
export const ANY_FINDING = 'any';

const hasFinding = (detector: string): RawBuilder<SqlBool> => sql<SqlBool>`exists (
  select from call_findings f where f.workspace_id = calls.workspace_id and f.call_id = calls.id and f.false_at is null
  ${detector === ANY_FINDING ? sql`` : sql`and f.detector = ${detector}`})`;

/** Which filters are set: with the page length, the only variable part of the query text. */
export const shapeOf = (filter: HistoryFilter): string =>
  Object.keys(filter)
    .sort()
    .map((key) => (filter[key as keyof HistoryFilter] === null ? 0 : 1))
    .join('');

/**
 * At most one filter is set, and none that is a literal in the text. Only those queries are prepared: others are rare
 * and would fill connections.
 */
export const isSimple = (filter: HistoryFilter): boolean =>
  filter.status === null &&
  filter.callType === null &&
  filter.finding === null &&
  filter.followedUp === null &&
  filter.dialled === null &&
  Object.values(filter).filter((value) => value !== null).length <= 1;
