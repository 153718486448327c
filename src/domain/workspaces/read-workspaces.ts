import { seeingAll } from '../../shared/shares/tenant.ts';
import { errors } from '../../errors.ts';
import type { Db } from '../../store/database.ts';
import { findKey } from '../../store/tenants/keys.ts';
import { findWorkspace, listReachableWorkspaces } from '../../store/tenants/workspaces.ts';

interface WorkspaceBalance {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** Micro-credits, like `lockedCredits`. */
  readonly credits: number;
  readonly lockedCredits: number;
  readonly unlimited: boolean;
}
export interface OwnWorkspace extends WorkspaceBalance {
  /** Prefix and last four characters; null: the workspace has no key. */
  readonly maskedKey: string | null;
}
export interface ReachableWorkspace extends WorkspaceBalance {
  readonly role: string;
  readonly parentWorkspaceId: string | null;
}

/** The workspace of the key. */
export async function readWorkspace(deps: { db: Db }, workspaceId: string): Promise<OwnWorkspace> {
  const workspace = await findWorkspace(deps.db, workspaceId);
  if (workspace === undefined) throw errors.invalidCredentials();
  const key = await findKey(deps.db, workspaceId);
  return {
    id: workspace.id,
    name: workspace.name,
    createdAt: workspace.createdAt,
    credits: workspace.credits,
    lockedCredits: workspace.lockedCredits,
    unlimited: workspace.unlimited,
    maskedKey: key === null ? null : `${key.shownPrefix}••••••••${key.shownLast4}`,
  };
}

/** Every workspace that the key's user can access. */
export async function readReachableWorkspaces(
  deps: { db: Db },
  workspaceId: string,
): Promise<ReachableWorkspace[]> {
  // Those that its owners are members of, too.
  const workspaces = await seeingAll(() => listReachableWorkspaces(deps.db, workspaceId));
  return workspaces.map((workspace) => ({
    id: workspace.id,
    name: workspace.name,
    createdAt: workspace.createdAt,
    role: workspace.role,
    parentWorkspaceId: workspace.parentId,
    credits: workspace.credits,
    lockedCredits: workspace.lockedCredits,
    unlimited: workspace.unlimited,
  }));
}
