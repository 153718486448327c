import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { Role } from '../schema.ts';
import { NO_ZONE } from '../zone.ts';

export interface UserRow {
  id: string;
  email: string;
  passwordHash: string;
  totpSecret: string | null;
  totpEnabled: boolean;
  totpStep: number;
  recoveryCodes: string[];
  isOperator: boolean;
}
const COLUMNS = [
  'id',
  'email',
  'password_hash as passwordHash',
  'totp_secret as totpSecret',
  'totp_enabled as totpEnabled',
  'totp_step as totpStep',
  'recovery_codes as recoveryCodes',
  'is_operator as isOperator',
] as const;

export function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .select(COLUMNS)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
}

export function findUserById(db: Db, userId: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').select(COLUMNS).where('id', '=', userId).executeTakeFirst();
}

export async function hasUser(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export async function insertUser(
  tx: Tx,
  user: { id: string; email: string; passwordHash: string },
  at: Date,
): Promise<void> {
  await tx
    .insertInto('users')
    .values({ id: user.id, email: user.email, password_hash: user.passwordHash, created_at: at })
    .execute();
}

/** Makes these people, by their e-mail addresses in lower case, the operators of the installation, and no others. */
export async function setOperators(tx: Tx, emails: readonly string[]): Promise<void> {
  await sql`
    update users set is_operator = not is_operator
    where is_operator <> (lower(email) = any (${[...emails]}::text[]))`.execute(tx);
}

export async function makeOperator(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('users').set({ is_operator: true }).where('id', '=', userId).execute();
}

export async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
}

/** Accepts the codes of a time step once: false if this or a later step was accepted before. */
export async function takeTotpStep(db: Db, userId: string, step: number): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ totp_step: step })
    .where('id', '=', userId)
    .where('totp_step', '<', step)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Uses up a recovery code; false: the user has no such code. */
export async function takeRecoveryCode(db: Db, userId: string, codeHash: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update users set recovery_codes = array_remove(recovery_codes, ${codeHash})
    where id = ${userId} and ${codeHash} = any (recovery_codes)`.execute(db);
  return numAffectedRows === 1n;
}

export async function setTotp(
  db: Db,
  userId: string,
  totp: { secret: string | null; isEnabled: boolean; step: number; recoveryCodes: readonly string[] },
): Promise<void> {
  await db
    .updateTable('users')
    .set({
      totp_secret: totp.secret,
      totp_enabled: totp.isEnabled,
      totp_step: totp.step,
      recovery_codes: [...totp.recoveryCodes],
    })
    .where('id', '=', userId)
    .execute();
}

export interface UserWorkspace {
  id: string;
  name: string;
  parentId: string | null;
  timezone: string;
  country: string | null;
  role: Role;
}

/** The workspaces of the user and their children, parents first, with the strongest role. */
export async function listUserWorkspaces(db: Db, userId: string): Promise<UserWorkspace[]> {
  const { rows } = await sql<UserWorkspace>`
    select distinct on (coalesce(w.parent_id, w.id), w.parent_id is not null, w.created_at, w.id)
      w.id, w.name, w.parent_id as "parentId", m.role,
      coalesce(w.settings ->> 'timezone', ${sql.lit(NO_ZONE)}) as timezone, w.settings ->> 'country' as country
    from memberships m join workspaces w on m.workspace_id in (w.id, w.parent_id)
    where m.user_id = ${userId} and w.archived_at is null
    order by coalesce(w.parent_id, w.id), w.parent_id is not null, w.created_at, w.id,
      array_position(array['owner', 'manager', 'viewer'], m.role)`.execute(db);
  return rows;
}
