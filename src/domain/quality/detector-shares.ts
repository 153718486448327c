import { isUuid } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import {
  countChecks,
  countFindings,
  type CheckFilter,
  type DetectorCount,
} from '../../store/quality/detector-shares.ts';

export interface DetectorShares {
  readonly checkedCalls: number;
  readonly detectors: readonly DetectorCount[];
}

/** What detectors found in the checked calls of some days, most frequent first. An unknown agent has no calls. */
export async function readDetectorShares(
  { db }: { readonly db: Db },
  workspaceId: string,
  filter: CheckFilter,
): Promise<DetectorShares> {
  if (filter.agentId !== null && !isUuid(filter.agentId)) return { checkedCalls: 0, detectors: [] };
  const [checkedCalls, detectors] = await Promise.all([
    countChecks(db, workspaceId, filter),
    countFindings(db, workspaceId, filter),
  ]);
  return { checkedCalls, detectors };
}
