import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { Role } from '../schema.ts';

export interface MemberRow {
  userId: string;
  email: string;
  role: Role;
  totpEnabled: boolean;
  createdAt: Date;
}

export function listMembers(db: Db, workspaceId: string): Promise<MemberRow[]> {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select([
      'm.user_id as userId',
      'u.email',
      'm.role',
      'u.totp_enabled as totpEnabled',
      'm.created_at as createdAt',
    ])
    .where('m.workspace_id', '=', workspaceId)
    .orderBy('m.created_at')
    .orderBy('m.user_id')
    .execute();
}

/** Locks the workspace, which serialises changes of its members, and returns their roles. */
export async function lockMembers(tx: Tx, workspaceId: string): Promise<Map<string, Role>> {
  await sql`select id from workspaces where id = ${workspaceId} for no key update`.execute(tx);
  const rows = await tx
    .selectFrom('memberships')
    .select(['user_id', 'role'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  return new Map(rows.map((row) => [row.user_id, row.role]));
}

export async function putMember(
  tx: Tx,
  workspaceId: string,
  userId: string,
  role: Role,
  at: Date,
): Promise<void> {
  await tx
    .insertInto('memberships')
    .values({ workspace_id: workspaceId, user_id: userId, role, created_at: at })
    .onConflict((c) => c.columns(['workspace_id', 'user_id']).doUpdateSet({ role }))
    .execute();
}

export async function deleteMember(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('memberships')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute();
}

export interface InvitationRow {
  id: string;
  workspaceId: string;
  workspaceName: string;
  email: string;
  role: Role;
  createdAt: Date;
  expiresAt: Date;
}
const INVITATION = [
  'i.id',
  'i.workspace_id as workspaceId',
  'w.name as workspaceName',
  'i.email',
  'i.role',
  'i.created_at as createdAt',
  'i.expires_at as expiresAt',
] as const;

/** Invitations that are open at `now`. */
export function listInvitations(db: Db, workspaceId: string, now: Date): Promise<InvitationRow[]> {
  return db
    .selectFrom('invitations as i')
    .innerJoin('workspaces as w', 'w.id', 'i.workspace_id')
    .select(INVITATION)
    .where('i.workspace_id', '=', workspaceId)
    .where('i.expires_at', '>', now)
    .orderBy('i.created_at')
    .orderBy('i.id')
    .execute();
}

export function findInvitation(db: Db, tokenHash: string, now: Date): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('invitations as i')
    .innerJoin('workspaces as w', 'w.id', 'i.workspace_id')
    .select(INVITATION)
    .where('i.token_hash', '=', tokenHash)
    .where('i.expires_at', '>', now)
    .executeTakeFirst();
}

/** Creates the invitation; a new one to the same address replaces the old, whose link is then invalid. */
export async function putInvitation(
  tx: Tx,
  invitation: {
    id: string;
    workspaceId: string;
    email: string;
    role: Role;
    tokenHash: string;
    invitedBy: string;
    expiresAt: Date;
  },
  at: Date,
): Promise<void> {
  await sql`delete from invitations where workspace_id = ${invitation.workspaceId}
    and lower(email) = ${invitation.email.toLowerCase()}`.execute(tx);
  await tx
    .insertInto('invitations')
    .values({
      id: invitation.id,
      workspace_id: invitation.workspaceId,
      email: invitation.email,
      role: invitation.role,
      token_hash: invitation.tokenHash,
      invited_by: invitation.invitedBy,
      created_at: at,
      expires_at: invitation.expiresAt,
    })
    .execute();
}

/** Withdraws the invitation; false: there is none. */
export async function deleteInvitation(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('invitations')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Makes the user the owner of every root workspace that has none; returns their ids. */
export async function adoptOwnerless(tx: Tx, userId: string, at: Date): Promise<string[]> {
  const { rows } = await sql<{ workspace_id: string }>`
    insert into memberships (workspace_id, user_id, role, created_at)
    select w.id, ${userId}, 'owner', ${at} from workspaces w
    where w.parent_id is null
      and not exists (select from memberships m where m.workspace_id = w.id and m.role = 'owner')
    on conflict (workspace_id, user_id) do update set role = 'owner'
    returning workspace_id`.execute(tx);
  return rows.map((row) => row.workspace_id);
}
