import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { StoredKey } from './keys.ts';

/** A named key as its owner sees it. */
export interface NamedKeyRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: string[];
  readonly expiresAt: Date | null;
  readonly allowedAddresses: string[] | null;
  readonly shownPrefix: string;
  readonly shownLast4: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  /** As the audit log names people. */
  readonly madeBy: string | null;
}

/** Oldest first, with those that have expired. */
export async function listNamedKeys(db: Db, workspaceId: string): Promise<NamedKeyRow[]> {
  const { rows } = await sql<NamedKeyRow>`
    select id, name, scopes, expires_at as "expiresAt", allowed_addresses as "allowedAddresses",
      shown_prefix as "shownPrefix", shown_last4 as "shownLast4", created_at as "createdAt",
      last_used_at as "lastUsedAt", made_by as "madeBy"
    from api_keys where workspace_id = ${workspaceId} and name is not null
    order by created_at, id`.execute(db);
  return rows;
}

/** Of a new key; the rest follows from its use. */
export type NewNamedKey = Omit<NamedKeyRow, 'createdAt' | 'lastUsedAt' | 'shownPrefix' | 'shownLast4'> &
  StoredKey;

/** False: the workspace has a key of the name, in any case. */
export async function insertNamedKey(
  tx: Tx,
  workspaceId: string,
  key: NewNamedKey,
  at: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into api_keys (workspace_id, id, key_hash, shown_prefix, shown_last4, created_at, name, scopes, expires_at,
      allowed_addresses, made_by)
    values (${workspaceId}, ${key.id}, ${key.keyHash}, ${key.shownPrefix}, ${key.shownLast4}, ${at}, ${key.name},
      ${key.scopes}, ${key.expiresAt}, ${key.allowedAddresses}, ${key.madeBy})
    on conflict (workspace_id, lower(name)) where name is not null do nothing`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** False: the workspace has no such named key. */
export async function deleteNamedKey(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from api_keys where workspace_id = ${workspaceId} and id = ${id} and name is not null`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}
