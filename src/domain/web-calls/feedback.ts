import type { Feedback } from '../../store/json/call-record.ts';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, sha256 } from '../../shared/ids.ts';
import { callOfToken, putFeedback } from '../../store/calls/web-calls.ts';
import type { Db } from '../../store/database.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

/** Stores a rating of a call of the workspace; a later one replaces it. Throws 404. */
export async function giveFeedback(
  deps: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  callId: string,
  feedback: Feedback,
): Promise<{ readonly callId: string }> {
  if (!isUuid(callId)) throw errors.callNotFound();
  const at = new Date(deps.clock.now());
  return commitChange(deps.db, change, async (tx) => {
    if (!(await putFeedback(tx, { workspaceId, callId }, feedback, at))) throw errors.callNotFound();
    return { callId };
  });
}

/** The call that the caller's token began; null: the token began another call, or none. */
export const callOfCaller = (
  deps: { readonly db: Db },
  token: string,
  callId: string,
): Promise<{ readonly workspaceId: string } | null> =>
  callOfToken(deps.db, sha256(token), callId.toLowerCase());
