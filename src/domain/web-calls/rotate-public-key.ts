import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import { replacePublicKey } from '../../store/calls/web-calls.ts';
import type { Db } from '../../store/database.ts';
import { newPublicKey } from '../agents/public-key.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

/** Replaces the public key of an agent's browser calls; the API key stays. Returns the new one. Throws 404. */
export async function rotatePublicKey(
  deps: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  agentId: string,
): Promise<string> {
  if (!isUuid(agentId)) throw errors.agentNotFound();
  const key = newPublicKey();
  await commitChange(deps.db, change, async (tx) => {
    const at = new Date(deps.clock.now());
    if (!(await replacePublicKey(tx, workspaceId, agentId, key, at))) throw errors.agentNotFound();
    return { agentId };
  });
  return key;
}
