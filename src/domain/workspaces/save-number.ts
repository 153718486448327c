import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import type { CallPurpose } from '../../shared/call-purposes.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db, Tx } from '../../store/database.ts';
import { lockMovable } from '../../store/numbers/moving.ts';
import {
  deleteNumber,
  findRootId,
  listNumberSettings,
  type NumberSettingsRow,
} from '../../store/numbers/number-settings.ts';
import { findLine, findTrunkId, lockProvisioning, putNumber } from '../../store/tenants/provision.ts';
import { purposeProblem } from '../numbers/purpose.ts';
import { storeHomeCountries } from './home-countries.ts';
import { obstacleTo } from './move-numbers.ts';

export type { NumberSettingsRow };

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
}

/** Absent fields of a number that exists keep their value. */
export interface NumberInput {
  /** Name of a trunk of the installation, or `test`. */
  readonly trunk: string;
  readonly displayName?: string;
  readonly isTestNumber?: boolean;
  /** Null: no limit. */
  readonly callLimit?: number | null;
  /** Null: any. */
  readonly purpose?: CallPurpose | null;
}

/** The numbers of a workspace with their settings. Throws 404 for an unknown workspace. */
export async function readNumberSettings(
  { db }: Pick<Deps, 'db'>,
  workspaceId: string,
): Promise<NumberSettingsRow[]> {
  await rootOf(db, workspaceId);
  return listNumberSettings(db, workspaceId);
}

/**
 * Adds the number to the workspace or changes its settings; the next call uses them. Throws 404 for an unknown workspace, 409
 * for a number of another workspace on the same trunk, 422 naming the field.
 */
export const saveNumber = (
  { db, clock }: Deps,
  workspaceId: string,
  number: string,
  { trunk, ...settings }: NumberInput,
): Promise<NumberSettingsRow> =>
  db.transaction().execute(async (tx) => {
    await lockProvisioning(tx);
    const root = await rootOf(tx, workspaceId);
    const trunkId = await findTrunkId(tx, trunk);
    if (trunkId === null) throw errors.invalid('trunk', 'must be the name of a trunk of this installation');
    const misused = settings.purpose == null ? null : purposeProblem(number, settings.purpose);
    if (misused !== null)
      throw errors.invalid('purpose', `cannot be ${settings.purpose}: ${number} ${misused}`);
    const line = await findLine(tx, number, trunkId);
    if (line !== undefined && line.workspaceId !== workspaceId) throw errors.numberTaken(number);
    const at = new Date(clock.now());
    await putNumber(tx, workspaceId, { number, trunkId, provider: trunk, ...settings }, at);
    await storeHomeCountries(tx, root, at);
    return found(tx, workspaceId, number);
  });

/**
 * Removes the number and returns its id; its calls so far stay. Throws 404, and 409 while a pool, an agent, a campaign or a
 * call uses it.
 */
export const removeNumber = ({ db, clock }: Deps, workspaceId: string, number: string): Promise<string> =>
  db.transaction().execute(async (tx) => {
    await lockProvisioning(tx);
    const root = await rootOf(tx, workspaceId);
    const { id } = await found(tx, workspaceId, number);
    const [locked] = await lockMovable(tx, [workspaceId], { numberIds: [id] });
    const obstacle = locked === undefined ? null : obstacleTo(locked);
    if (obstacle !== null) throw errors.numberInUse(number, obstacle, 'removed');
    await deleteNumber(tx, workspaceId, id);
    await storeHomeCountries(tx, root, new Date(clock.now()));
    return id;
  });

/** The workspace itself, or the parent of a child. */
async function rootOf(db: Db, workspaceId: string): Promise<string> {
  const root = isUuid(workspaceId) ? await findRootId(db, workspaceId) : null;
  if (root === null) throw errors.workspaceNotFound();
  return root;
}

async function found(tx: Tx, workspaceId: string, number: string): Promise<NumberSettingsRow> {
  const [row] = await listNumberSettings(tx, workspaceId, number);
  if (row === undefined) throw errors.numberNotFound();
  return row;
}
