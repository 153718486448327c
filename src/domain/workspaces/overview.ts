import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { readOverview as readStored, type Overview } from '../../store/tenants/overview.ts';

export type { Overview };

const DAY_MS = 86_400_000;

/** What happens in the workspace now, and the deliveries and latencies of the last 24 hours. */
export const readOverview = (deps: { db: Db; clock: Clock }, workspaceId: string): Promise<Overview> =>
  readStored(deps.db, workspaceId, new Date(deps.clock.now() - DAY_MS));
