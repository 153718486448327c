import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import { listCalls, type HistoryFilter } from '../../store/history.ts';
import { toCallRecord, type RecordingLink } from './call-record.ts';

export type { HistoryFilter };
const MAX_LIMIT = 200;

/** A page of the workspace's calls, newest first (interface, GET /calling/history). 400 above the maximum. */
export async function readHistory(
  deps: { db: Db; link: RecordingLink },
  workspaceId: string,
  filter: HistoryFilter,
  page: { limit: number; offset: number },
) {
  if (page.limit > MAX_LIMIT) throw errors.limitTooHigh(MAX_LIMIT);
  // An id that cannot exist matches nothing, like one of another workspace.
  const canMatch = [filter.laneId, filter.agentId].every((id) => id === null || isUuid(id));
  const found = canMatch ? await listCalls(deps.db, workspaceId, filter, page) : { calls: [], total: 0 };
  return {
    calls: found.calls.map((call) => toCallRecord(call, workspaceId, deps.link)),
    limit: page.limit,
    offset: page.offset,
    count: found.calls.length,
    total: found.total,
  };
}
