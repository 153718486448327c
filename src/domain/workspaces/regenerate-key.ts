import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { findKey, findShownKey, replaceKey, type ShownKey } from '../../store/tenants/keys.ts';
import { findWorkspace } from '../../store/tenants/workspaces.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { newApiKey, storedForm } from './api-key.ts';

/** What may be shown of the workspace's key; null: it has none. */
export const readKey = (deps: { db: Db }, workspaceId: string): Promise<ShownKey | null> =>
  findShownKey(deps.db, workspaceId);

/**
 * Creates the workspace's key or replaces it: the old one is invalid from the commit on. Replacing needs the name of
 * the workspace, which a person types as the confirmation. Returns the key, which cannot be shown again. Throws 422.
 */
export async function regenerateKey(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  typedName: string | null,
): Promise<string> {
  const apiKey = newApiKey();
  await commitChange(deps.db, change, async (tx) => {
    const workspace = await findWorkspace(tx, workspaceId);
    const hasKey = (await findKey(tx, workspaceId)) !== null;
    if (hasKey && typedName?.trim() !== workspace?.name.trim()) {
      throw errors.invalid('workspace_name', 'must be the name of the workspace');
    }
    await replaceKey(tx, workspaceId, storedForm(apiKey), new Date(deps.clock.now()));
  });
  return apiKey;
}
