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
const VALID_MS = 86_400_000;

interface Deps {
  db: Db;
  clock: Clock;
  seal: Seal;
}

interface FirstOwnerDeps extends Deps {
  /** The installation has a provision file, which alone declares its operators. */
  readonly isProvisioned?: boolean;
}

/** `over`: the installation has a user. `expired`: it has none, and its link is a day old. */
export type FirstRun = { readonly token: string } | 'expired' | 'over';

/**
 * The token of the first-run link, created on first use and sealed in the database, so that every start and process
 * prints the same one for 24 hours.
 */
export async function readFirstRun(deps: Deps): Promise<FirstRun> {
  if (!(await isFirstRun(deps.db))) return 'over';
  const make = (): string => deps.seal.seal(randomToken(TOKEN_CHARS));
  const { value, createdAt } = await installationValue(deps.db, KEY, make, new Date(deps.clock.now()));
  const token = isValid(deps.clock, createdAt) ? deps.seal.open(value) : null;
  return token === null ? 'expired' : { token };
}

/** Replaces the link: an earlier one is invalid at once. Null once the installation has a user. */
export async function renewFirstRun(deps: Deps): Promise<{ token: string; expiresAt: Date } | null> {
  return deps.db.transaction().execute(async (tx) => {
    await lockProvisioning(tx);
    if (await hasUser(tx)) return null;
    const token = randomToken(TOKEN_CHARS);
    const at = deps.clock.now();
    await deleteInstallationValue(tx, KEY);
    await installationValue(tx, KEY, () => deps.seal.seal(token), new Date(at));
    return { token, expiresAt: new Date(at + VALID_MS) };
  });
}

const isValid = (clock: Clock, createdAt: Date): boolean => clock.now() < createdAt.getTime() + VALID_MS;

export const isFirstRun = async (db: Db): Promise<boolean> => !(await hasUser(db));

/**
 * Creates the first user, who becomes the owner of every workspace that has none and, without a provision file, the
 * operator of the installation, and signs in. Returns the session's
 * token. Throws 403 for a wrong or expired link and 409 once there is a user.
 */
export async function createFirstOwner(
  deps: FirstOwnerDeps,
  given: { readonly token: string; readonly email: string; readonly password: string },
  client: Client,
): Promise<string> {
  // In this order: the link is gone only once the first user is there.
  const stored = await findInstallationValue(deps.db, KEY);
  if (!(await isFirstRun(deps.db))) throw errors.firstRunOver();
  const isOpen = stored !== null && isValid(deps.clock, stored.createdAt);
  const expected = Buffer.from((isOpen ? deps.seal.open(stored.value) : null) ?? '');
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
