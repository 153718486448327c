import type { Db } from '../database.ts';
import { runHot } from '../plans.ts';
import type { JsonObject } from '../schema.ts';
import { settingsOf } from './terms.ts';

export interface KeyOwner {
  workspaceId: string;
  settings: JsonObject;
  shownPrefix: string;
  shownLast4: string;
}

/** The workspace of the key with this SHA-256; null: no such key. */
export async function findKeyOwner(db: Db, keyHash: string): Promise<KeyOwner | null> {
  const query = db
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .select([
      'workspaces.id',
      settingsOf('workspaces').as('settings'),
      'api_keys.shown_prefix',
      'api_keys.shown_last4',
    ])
    .where('api_keys.key_hash', '=', keyHash);
  const [row] = await runHot(db, 'key_owner', query);
  return row === undefined
    ? null
    : {
        workspaceId: row.id,
        settings: row.settings,
        shownPrefix: row.shown_prefix,
        shownLast4: row.shown_last4,
      };
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

/** Makes `key` the workspace's only key; the previous one is invalid from this statement on. */
export async function replaceKey(db: Db, workspaceId: string, key: StoredKey, at: Date): Promise<void> {
  const values = { key_hash: key.keyHash, shown_prefix: key.shownPrefix, shown_last4: key.shownLast4 };
  await db
    .insertInto('api_keys')
    .values({ workspace_id: workspaceId, ...values, created_at: at })
    .onConflict((c) =>
      c.column('workspace_id').doUpdateSet({ ...values, created_at: at, last_used_at: null }),
    )
    .execute();
}

export async function touchKey(db: Db, workspaceId: string, at: Date): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: at })
    .where('workspace_id', '=', workspaceId)
    .where((e) => e.or([e('last_used_at', 'is', null), e('last_used_at', '<', at)]))
    .execute();
}
