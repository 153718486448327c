import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { countBegun, countEnded } from './analytics.ts';
import type { Db } from './database.ts';
import { runHot } from './hot.ts';
import type { CallStatus, CallType, JsonObject, Schema } from './schema.ts';

export interface HistoryFilter {
  laneId: string | null;
  agentId: string | null;
  status: CallStatus | null;
  callType: CallType | null;
  fromNumber: string | null;
  toNumber: string | null;
  /** Created at or after, and before. */
  since: Date | null;
  before: Date | null;
}

const CALL = [
  'calls.id',
  'calls.lane_id',
  'calls.agent_id',
  'calls.version_id',
  'calls.call_type',
  'calls.from_number',
  'calls.to_number',
  'calls.callee_name',
  'calls.args',
  'calls.status',
  'calls.sub_status',
  'calls.attempt',
  'calls.retries_used',
  'calls.next_attempt_at',
  'calls.cost',
  'calls.created_at',
  'calls.dialed_at',
  'calls.answered_at',
  'calls.ended_at',
  'calls.duration_ms',
  'calls.hangup_by',
  'calls.category',
  'calls.parent_call_id',
  'calls.callback_call_id',
] as const;

export interface CallRow {
  id: string;
  lane_id: string | null;
  agent_id: string;
  version_id: string;
  call_type: CallType;
  from_number: string;
  to_number: string;
  callee_name: string;
  args: Record<string, string>;
  status: CallStatus;
  sub_status: string;
  attempt: number;
  retries_used: number;
  next_attempt_at: Date | null;
  cost: number;
  created_at: Date;
  dialed_at: Date | null;
  answered_at: Date | null;
  ended_at: Date | null;
  duration_ms: number | null;
  hangup_by: string | null;
  category: string | null;
  parent_call_id: string | null;
  callback_call_id: string | null;
  agent_name: string | null;
  recording_state: 'stored' | 'partial' | 'failed' | null;
}

/** The filter as conditions. */
export function filtered<O>(
  query: SelectQueryBuilder<Schema, 'calls', O>,
  workspaceId: string,
  filter: HistoryFilter,
): SelectQueryBuilder<Schema, 'calls', O> {
  let q = query.where('calls.workspace_id', '=', workspaceId);
  if (filter.laneId !== null) q = q.where('calls.lane_id', '=', filter.laneId);
  if (filter.agentId !== null) q = q.where('calls.agent_id', '=', filter.agentId);
  if (filter.status !== null) q = q.where('calls.status', '=', filter.status);
  if (filter.callType !== null) q = q.where('calls.call_type', '=', filter.callType);
  if (filter.fromNumber !== null) q = q.where('calls.from_number', '=', filter.fromNumber);
  if (filter.toNumber !== null) q = q.where('calls.to_number', '=', filter.toNumber);
  if (filter.since !== null) q = q.where('calls.created_at', '>=', filter.since);
  if (filter.before !== null) q = q.where('calls.created_at', '<', filter.before);
  return q;
}

/** A page of calls, newest first, along calls_history or calls_of_lane; the page is cut before anything is joined. */
export async function listCalls(
  db: Db,
  workspaceId: string,
  filter: HistoryFilter,
  page: { limit: number; offset: number },
): Promise<{ calls: CallRow[]; total: number }> {
  // The first page has its length in its text: a plan that must fit any length is worth nothing.
  const isFirst = page.offset === 0;
  const rows = filtered(callsOf(db), workspaceId, filter)
    .orderBy('calls.created_at', 'desc')
    .orderBy('calls.id', 'desc')
    .limit(isFirst ? sql.lit(page.limit) : page.limit)
    .$if(!isFirst, (query) => query.offset(page.offset));
  const query = joined(db, rows).orderBy('calls.created_at', 'desc').orderBy('calls.id', 'desc');
  const isCommon = isFirst && isSimple(filter) && COMMON_LIMITS.has(page.limit);
  const [calls, total] = await Promise.all([
    isCommon ? runHot(db, `history_${shapeOf(filter)}_${page.limit}`, query) : query.execute(),
    countCalls(db, workspaceId, filter),
  ]);
  return { calls, total };
}

/** Page lengths that are prepared: each is a statement of its own on every connection. */
const COMMON_LIMITS = new Set([10, 50, 100, 200]);
/** Which filters are set: together with the page's length all that varies in a query's text. */
const shapeOf = (filter: HistoryFilter): string =>
  Object.keys(filter)
    .sort()
    .map((key) => (filter[key as keyof HistoryFilter] === null ? 0 : 1))
    .join('');

/** With one filter at most: those are prepared, the many others are not worth their place on every connection. */
const isSimple = (filter: HistoryFilter): boolean =>
  Object.values(filter).filter((value) => value !== null).length <= 1;

const DAY_MS = 86_400_000;
const isDayBound = (at: Date | null): boolean => at === null || at.getTime() % DAY_MS === 0;
const dayOf = (at: Date | null, daysBefore: number): string | null =>
  at === null ? null : new Date(at.getTime() - daysBefore * DAY_MS).toISOString().slice(0, 10);

