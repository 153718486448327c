import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import { findCall } from '../../store/calls/history.ts';
import type { Db } from '../../store/database.ts';
import { listFindings, markFinding, type FindingRow } from '../../store/quality/checks.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

/** Marks what a detector found in a call as a false alarm, or takes the mark away. Throws 404. */
export async function markFalseAlarm(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  of: {
    readonly callId: string;
    readonly detector: string;
    readonly isFalse: boolean;
    readonly by: string;
  },
): Promise<FindingRow> {
  const call = isUuid(of.callId) ? await findCall(db, workspaceId, of.callId) : undefined;
  if (call === undefined) throw errors.callNotFound();
  const mark = of.isFalse ? { by: of.by, at: new Date(clock.now()) } : null;
  return commitChange(db, change, async (tx) => {
    if (!(await markFinding(tx, workspaceId, { callId: call.id, detector: of.detector }, mark)))
      throw errors.findingNotFound();
    const found = (await listFindings(tx, workspaceId, call.id))?.find(
      ({ detector }) => detector === of.detector,
    );
    if (found === undefined) throw errors.findingNotFound();
    return found;
  });
}
