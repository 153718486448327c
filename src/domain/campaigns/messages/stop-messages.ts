import type { Clock } from '../../../shared/clock.ts';
import { cancelMessages, type MessageScope } from '../../../store/campaigns/messages.ts';
import type { Db } from '../../../store/database.ts';
import { messagesHaveLeft } from './permit.ts';

const BATCH = 500;

/** Cancels the waiting messages in scope; none of them is sent once it resolves. Returns how many. */
export async function stopMessages(
  deps: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  scope: MessageScope,
  subStatus: string,
): Promise<number> {
  let stopped = 0;
  for (;;) {
    const at = new Date(deps.clock.now());
    const count = await cancelMessages(deps.db, workspaceId, scope, subStatus, at, BATCH);
    stopped += count;
    if (count < BATCH) break;
  }
  if (stopped > 0) await messagesHaveLeft(deps, workspaceId, 'campaignId' in scope ? scope.campaignId : null);
  return stopped;
}
