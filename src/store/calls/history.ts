import type { CallPurpose } from '../../shared/call-purposes.ts';
import { sql, type SqlBool } from 'kysely';
import type { Db } from '../database.ts';
import { runHot } from '../plans.ts';
import type { CallStatus, CallType } from '../schema.ts';
import { DIALLED_AT, filtered, isSimple, shapeOf, type HistoryFilter } from './history-filter.ts';
import type { SplitByDay } from './day-split.ts';
import { countCalls } from './history-totals.ts';

/** Columns that a page reads before joins. */
const COLUMNS = [
  'calls.id',
  'calls.campaign_id',
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
  'calls.result',
  'calls.result_source',
] as const;

const CALL = [
  'calls.id',
  'calls.campaign_id as campaignId',
  'calls.agent_id as agentId',
  'calls.version_id as versionId',
  'calls.call_type as callType',
  'calls.from_number as fromNumber',
  'calls.to_number as toNumber',
  'calls.callee_name as calleeName',
  'calls.args',
  'calls.status',
  'calls.sub_status as subStatus',
  'calls.attempt',
  'calls.retries_used as retriesUsed',
  'calls.next_attempt_at as nextAttemptAt',
  'calls.cost',
  'calls.created_at as createdAt',
  'calls.dialed_at as dialedAt',
  'calls.answered_at as answeredAt',
  'calls.ended_at as endedAt',
  'calls.duration_ms as durationMs',
  'calls.hangup_by as hangupBy',
  'calls.category',
  'calls.parent_call_id as parentCallId',
  'calls.callback_call_id as callbackCallId',
  'calls.result',
  'calls.result_source as resultSource',
] as const;

export interface CallRow {
  id: string;
  campaignId: string | null;
  agentId: string;
  versionId: string;
  callType: CallType;
  fromNumber: string;
  toNumber: string;
  calleeName: string;
  args: Record<string, string>;
  status: CallStatus;
  subStatus: string;
  attempt: number;
  retriesUsed: number;
  nextAttemptAt: Date | null;
  cost: number;
  createdAt: Date;
  dialedAt: Date | null;
  answeredAt: Date | null;
  endedAt: Date | null;
  durationMs: number | null;
  hangupBy: string | null;
  category: string | null;
  parentCallId: string | null;
  callbackCallId: string | null;
  result: string | null;
  resultSource: 'goal' | 'label' | 'ending' | null;
  agentName: string | null;
  recordingState: 'stored' | 'partial' | 'failed' | null;
  purpose: CallPurpose | null;
  dltTemplateId: string | null;
}

/** A page of calls, newest first, or last dialled first if the filter asks for dialled ones, read along an index by time before anything is joined. */
export async function listCalls(
  db: Db,
  workspaceId: string,
  filter: HistoryFilter,
  page: { limit: number; offset: number; after: { at: Date; id: string } | null },
  splitByDay: SplitByDay,
): Promise<{ calls: CallRow[]; total: number }> {
  // The first page has a literal LIMIT: a prepared plan for an unknown limit would be planned for a large one.
  const { after } = page;
  const isFirst = page.offset === 0 && after === null;
  const time = filter.dialled === true ? DIALLED_AT : sql.ref<Date>('calls.created_at');
  const rows = filtered(callsOf(db), workspaceId, filter)
    .$if(after !== null, (query) =>
      query.where(sql<SqlBool>`(${time}, calls.id) < (${after?.at}, ${after?.id})`),
    )
    .orderBy(time, 'desc')
    .orderBy('calls.id', 'desc')
    .limit(isFirst ? sql.lit(page.limit) : page.limit)
    .$if(!isFirst, (query) => query.offset(page.offset));
  const query = joined(db, rows).orderBy(time, 'desc').orderBy('calls.id', 'desc');
  const isCommon = isFirst && isSimple(filter) && COMMON_LIMITS.has(page.limit);
  const [calls, total] = await Promise.all([
    isCommon ? runHot(db, `history_${shapeOf(filter)}_${page.limit}`, query) : query.execute(),
    countCalls(db, workspaceId, filter, splitByDay),
  ]);
  return { calls, total };
}

/** Page lengths whose statements are prepared: each is one more prepared statement on every connection. */
const COMMON_LIMITS = new Set([10, 50, 100, 200]);

/** The columns of a page of calls, before joins. */
export const callsOf = (db: Db) => db.selectFrom('calls').select(['calls.workspace_id', ...COLUMNS]);

/** Joins the agents, campaigns and records of a page's calls, by key for each row. */
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
    .leftJoin('campaigns', (join) =>
      join
        .onRef('campaigns.workspace_id', '=', 'calls.workspace_id')
        .onRef('campaigns.id', '=', 'calls.campaign_id'),
    )
    .select([
      ...CALL,
      'agents.display_name as agentName',
      'call_records.recording_state as recordingState',
      'campaigns.purpose',
      'campaigns.dlt_template_id as dltTemplateId',
    ]);

export interface WatchedCall {
  id: string;
  status: CallStatus;
  subStatus: string;
  endedAt: Date | null;
  answeredAt: Date | null;
  createdAt: Date;
}

/** The states of calls that streams follow, by the workspace that each stream belongs to, in one query. */
export async function findWatchedCalls(
  db: Db,
  refs: readonly { readonly workspaceId: string; readonly callId: string }[],
): Promise<WatchedCall[]> {
  const { rows } = await sql<WatchedCall>`
    select c.id, c.status, c.sub_status as "subStatus", c.ended_at as "endedAt", c.answered_at as "answeredAt",
           c.created_at as "createdAt"
    from unnest(${refs.map((ref) => ref.workspaceId)}::uuid[], ${refs.map((ref) => ref.callId)}::uuid[])
      as w (workspace_id, id)
    join calls c on c.workspace_id = w.workspace_id and c.id = w.id`.execute(db);
  return rows;
}

export function findCall(db: Db, workspaceId: string, callId: string): Promise<CallRow | undefined> {
  const call = callsOf(db).where('calls.workspace_id', '=', workspaceId).where('calls.id', '=', callId);
  return joined(db, call).executeTakeFirst();
}
