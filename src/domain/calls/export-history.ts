import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import { analysesOf, listCallsAfter } from '../../store/history-export.ts';
import type { CallRow, HistoryFilter } from '../../store/history.ts';
import { toCallRecord, type RecordingLink } from './call-record.ts';
import { claimedExport, type ClaimedExport } from './export-claim.ts';
import { csvHeader, csvLine } from './history-csv.ts';

const PAGE = 500;

/**
 * Exports the calls that match, newest first, as CSV. The same export of a workspace runs once at a time: throws 409
 * while it does.
 */
export async function exportHistory(
  deps: { db: Db; clock: Clock; link: RecordingLink },
  workspaceId: string,
  filter: HistoryFilter,
  withAnalysis = false,
): Promise<ClaimedExport> {
  const asked = withAnalysis ? { ...filter, withAnalysis } : filter;
  const claimed = await claimedExport(deps, workspaceId, JSON.stringify(asked), {
    first: () => pageAfter(deps.db, workspaceId, filter, null),
    write: (first) => write(deps, workspaceId, { filter, withAnalysis, first }),
  });
  if (claimed === null) throw errors.exportRunning();
  return claimed;
}

async function pageAfter(
  db: Db,
  workspaceId: string,
  filter: HistoryFilter,
  after: CallRow | null,
): Promise<CallRow[]> {
  // An id that cannot exist matches nothing, like one of another workspace.
  const canMatch = [filter.laneId, filter.agentId].every((id) => id === null || isUuid(id));
  if (!canMatch) return [];
  const cursor = after === null ? null : { createdAt: after.created_at, id: after.id };
  return listCallsAfter(db, workspaceId, filter, cursor, PAGE);
}

async function* write(
  deps: { db: Db; link: RecordingLink },
  workspaceId: string,
  asked: { filter: HistoryFilter; withAnalysis: boolean; first: readonly CallRow[] },
): AsyncGenerator<string, void, undefined> {
  const { filter, withAnalysis } = asked;
  yield csvHeader(withAnalysis);
  let page = asked.first;
  for (;;) {
    const last = page.at(-1);
    if (last === undefined) return;
    const ids = page.map((call) => call.id);
    const analyses = withAnalysis ? await analysesOf(deps.db, workspaceId, ids) : null;
    yield page
      .map((call) => {
        const found = analyses?.get(call.id) ?? { platform: null, client: null };
        return csvLine(toCallRecord(call, workspaceId, deps.link), analyses === null ? null : found);
      })
      .join('');
    if (page.length < PAGE) return;
    page = await pageAfter(deps.db, workspaceId, filter, last);
  }
}
