import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../store/database.ts';
import { findUserByEmail } from '../../store/tenants/users.ts';
import { noteAccount } from './account-log.ts';
import { known, stranger } from './hash-places.ts';
import type { KnownDevices } from './known-devices.ts';
import { isPasswordOf } from './passwords.ts';
import { isCodeOf } from './second-step.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';
import { startSession, type Client } from './sessions.ts';

interface Deps {
  db: Db;
  clock: Clock;
  seal: Seal;
  throttle: SignInThrottle;
  devices: KnownDevices;
}

/**
 * Checks e-mail address, password and, where the account has two-step sign-in, the code, then starts a session and
 * returns its token. Unknown addresses and wrong passwords answer alike and take equally long. Throws 401 and 429.
 */
export async function signIn(
  deps: Deps,
  given: { readonly email: string; readonly password: string; readonly code: string | null },
  client: Client & {
    /** The cookie of the browser; null: none. */
    readonly deviceCookie: string | null;
  },
): Promise<string> {
  const { address } = client;
  const device = deps.devices.idOf(client.deviceCookie, given.email);
  const attempt = { address, email: given.email, device };
  const wait = deps.throttle.begin(attempt);
  if (wait > 0) throw errors.rateLimited(wait, 'sign_in');
  const user = await findUserByEmail(deps.db, given.email);
  const hashClient = device === null ? stranger(address) : known(device);
  const isRight = await isPasswordOf(user?.passwordHash ?? null, given.password, hashClient);
  const failed = (): Promise<void> =>
    user === undefined
      ? Promise.resolve()
      : noteAccount(deps, user.id, 'sign_in_failed', { address: client.address });
  if (user === undefined || !isRight) {
    await failed();
    throw errors.signInFailed();
  }
  if (user.totpEnabled) {
    if (given.code === null) throw errors.codeRequired();
    if (!(await isCodeOf(deps, user, given.code))) {
      await failed();
      throw errors.codeWrong();
    }
  }
  const token = await deps.db.transaction().execute(async (tx) => {
    const started = await startSession(tx, deps.clock, user.id, client);
    await noteAccount({ ...deps, db: tx }, user.id, 'signed_in', { address: client.address });
    return started;
  });
  deps.throttle.succeeded(attempt);
  return token;
}
