import { newId } from '../../shared/ids.ts';
import type { Db } from '../database.ts';
import { runHot } from '../plans.ts';
import type { JsonObject } from '../schema.ts';
import { settingsOf } from '../terms.ts';

/** A key, and the workspace that it opens. */
export interface KeyOwner {
  readonly keyId: string;
  readonly workspaceId: string;
  readonly settings: JsonObject;
  /** Null: the key of the workspace, which has no scopes either. */
  readonly name: string | null;
  readonly scopes: readonly string[] | null;
  readonly expiresAt: Date | null;
  /** Null: any. */
  readonly allowedAddresses: readonly string[] | null;
  readonly shownPrefix: string;
  readonly shownLast4: string;
}

/** The owner of the key with this SHA-256; null: no such key. */
export async function findKeyOwner(db: Db, keyHash: string): Promise<KeyOwner | null> {
  const query = db
    .selectFrom('api_keys as k')
    .innerJoin('workspaces as w', 'w.id', 'k.workspace_id')
    .select([
      'k.id as keyId',
      'w.id as workspaceId',
      settingsOf('w').as('settings'),
      'k.name',
      'k.scopes',
      'k.expires_at as expiresAt',
      'k.allowed_addresses as allowedAddresses',
      'k.shown_prefix as shownPrefix',
      'k.shown_last4 as shownLast4',
    ])
    .where('k.key_hash', '=', keyHash);
  const [row] = await runHot(db, 'key_owner', query);
  return row ?? null;
}

export interface StoredKey {
  keyHash: string;
  shownPrefix: string;
  shownLast4: string;
}

export async function findKey(db: Db, workspaceId: string): Promise<StoredKey | null> {
  const row = await db
    .selectFrom('api_keys')
    .select(['key_hash', 'shown_prefix', 'shown_last4'])
    .where('workspace_id', '=', workspaceId)
    .where('name', 'is', null)
    .executeTakeFirst();
  return row === undefined
    ? null
    : { keyHash: row.key_hash, shownPrefix: row.shown_prefix, shownLast4: row.shown_last4 };
}

export interface ShownKey {
  shownPrefix: string;
  shownLast4: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export async function findShownKey(db: Db, workspaceId: string): Promise<ShownKey | null> {
  const row = await db
    .selectFrom('api_keys')
    .select(['shown_prefix', 'shown_last4', 'created_at', 'last_used_at'])
    .where('workspace_id', '=', workspaceId)
    .where('name', 'is', null)
    .executeTakeFirst();
  return row === undefined
    ? null
    : {
        shownPrefix: row.shown_prefix,
        shownLast4: row.shown_last4,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
      };
}

/** Makes `key` the key of the workspace; the previous one is invalid from this statement on. Named keys stay. */
export async function replaceKey(db: Db, workspaceId: string, key: StoredKey, at: Date): Promise<void> {
  // Another id: what the previous key began ends with it.
  const id = newId();
  const values = { id, key_hash: key.keyHash, shown_prefix: key.shownPrefix, shown_last4: key.shownLast4 };
  await db
    .insertInto('api_keys')
    .values({ workspace_id: workspaceId, ...values, created_at: at })
    .onConflict((c) =>
      c
        .column('workspace_id')
        .where('name', 'is', null)
        .doUpdateSet({ ...values, created_at: at, last_used_at: null }),
    )
    .execute();
}

export async function touchKey(
  db: Db,
  key: Pick<KeyOwner, 'workspaceId' | 'keyId'>,
  at: Date,
): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: at })
    .where('workspace_id', '=', key.workspaceId)
    .where('id', '=', key.keyId)
    .where((e) => e.or([e('last_used_at', 'is', null), e('last_used_at', '<', at)]))
    .execute();
}
