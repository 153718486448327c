import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, randomToken, sha256 } from '../../shared/ids.ts';
import { seeingAll } from '../../shared/shares/tenant.ts';
import type { Db, Tx } from '../../store/database.ts';
import { ownsEveryWorkspaceOf, putPasswordLink, takePasswordLink } from '../../store/tenants/account-log.ts';
import { lockMembers } from '../../store/tenants/members.ts';
import { deleteSessions } from '../../store/tenants/sessions.ts';
import { findUserByEmail, findUserById, setPassword, setTotp } from '../../store/tenants/users.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { noteAccount, type ActedBy } from './account-log.ts';
import { stranger } from './hash-places.ts';
import { hashPassword } from './passwords.ts';

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
}

const LINK_MS = 86_400_000;
const TOKEN_CHARS = 43;

export interface PasswordLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** A member and the owner who helps. */
interface Helped {
  readonly workspaceId: string;
  readonly userId: string;
  readonly owner: { readonly userId: string; readonly email: string; readonly address: string };
}

/**
 * Makes a link with which a member sets a new password; it works once, for 24 hours. Throws 404, and 409 for a member who
 * works in a workspace that the owner does not own, because the link opens that one, too.
 */
export function makeMemberLink(
  deps: Deps & { readonly publicUrl: string },
  change: ChangeEntry | null,
  helped: Helped,
): Promise<PasswordLink> {
  return helping(deps, change, async (tx) => {
    await checkHelped(tx, helped);
    return makeLink({ ...deps, db: tx }, helped.userId, byOwner(helped), helped.owner.address);
  });
}

/** Turns a member's two-step sign-in off and ends their sessions. Throws as `makeMemberLink`. */
export function resetMemberTwoStep(deps: Deps, change: ChangeEntry | null, helped: Helped): Promise<void> {
  return helping(deps, change, async (tx) => {
    await checkHelped(tx, helped);
    await resetTwoStep({ ...deps, db: tx }, helped.userId, byOwner(helped), helped.owner.address);
  });
}

/** The other workspaces of the member decide, and get an audit entry. */
const helping = <T>(deps: Deps, change: ChangeEntry | null, work: (tx: Tx) => Promise<T>): Promise<T> =>
  seeingAll(() => commitChange(deps.db, change, work));

const byOwner = ({ owner }: Helped): ActedBy => ({ type: 'user', name: owner.email });

async function checkHelped(tx: Tx, { workspaceId, userId, owner }: Helped): Promise<void> {
  const members = await lockMembers(tx, workspaceId);
  if (!isUuid(userId) || !members.has(userId.toLowerCase())) throw errors.memberNotFound();
  const user = await findUserById(tx, userId);
  const isTheirs = await ownsEveryWorkspaceOf(tx, owner.userId, userId);
  if (user?.isOperator === true || !isTheirs) throw errors.memberOfOthers();
}

const OPERATOR: ActedBy = { type: 'operator', name: 'callwright user reset' };

/** For the operator's command line: a link for the user, or two-step sign-in off. Null: no user has the address. */
export async function resetByOperator(
  deps: Deps & { readonly publicUrl: string },
  email: string,
  what: 'password' | 'two-step',
): Promise<PasswordLink | 'two-step is off' | null> {
  return deps.db.transaction().execute(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (user === undefined) return null;
    if (what === 'password') return makeLink({ ...deps, db: tx }, user.id, OPERATOR, null);
    await resetTwoStep({ ...deps, db: tx }, user.id, OPERATOR, null);
    return 'two-step is off' as const;
  });
}

/** Sets the password of the link's user and ends every session. Two-step sign-in stays on. Throws 403. */
export async function usePasswordLink(
  deps: Deps,
  given: { readonly token: string; readonly password: string },
  address: string,
): Promise<void> {
  const passwordHash = await hashPassword(given.password, stranger(address));
  await deps.db.transaction().execute(async (tx) => {
    const userId = await takePasswordLink(tx, sha256(given.token), new Date(deps.clock.now()));
    if (userId === null) throw errors.linkInvalid();
    await setPassword(tx, userId, passwordHash);
    await deleteSessions(tx, userId, null);
    await noteAccount({ ...deps, db: tx }, userId, 'password_changed', { address });
  });
}

async function makeLink(
  deps: Deps & { readonly publicUrl: string },
  userId: string,
  by: ActedBy,
  address: string | null,
): Promise<PasswordLink> {
  const token = randomToken(TOKEN_CHARS);
  const now = deps.clock.now();
  const expiresAt = new Date(now + LINK_MS);
  await putPasswordLink(deps.db, { tokenHash: sha256(token), userId, at: new Date(now), expiresAt });
  await noteAccount(deps, userId, 'password_link_made', { address, by });
  return { url: `${deps.publicUrl}/new-password#${token}`, expiresAt };
}

async function resetTwoStep(deps: Deps, userId: string, by: ActedBy, address: string | null): Promise<void> {
  await setTotp(deps.db, userId, { secret: null, isEnabled: false, step: 0, recoveryCodes: [] });
  await deleteSessions(deps.db, userId, null);
  await noteAccount(deps, userId, 'two_step_off', { address, by });
}
