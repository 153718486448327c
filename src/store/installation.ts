import { sql } from 'kysely';
import type { Db } from './database.ts';

/** One sealed secret of the database, for a check of the key; null: none is stored. */
export async function anySealed(db: Db): Promise<string | null> {
  const { rows } = await sql<{ sealed: string }>`
    (select settings ->> 'password' as sealed from trunks where settings ->> 'password' like 'sealed:%' limit 1) union all
    (select secret from webhook_secrets where secret like 'sealed:%' limit 1)`.execute(db);
  return rows[0]?.sealed ?? null;
}

/** A secret or setting of the installation: the stored value, or the result of `make`, stored on first use. */
export async function installationValue(db: Db, key: string, make: () => string, now: Date): Promise<string> {
  await db
    .insertInto('installation')
    .values({ key, value: make(), created_at: now })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return row.value;
}

/** The stored value; null: none. */
export async function findInstallationValue(db: Db, key: string): Promise<string | null> {
  const row = await db.selectFrom('installation').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

export async function deleteInstallationValue(db: Db, key: string): Promise<void> {
  await db.deleteFrom('installation').where('key', '=', key).execute();
}
