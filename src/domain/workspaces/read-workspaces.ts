import { errors } from '../../errors.ts';
import type { Db } from '../../store/database.ts';
import { findKey } from '../../store/keys.ts';
import { findWorkspace, listReachableWorkspaces } from '../../store/workspaces.ts';
import { toCredits } from '../credits/price.ts';

/** The key's workspace (interface, Workspace). The key shows its prefix and last four characters only. */
export async function readWorkspace(deps: { db: Db }, workspaceId: string) {
  const workspace = await findWorkspace(deps.db, workspaceId);
  if (workspace === undefined) throw errors.invalidCredentials();
  const key = await findKey(deps.db, workspaceId);
  return {
    id: workspace.id,
    name: workspace.name,
    created_at: workspace.created_at.toISOString(),
    credits: toCredits(workspace.credits),
    locked_credits: toCredits(workspace.locked_credits),
    unlimited: workspace.unlimited,
    api_key: key === null ? null : `${key.shownPrefix}••••••••${key.shownLast4}`,
  };
}

/** Every workspace the key's user can access. */
export async function readReachableWorkspaces(deps: { db: Db }, workspaceId: string) {
  const workspaces = await listReachableWorkspaces(deps.db, workspaceId);
  return workspaces.map((workspace) => ({
    id: workspace.id,
    name: workspace.name,
    created_at: workspace.created_at.toISOString(),
    role: workspace.role,
    parent_workspace_id: workspace.parent_id,
    credits: toCredits(workspace.credits),
    locked_credits: toCredits(workspace.locked_credits),
    unlimited: workspace.unlimited,
  }));
}
