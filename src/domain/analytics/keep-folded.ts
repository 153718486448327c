import { foldEndings } from '../../store/analysis/analytics.ts';
import type { Tx } from '../../store/database.ts';

const FOLD = 1000;
/** Of 256 values of an id's last byte, those below this one. */
const CHOSEN = 4;

/**
 * Folds waiting endings into the day sums on one of 64 ended calls, chosen by id, so that no extra worker is needed.
 * Takes no lock that the end of another call needs.
 */
export async function keepAnalyticsFolded(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
): Promise<void> {
  const isChosen = callIds.some((id) => Number.parseInt(id.slice(-2), 16) < CHOSEN);
  if (isChosen) await foldEndings(tx, workspaceId, FOLD);
}
