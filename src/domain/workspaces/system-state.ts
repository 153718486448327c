import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { readSystemState, type DueWork, type SystemState } from '../../store/tenants/system.ts';

export type { DueWork, SystemState };

/** The processes of the installation, and the work of all workspaces that is due. */
export const readSystem = (deps: { db: Db; clock: Clock }): Promise<SystemState> =>
  readSystemState(deps.db, new Date(deps.clock.now()));
