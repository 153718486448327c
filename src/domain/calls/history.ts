import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import { analysesOf, listCallsAfter } from '../../store/calls/history-export.ts';
import type { HistoryFilter } from '../../store/calls/history-filter.ts';
import { listCalls, type CallRow } from '../../store/calls/history.ts';
import type { Db } from '../../store/database.ts';
import { nextCursor, type PageRequest } from '../cursor.ts';
import type { SignedLinks } from '../links/signed-links.ts';
import { toCallRecord, type CallRecord } from './call-record.ts';
import { splitByDay } from './whole-days.ts';
import { claimedExport, type ClaimedExport } from './export-claim.ts';

export type { HistoryFilter };
/** Calls per page of an export. */
const PAGE = 500;

export interface HistoryPage {
  readonly calls: readonly CallRecord[];
  readonly limit: number;
  readonly offset: number;
  readonly total: number;
  readonly nextCursor: string | null;
}

/** Text that is not a UUID matches nothing, like an id of another workspace. */
const canMatch = (filter: HistoryFilter): boolean =>
  [filter.campaignId, filter.agentId].every((id) => id === null || isUuid(id));

/** A page of the workspace's calls, newest first (interface, GET /calling/history). */
export async function readHistory(
  deps: { db: Db; link: SignedLinks },
  workspaceId: string,
  filter: HistoryFilter,
  page: PageRequest,
): Promise<HistoryPage> {
  const found = canMatch(filter)
    ? await listCalls(deps.db, workspaceId, filter, page, splitByDay)
    : { calls: [], total: 0 };
  const calls = found.calls.map((call) => toCallRecord(call, workspaceId, deps.link));
  const { limit, offset } = page;
  const next = nextCursor(
    page,
    found.calls.map((call) => ({ at: sortedBy(call, filter), id: call.id })),
  );
  return { calls, limit, offset, total: found.total, nextCursor: next };
}

/** The time that the history sorts by. */
const sortedBy = (call: CallRow, filter: HistoryFilter): Date =>
  filter.dialled === true ? (call.dialedAt ?? call.createdAt) : call.createdAt;

export interface ExportedCall {
  readonly call: CallRecord;
  /** Null: the export was requested without analyses. */
  readonly analyses: {
    readonly platform: Readonly<Record<string, unknown>> | null;
    readonly client: Readonly<Record<string, unknown>> | null;
  } | null;
}

/**
 * Exports the matching calls in pages, newest first. A lease keeps the same export of a workspace from running twice at
 * once: throws 409 while it runs.
 */
export async function exportHistory(
  deps: { db: Db; clock: Clock; link: SignedLinks },
  workspaceId: string,
  filter: HistoryFilter,
  withAnalysis = false,
): Promise<ClaimedExport<readonly ExportedCall[]>> {
  const lease = JSON.stringify(withAnalysis ? { ...filter, withAnalysis } : filter);
  const claimed = await claimedExport(deps, workspaceId, lease, {
    first: () => pageAfter(deps.db, workspaceId, filter, null),
    write: (first) => pages(deps, workspaceId, { filter, withAnalysis, first }),
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
  if (!canMatch(filter)) return [];
  const cursor = after === null ? null : { createdAt: after.createdAt, id: after.id };
  return listCallsAfter(db, workspaceId, filter, cursor, PAGE);
}

async function* pages(
  deps: { db: Db; link: SignedLinks },
  workspaceId: string,
  request: { filter: HistoryFilter; withAnalysis: boolean; first: readonly CallRow[] },
): AsyncGenerator<readonly ExportedCall[], void, undefined> {
  let page = request.first;
  for (;;) {
    const last = page.at(-1);
    if (last === undefined) return;
    const ids = page.map((call) => call.id);
    const analyses = request.withAnalysis ? await analysesOf(deps.db, workspaceId, ids) : null;
    yield page.map((call) => ({
      call: toCallRecord(call, workspaceId, deps.link),
      analyses: analyses === null ? null : (analyses.get(call.id) ?? { platform: null, client: null }),
    }));
    if (page.length < PAGE) return;
    page = await pageAfter(deps.db, workspaceId, request.filter, last);
  }
}
