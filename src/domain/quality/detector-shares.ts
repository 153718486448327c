import { isUuid } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import {
  countChecks,
  countFindings,
  listDays,
  type CheckFilter,
  type DetectorCount,
  type QualityDay,
} from '../../store/quality/detector-shares.ts';

/** Days of one answer. */
const MOST_DAYS = 400;

export interface DetectorShares {
  readonly checkedCalls: number;
  readonly detectors: readonly DetectorCount[];
  readonly days: readonly QualityDay[];
}

/** What detectors found in the checked calls of some days, most frequent first. An unknown agent has no calls. */
export async function readDetectorShares(
  { db }: { readonly db: Db },
  workspaceId: string,
  filter: CheckFilter,
): Promise<DetectorShares> {
  if (filter.agentId !== null && !isUuid(filter.agentId)) return { checkedCalls: 0, detectors: [], days: [] };
  const [checkedCalls, detectors, days] = await Promise.all([
    countChecks(db, workspaceId, filter),
    countFindings(db, workspaceId, filter),
    listDays(db, workspaceId, filter, MOST_DAYS),
  ]);
  return { checkedCalls, detectors, days };
}
