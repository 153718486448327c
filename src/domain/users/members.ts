import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId, randomToken, sha256 } from '../../shared/ids.ts';
import type { Db, Tx } from '../../store/database.ts';
import {
  deleteInvitation,
  deleteMember,
  findInvitation,
  listInvitations,
  listMembers,
  lockMembers,
  putInvitation,
  putMember,
  type InvitationRow,
  type MemberRow,
} from '../../store/tenants/members.ts';
import { findUserByEmail, insertUser } from '../../store/tenants/users.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { noteAccount } from './account-log.ts';
import { known } from './hash-places.ts';
import { hashPassword } from './passwords.ts';
import type { Role } from './roles.ts';
import { startSession, type Client } from './sessions.ts';

interface Deps {
  db: Db;
  clock: Clock;
}

const INVITATION_MS = 7 * 86_400_000;
const TOKEN_CHARS = 43;
const MOST_INVITATIONS = 200;

export const readMembers = (deps: { db: Db }, workspaceId: string): Promise<MemberRow[]> =>
  listMembers(deps.db, workspaceId);

/** Throws 404, and 409 for the last owner. */
export function changeRole(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  userId: string,
  role: Role,
): Promise<void> {
  return commitChange(deps.db, change, async (tx) => {
    await lockedMember(tx, workspaceId, userId, role);
    await putMember(tx, workspaceId, userId, role, new Date(deps.clock.now()));
  });
}

/** Throws 404, and 409 for the last owner. */
export function removeMember(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  userId: string,
): Promise<void> {
  return commitChange(deps.db, change, async (tx) => {
    await lockedMember(tx, workspaceId, userId, null);
    await deleteMember(tx, workspaceId, userId);
  });
}

/** Locks the members and checks that an owner is left once the member has `role`; null: once it is removed. */
async function lockedMember(tx: Tx, workspaceId: string, userId: string, role: Role | null): Promise<void> {
  const members = await lockMembers(tx, workspaceId);
  if (!isUuid(userId) || !members.has(userId.toLowerCase())) throw errors.memberNotFound();
  const owners = [...members].filter(([id, each]) => each === 'owner' && id !== userId.toLowerCase());
  if (role !== 'owner' && owners.length === 0) throw errors.lastOwner();
}

export const readInvitations = (deps: Deps, workspaceId: string): Promise<InvitationRow[]> =>
  listInvitations(deps.db, workspaceId, new Date(deps.clock.now()));

/** Creates an invitation; the link works once, for 7 days. Throws 400 and 409. */
export async function invite(
  deps: Deps & { publicUrl: string },
  workspaceId: string,
  change: ChangeEntry | null,
  given: { readonly email: string; readonly role: Role; readonly invitedBy: string },
): Promise<{ id: string; url: string; expiresAt: Date }> {
  const token = randomToken(TOKEN_CHARS);
  const id = newId();
  const at = new Date(deps.clock.now());
  const expiresAt = new Date(deps.clock.now() + INVITATION_MS);
  await commitChange(deps.db, change, async (tx) => {
    await lockMembers(tx, workspaceId);
    const isMember = (await listMembers(tx, workspaceId)).some(
      (member) => member.email.toLowerCase() === given.email.toLowerCase(),
    );
    if (isMember) throw errors.alreadyMember();
    if ((await listInvitations(tx, workspaceId, at)).length >= MOST_INVITATIONS) {
      throw errors.tooManyInvitations(MOST_INVITATIONS);
    }
    await putInvitation(tx, { id, workspaceId, ...given, tokenHash: sha256(token), expiresAt }, at);
  });
  return { id, url: `${deps.publicUrl}/invitation#${token}`, expiresAt };
}

/** Throws 404. */
export function withdrawInvitation(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  id: string,
): Promise<void> {
  return commitChange(deps.db, change, async (tx) => {
    if (!isUuid(id) || !(await deleteInvitation(tx, workspaceId, id))) throw errors.invitationNotFound();
  });
}

/** The invitation of a link, and whether its address has an account. Throws 403. */
export async function readInvitation(
  deps: Deps,
  token: string,
): Promise<{ invitation: InvitationRow; hasAccount: boolean }> {
  const invitation = await findInvitation(deps.db, sha256(token), new Date(deps.clock.now()));
  if (invitation === undefined) throw errors.linkInvalid();
  return { invitation, hasAccount: (await findUserByEmail(deps.db, invitation.email)) !== undefined };
}

/**
 * Adds the signed-in user to the workspace, or without a session creates the account and signs in; returns the new
 * session's token then. Throws 403 for a link that is used, withdrawn or expired, or is another user's, and 409 for an
 * address that has an account already.
 */
export async function acceptInvitation(
  deps: Deps,
  token: string,
  by: { readonly userId: string; readonly email: string } | { readonly password: string },
  client: Client,
): Promise<string | null> {
  await readInvitation(deps, token);
  const passwordHash = 'password' in by ? await hashPassword(by.password, known(client.address)) : null;
  return deps.db.transaction().execute(async (tx) => {
    const at = new Date(deps.clock.now());
    const invitation = await findInvitation(tx, sha256(token), at);
    const isTaken =
      invitation !== undefined && (await deleteInvitation(tx, invitation.workspaceId, invitation.id));
    if (invitation === undefined || !isTaken) throw errors.linkInvalid();
    if ('userId' in by) {
      if (by.email.toLowerCase() !== invitation.email.toLowerCase()) throw errors.linkOfAnother();
      await putMember(tx, invitation.workspaceId, by.userId, invitation.role, at);
      await noteAccount({ ...deps, db: tx }, by.userId, 'invitation_accepted', client);
      return null;
    }
    if ((await findUserByEmail(tx, invitation.email)) !== undefined) throw errors.accountExists();
    const id = newId();
    await insertUser(tx, { id, email: invitation.email, passwordHash: passwordHash ?? '' }, at);
    await putMember(tx, invitation.workspaceId, id, invitation.role, at);
    await noteAccount({ ...deps, db: tx }, id, 'invitation_accepted', client);
    return startSession(tx, deps.clock, id, client);
  });
}
