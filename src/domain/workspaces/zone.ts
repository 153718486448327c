import { isValidZone } from '@callwright/language';
import { errors } from '../../errors.ts';
import { moveDays } from '../../store/analysis/move-days.ts';
import type { Db, Tx } from '../../store/database.ts';
import { isKnownZone, readZone } from '../../store/zone.ts';

const FIELD = 'timezone';

/** The zone by whose days the workspace counts. */
export const workspaceZone = (deps: { readonly db: Db }, workspaceId: string): Promise<string> =>
  readZone(deps.db, workspaceId);

/** Throws 422 for a zone that the service or its database does not know. */
export async function checkZone(db: Db, zone: string): Promise<void> {
  if (!isValidZone(zone) || !(await isKnownZone(db, zone)))
    throw errors.invalid(FIELD, 'must be an IANA time zone such as Asia/Kolkata');
}

/** Moves the day sums to the days of another zone. The caller stores the zone afterwards in the same transaction. */
export async function moveToZone(tx: Tx, workspaceId: string, zone: string): Promise<void> {
  const before = await readZone(tx, workspaceId);
  if (before !== zone) await moveDays(tx, workspaceId, before, zone);
}
