import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { sha256 } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../store/database.ts';
import { findUserByEmail, takeRecoveryCode, takeTotpStep, type UserRow } from '../../store/tenants/users.ts';
import { isPasswordOf } from './passwords.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';
import { startSession, type Client } from './sessions.ts';
import { matchingStep } from './totp.ts';

interface Deps {
  db: Db;
  clock: Clock;
  seal: Seal;
  throttle: SignInThrottle;
}

/**
 * Checks e-mail address, password and, where the account has two-step sign-in, the code, then starts a session and
 * returns its token. Unknown addresses and wrong passwords answer alike and take equally long. Throws 401 and 429.
 */
export async function signIn(
  deps: Deps,
  given: { readonly email: string; readonly password: string; readonly code: string | null },
  client: Client,
): Promise<string> {
  const wait = deps.throttle.begin(client.address, given.email);
  if (wait > 0) throw errors.rateLimited(wait, 'sign_in');
  const user = await findUserByEmail(deps.db, given.email);
  const isRight = await isPasswordOf(user?.passwordHash ?? null, given.password);
  if (user === undefined || !isRight) throw errors.signInFailed();
  if (user.totpEnabled) {
    if (given.code === null) throw errors.codeRequired();
    if (!(await isCodeOf(deps, user, given.code))) throw errors.codeWrong();
  }
  const token = await deps.db.transaction().execute((tx) => startSession(tx, deps.clock, user.id, client));
  deps.throttle.succeeded(client.address, given.email);
  return token;
}

/** Whether the code is the app's current one or a recovery code that is left; each works once. */
export async function isCodeOf(
  deps: { db: Db; clock: Clock; seal: Seal },
  user: UserRow,
  code: string,
): Promise<boolean> {
  const entered = code.replaceAll(' ', '');
  const secret = user.totpSecret === null ? null : deps.seal.open(user.totpSecret);
  const step = secret === null ? null : matchingStep(secret, entered, deps.clock.now());
  if (step !== null) return takeTotpStep(deps.db, user.id, step);
  return takeRecoveryCode(deps.db, user.id, sha256(entered.toLowerCase()));
}
