import { timingSafeEqual } from 'node:crypto';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { newId, randomToken } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../store/database.ts';
import {
  deleteInstallationValue,
  findInstallationValue,
  installationValue,
} from '../../store/installation.ts';
import { adoptOwnerless } from '../../store/tenants/members.ts';
import { lockProvisioning } from '../../store/tenants/provision.ts';
import { hasUser, insertUser, makeOperator } from '../../store/tenants/users.ts';
import { noteAccount } from './account-log.ts';
import { known } from './hash-places.ts';
import { hashPassword } from './passwords.ts';
import { startSession, type Client } from './sessions.ts';

const KEY = 'first_run';
const TOKEN_CHARS = 43;

interface Deps {
  db: Db;
  clock: Clock;
  seal: Seal;
}

interface FirstOwnerDeps extends Deps {
  /** The installation has a provision file, which alone declares its operators. */
  readonly isProvisioned?: boolean;
}

/**
 * The token of the first-run link, created on first use and sealed in the database, so that every start and process
 * prints the same one; null once the installation has a user.
 */
export async function firstRunToken(deps: Deps): Promise<string | null> {
  if (!(await isFirstRun(deps.db))) return null;
  const make = (): string => deps.seal.seal(randomToken(TOKEN_CHARS));
  return deps.seal.open(await installationValue(deps.db, KEY, make, new Date(deps.clock.now())));
}

export const isFirstRun = async (db: Db): Promise<boolean> => !(await hasUser(db));

/**
 * Creates the first user, who becomes the owner of every workspace that has none and, without a provision file, the
 * operator of the installation, and signs in. Returns the session's
 * token. Throws 403 for a wrong link and 409 once there is a user.
 */
export async function createFirstOwner(
  deps: FirstOwnerDeps,
  given: { readonly token: string; readonly email: string; readonly password: string },
  client: Client,
): Promise<string> {
  // In this order: the link is gone only once the first user is there.
  const sealed = await findInstallationValue(deps.db, KEY);
  if (!(await isFirstRun(deps.db))) throw errors.firstRunOver();
  const expected = Buffer.from((sealed === null ? null : deps.seal.open(sealed)) ?? '');
  const token = Buffer.from(given.token);
  if (token.length !== expected.length || !timingSafeEqual(token, expected)) throw errors.linkInvalid();
  const passwordHash = await hashPassword(given.password, known(client.address));
  return deps.db.transaction().execute(async (tx) => {
    await lockProvisioning(tx);
    if (await hasUser(tx)) throw errors.firstRunOver();
    const at = new Date(deps.clock.now());
    const id = newId();
    await insertUser(tx, { id, email: given.email, passwordHash }, at);
    await adoptOwnerless(tx, id, at);
    if (deps.isProvisioned !== true) await makeOperator(tx, id);
    await deleteInstallationValue(tx, KEY);
    await noteAccount({ ...deps, db: tx }, id, 'first_owner', { address: client.address });
    return startSession(tx, deps.clock, id, client);
  });
}
