import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { JsonObject } from '../schema.ts';

export async function readSettings(db: Db, workspaceId: string): Promise<JsonObject> {
  const row = await db
    .selectFrom('workspaces')
    .select('settings')
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  return row?.settings ?? {};
}

/** Merges the given keys into the settings. */
export async function mergeSettings(tx: Tx, workspaceId: string, change: object, at: Date): Promise<void> {
  await sql`
    update workspaces set updated_at = ${at}, settings = settings || ${JSON.stringify(change)}::jsonb
    where id = ${workspaceId}`.execute(tx);
}

/** Removes a key of the settings. */
export async function dropSetting(tx: Tx, workspaceId: string, key: string): Promise<void> {
  await sql`update workspaces set settings = settings - ${key}::text where id = ${workspaceId}`.execute(tx);
}
