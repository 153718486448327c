import { randomBytes } from 'node:crypto';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../store/database.ts';
import { deleteSessions } from '../../store/tenants/sessions.ts';
import {
  findUserById,
  listUserWorkspaces,
  setPassword,
  setTotp,
  type UserRow,
  type UserWorkspace,
} from '../../store/tenants/users.ts';
import { noteAccount } from './account-log.ts';
import { hashPassword, isPasswordOf } from './passwords.ts';
import { known } from './hash-places.ts';
import type { Attempt, SignInThrottle } from './sign-in-throttle.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { isCodeOf } from './second-step.ts';
import { matchingStep, otpauthUrl, toBase32 } from './totp.ts';

interface Deps {
  db: Db;
  clock: Clock;
  seal: Seal;
  throttle: SignInThrottle;
}
/** The signed-in user of a request. */
export interface Self {
  readonly userId: string;
  readonly sessionId: string;
  readonly address: string;
}

const SECRET_BYTES = 20;

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly hasTwoStep: boolean;
  readonly recoveryCodesLeft: number;
  readonly isOperator: boolean;
  readonly workspaces: readonly UserWorkspace[];
}

export async function readAccount(deps: { db: Db }, userId: string): Promise<Account> {
  const user = await existing(deps.db, userId);
  return {
    id: user.id,
    email: user.email,
    hasTwoStep: user.totpEnabled,
    recoveryCodesLeft: user.recoveryCodes.length,
    isOperator: user.isOperator,
    workspaces: await listUserWorkspaces(deps.db, userId),
  };
}

/** Sets a new password and ends every other session. Throws 401 and 429. */
export async function changePassword(
  deps: Deps,
  self: Self,
  given: { readonly password: string; readonly newPassword: string },
): Promise<void> {
  await confirmPassword(deps, self, given.password);
  const passwordHash = await hashPassword(given.newPassword, known(self.userId));
  await deps.db.transaction().execute(async (tx) => {
    await setPassword(tx, self.userId, passwordHash);
    await deleteSessions(tx, self.userId, self.sessionId);
    await noteAccount({ ...deps, db: tx }, self.userId, 'password_changed', self);
  });
}

/** Ends every session but this one; returns how many. */
export function revokeOtherSessions(deps: { db: Db; clock: Clock }, self: Self): Promise<number> {
  return deps.db.transaction().execute(async (tx) => {
    const ended = await deleteSessions(tx, self.userId, self.sessionId);
    await noteAccount({ ...deps, db: tx }, self.userId, 'other_sessions_ended', self);
    return ended;
  });
}

/** Stores a new secret, which takes effect when `confirmTwoStep` has seen one of its codes. Throws 401, 409, 429. */
export async function beginTwoStep(
  deps: Deps,
  self: Self,
  password: string,
): Promise<{ secret: string; url: string }> {
  const user = await confirmPassword(deps, self, password);
  if (user.totpEnabled) throw errors.twoStepIsOn();
  const secret = toBase32(randomBytes(SECRET_BYTES));
  await setTotp(deps.db, user.id, {
    secret: deps.seal.seal(secret),
    isEnabled: false,
    step: 0,
    recoveryCodes: [],
  });
  return { secret, url: otpauthUrl(user.email, secret) };
}

/** Turns two-step sign-in on and returns recovery codes, which are shown once. Throws 409, 422 and 429. */
export async function confirmTwoStep(deps: Deps, self: Self, code: string): Promise<string[]> {
  const user = await existing(deps.db, self.userId);
  if (user.totpEnabled) throw errors.twoStepIsOn();
  begin(deps, self, user);
  const secret = user.totpSecret === null ? null : deps.seal.open(user.totpSecret);
  const step = secret === null ? null : matchingStep(secret, code.replaceAll(' ', ''), deps.clock.now());
  if (step === null) throw errors.invalid('code', 'is not the current code of the app');
  deps.throttle.succeeded(attemptOf(self, user));
  const { codes, stored } = await newRecoveryCodes();
  await deps.db.transaction().execute(async (tx) => {
    await setTotp(tx, user.id, {
      secret: user.totpSecret,
      isEnabled: true,
      step,
      recoveryCodes: stored,
    });
    await deleteSessions(tx, user.id, self.sessionId);
    await noteAccount({ ...deps, db: tx }, user.id, 'two_step_on', self);
  });
  return codes;
}

/** Needs a code once two-step sign-in is on: a password alone cannot turn it off. Throws 403, 422 and 429. */
export async function endTwoStep(
  deps: Deps,
  self: Self,
  given: { readonly password: string; readonly code: string | null },
): Promise<void> {
  const user = await confirmPassword(deps, self, given.password, async (of) => {
    if (!of.totpEnabled) return;
    const isRight = given.code !== null && (await isCodeOf(deps, of, given.code));
    if (!isRight) throw errors.invalid('code', 'must be the current code of the app, or a recovery code');
  });
  await deps.db.transaction().execute(async (tx) => {
    await setTotp(tx, user.id, { secret: null, isEnabled: false, step: 0, recoveryCodes: [] });
    await noteAccount({ ...deps, db: tx }, user.id, 'two_step_off', self);
  });
}

/**
 * Asks for the password again, so that an unattended browser cannot change how the account is protected. `more` checks
 * what else is needed; its refusals count as wrong passwords do.
 */
async function confirmPassword(
  deps: Deps,
  self: Self,
  password: string,
  more: (user: UserRow) => Promise<void> = async () => undefined,
): Promise<UserRow> {
  const user = await existing(deps.db, self.userId);
  begin(deps, self, user);
  if (!(await isPasswordOf(user.passwordHash, password, known(self.userId)))) throw errors.passwordWrong();
  await more(user);
  deps.throttle.succeeded(attemptOf(self, user));
  return user;
}

/** A session is a device that the account knows. */
const attemptOf = ({ address, sessionId }: Self, { email }: UserRow): Attempt => ({
  address,
  email,
  device: sessionId,
});

function begin(deps: Deps, self: Self, user: UserRow): void {
  const wait = deps.throttle.begin(attemptOf(self, user));
  if (wait > 0) throw errors.rateLimited(wait, 'sign_in');
}

async function existing(db: Db, userId: string): Promise<UserRow> {
  const user = await findUserById(db, userId);
  if (user === undefined) throw errors.signedOut();
  return user;
}
