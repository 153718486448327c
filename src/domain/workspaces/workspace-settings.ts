import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { mergeSettings, readSettings } from '../../store/tenants/settings.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

/** What the owner of a workspace sets for all of its agents. */
export interface WorkspaceSettings {
  /** Calls and chats that lack a variable, or name an unknown one, are refused. */
  readonly strictVariables: boolean;
}

export async function readWorkspaceSettings(
  deps: { db: Db },
  workspaceId: string,
): Promise<WorkspaceSettings> {
  const settings = await readSettings(deps.db, workspaceId);
  return { strictVariables: settings['strict_variables'] === true };
}

/** Changes the given settings. */
export function changeWorkspaceSettings(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  settings: { readonly strict_variables?: boolean },
): Promise<WorkspaceSettings> {
  return commitChange(deps.db, change, async (tx) => {
    await mergeSettings(tx, workspaceId, settings, new Date(deps.clock.now()));
    return readWorkspaceSettings({ db: tx }, workspaceId);
  });
}
