import { errors } from '../../errors.ts';
import type { Db } from '../../store/database.ts';
import { deleteTrunkRow } from '../../store/numbers/trunk-settings.ts';
import { lockProvisioning } from '../../store/tenants/provision.ts';
import { findTrunkSettings } from './save-trunk.ts';

/**
 * Deletes the trunk of a carrier and returns its id; every process un-registers it within five seconds. Throws 404, and 409
 * while a number of any workspace is on it.
 */
export const deleteTrunk = (db: Db, name: string): Promise<string> =>
  db.transaction().execute(async (tx) => {
    await lockProvisioning(tx);
    const { id, numbers } = await findTrunkSettings(tx, name);
    if (numbers > 0 || !(await deleteTrunkRow(tx, id))) throw errors.trunkInUse(numbers);
    return id;
  });
