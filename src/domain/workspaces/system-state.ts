import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { errors } from '../../errors.ts';
import { findWorkspace } from '../../store/tenants/workspaces.ts';
import { readSystemState, type DueWork, type SystemState } from '../../store/tenants/system.ts';

export type { DueWork, SystemState };

/** The processes of the installation, and the work of the workspace that is due. */
export const readSystem = (deps: { db: Db; clock: Clock }, workspaceId: string): Promise<SystemState> =>
  readSystemState(deps.db, workspaceId, new Date(deps.clock.now()));

/** Throws 403 for a child workspace: its owners are customers of the installation, not its operators. */
export async function checkOperator(deps: { db: Db }, workspaceId: string): Promise<void> {
  const workspace = await findWorkspace(deps.db, workspaceId);
  if (workspace?.parentId !== null) throw errors.operatorsOnly();
}
