import { createHash } from 'node:crypto';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import {
  analysesOf,
  beatExport,
  claimExport,
  listCallsAfter,
  releaseExport,
  type ExportLease,
} from '../../store/history-export.ts';
import type { CallRow, HistoryFilter } from '../../store/history.ts';
import { toCallRecord, type RecordingLink } from './call-record.ts';
import { csvHeader, csvLine } from './history-csv.ts';

const PAGE = 500;
/** An export that has not come to its next page for so long is taken for dead. */
const ABANDONED_MS = 60_000;

/** An export under way: its text piece by piece, and the end of its claim, to be called however it ends. */
export interface HistoryExport {
  readonly pieces: AsyncGenerator<string, void, undefined>;
  readonly release: () => Promise<void>;
}

/**
 * Exports the calls that match, newest first, as CSV. The same export of a workspace runs once at a time: throws 409
 * while it does.
 */
export async function exportHistory(
  deps: { db: Db; clock: Clock; link: RecordingLink },
  workspaceId: string,
  filter: HistoryFilter,
  withAnalysis = false,
): Promise<HistoryExport> {
  const asked = withAnalysis ? { ...filter, withAnalysis } : filter;
  const filterHash = createHash('sha256').update(JSON.stringify(asked)).digest('hex');
  const lease: ExportLease = { workspaceId, filterHash, token: newId() };
  const now = deps.clock.now();
  const times = { at: new Date(now), abandonedBefore: new Date(now - ABANDONED_MS) };
  if (!(await claimExport(deps.db, lease, times))) throw errors.exportRunning();
  const release = (): Promise<void> => releaseExport(deps.db, lease);
  try {
    // The first page comes before the answer, so that a failure is an error and no broken file.
    const first = await pageAfter(deps.db, workspaceId, filter, null);
    return { pieces: claimed(write(deps, lease, { filter, withAnalysis, first }), release), release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** The claim ends before the text does: whoever has read it whole may ask for it again at once. */
export async function* claimed(
  pieces: AsyncGenerator<string, void, undefined>,
  release: () => Promise<void>,
): AsyncGenerator<string, void, undefined> {
  yield* pieces;
  await release();
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
  deps: { db: Db; clock: Clock; link: RecordingLink },
  lease: ExportLease,
  asked: { filter: HistoryFilter; withAnalysis: boolean; first: readonly CallRow[] },
): AsyncGenerator<string, void, undefined> {
  const { filter, withAnalysis } = asked;
  const { workspaceId } = lease;
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
    await beatExport(deps.db, lease, new Date(deps.clock.now()));
    page = await pageAfter(deps.db, workspaceId, filter, last);
  }
}
