import type { Db } from './database.ts';

/** A secret or setting of the installation: the stored value, or `make`'s the first time anyone asks. */
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
