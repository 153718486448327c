import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import { restoreAgent as restore } from '../../store/agents/versions.ts';
import { findAgent } from '../../store/agents/agents.ts';
import type { Db } from '../../store/database.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

/**
 * Takes an archived agent back into the lists. Cancelled calls stay cancelled, and numbers stay detached. Throws 404, and
 * 409 for an agent that is not archived.
 */
export async function restoreAgent(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  agentId: string,
): Promise<string> {
  if (!isUuid(agentId)) throw errors.agentNotFound();
  return commitChange(deps.db, change, async (tx) => {
    const id = await restore(tx, workspaceId, agentId, new Date(deps.clock.now()));
    if (id !== undefined) return id;
    throw (await findAgent(tx, workspaceId, agentId)) === undefined
      ? errors.agentNotFound()
      : errors.agentNotArchived();
  });
}