/**
 * How many calls the filter matches. Sums by day tell it where they know the filter, so that a long history, or queue,
 * costs no more than a short one; otherwise they tell of the ended calls, and the others are found by their own index.
 */
async function countCalls(db: Db, workspaceId: string, filter: HistoryFilter): Promise<number> {
  const calls = filtered(
    db.selectFrom('calls').select((e) => e.fn.countAll<number>().as('total')),
    workspaceId,
    filter,
  );
  const isInSums =
    filter.fromNumber === null &&
    filter.toNumber === null &&
    isDayBound(filter.since) &&
    isDayBound(filter.before);
  if (!isInSums) return (await calls.executeTakeFirstOrThrow()).total;
  const { agentId, laneId, status, callType } = filter;
  const days = { firstDay: dayOf(filter.since, 0), lastDay: dayOf(filter.before, 1) };
  // The states stand in the text: a prepared statement must know which partial index it reads.
  const total =
    agentId === null && laneId === null && status === null
      ? sql<{ total: number }>`select (${countBegun(workspaceId, { ...days, callType })}) as total`
      : sql<{ total: number }>`
        select (${countEnded(workspaceId, { ...days, agentId, laneId, status, callType })})
          + (${calls.where(sql<SqlBool>`calls.status in ('registered', 'retry')`)})
          + (${calls.where(sql<SqlBool>`calls.status = 'ongoing'`)}) as total`;
  const rows = isSimple(filter)
    ? await runHot(db, `history_total_${shapeOf(filter)}`, { compile: () => total.compile(db) })
    : (await total.execute(db)).rows;
  return rows[0]?.total ?? 0;
}

/** Calls with their columns as a page of them is cut. */
export const callsOf = (db: Db) => db.selectFrom('calls').select(['calls.workspace_id', ...CALL]);

/** The calls of a page with what is shown beside them: each is looked up, however many there are of each. */
export const joined = (db: Db, page: ReturnType<typeof callsOf>) =>
  db
    .selectFrom(page.as('calls'))
    .leftJoin('agents', (join) =>
      join.onRef('agents.workspace_id', '=', 'calls.workspace_id').onRef('agents.id', '=', 'calls.agent_id'),
    )
    .leftJoin('call_records', (join) =>
      join
        .onRef('call_records.workspace_id', '=', 'calls.workspace_id')
        .onRef('call_records.call_id', '=', 'calls.id'),
    )
    .select([...CALL, 'agents.display_name as agent_name', 'call_records.recording_state']);

export function findCall(db: Db, workspaceId: string, callId: string): Promise<CallRow | undefined> {
  const call = callsOf(db).where('calls.workspace_id', '=', workspaceId).where('calls.id', '=', callId);
  return joined(db, call).executeTakeFirst();
}

export interface RecordRow {
  attempt: number | null;
  transcript: readonly JsonObject[] | null;
  transcript_partial: boolean;
  latency: readonly JsonObject[] | null;
  tool_log: readonly JsonObject[] | null;
  media: JsonObject | null;
  erased_at: Date | null;
  interruptions: number | null;
  first_utterance_ms: number | null;
  recording_path: string | null;
  recording_ms: number | null;
  recording_state: string | null;
  platform_analysis: JsonObject | null;
  client_analysis: JsonObject | null;
}

export function findRecord(db: Db, workspaceId: string, callId: string): Promise<RecordRow | undefined> {
  return db
    .selectFrom('call_records')
    .select([
      'attempt',
      'transcript',
      'transcript_partial',
      'latency',
      'tool_log',
      'media',
      'erased_at',
      'interruptions',
      'first_utterance_ms',
      'recording_path',
      'recording_ms',
      'recording_state',
      'platform_analysis',
      'client_analysis',
    ])
    .where('workspace_id', '=', workspaceId)
    .where('call_id', '=', callId)
    .executeTakeFirst();
}

export interface AttemptRow {
  attempt: number;
  sub_status: string | null;
  status: string;
  claimed_at: Date;
  dialed_at: Date | null;
  ringing_at: Date | null;
  answered_at: Date | null;
  ended_at: Date | null;
  sip_call_id: string | null;
  sip_code: number | null;
  reason: string | null;
  duration_ms: number | null;
  cost: number;
  /** It can be heard. */
  is_recorded: boolean;
}

export function listAttempts(db: Db, workspaceId: string, callId: string): Promise<AttemptRow[]> {
  return db
    .selectFrom('call_attempts')
    .select([
      'attempt',
      'sub_status',
      'status',
      'claimed_at',
      'dialed_at',
      'ringing_at',
      'answered_at',
      'ended_at',
      'sip_call_id',
      'sip_code',
      'reason',
      'duration_ms',
      'cost',
      (e) =>
        e
          .exists(
            e
              .selectFrom('recording_files as f')
              .select('f.attempt')
              .whereRef('f.workspace_id', '=', 'call_attempts.workspace_id')
              .whereRef('f.call_id', '=', 'call_attempts.call_id')
              .whereRef('f.attempt', '=', 'call_attempts.attempt')
              .where('f.state', 'in', ['upload', 'uploaded', 'kept']),
          )
          .$castTo<boolean>()
          .as('is_recorded'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('call_id', '=', callId)
    .orderBy('attempt')
    .execute();
}
