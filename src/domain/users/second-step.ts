import type { Clock } from '../../shared/clock.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../store/database.ts';
import { takeRecoveryCode, takeTotpStep, type UserRow } from '../../store/tenants/users.ts';
import { recoveryHash } from './recovery-codes.ts';
import { matchingStep } from './totp.ts';

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
  const hash = await recoveryHash(user.recoveryCodes, entered);
  return hash !== null && takeRecoveryCode(deps.db, user.id, hash);
}
