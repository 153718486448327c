import { sql, type RawBuilder } from 'kysely';
import type { Db } from './database.ts';

/**
 * What the database shows of its key: the stored check value and one sealed secret, null where it has none. Also reads a
 * database that an older version set up, in which some of the tables do not exist yet.
 */
export async function keyEvidence(
  db: Db,
  checkKey: string,
): Promise<{ readonly check: string | null; readonly sealed: string | null }> {
  const first = (query: RawBuilder<{ value: string }>): Promise<string | null> =>
    query.execute(db).then(
      ({ rows }) => rows[0]?.value ?? null,
      (error: unknown) => {
        if (UNKNOWN_TABLE.has((error as { code?: string }).code ?? '')) return null;
        throw error;
      },
    );
  const check = await first(sql`select value from installation where key = ${checkKey}`);
  const password = await first(sql`select settings ->> 'password' as value from trunks
    where settings ->> 'password' like 'sealed:%' limit 1`);
  const sealed =
    password ??
    (await first(sql`select secret as value from webhook_secrets where secret like 'sealed:%' limit 1`));
  return { check, sealed };
}

/** SQLSTATE of an undefined table and of an undefined column. */
const UNKNOWN_TABLE: ReadonlySet<string> = new Set(['42P01', '42703']);

export interface InstallationValue {
  readonly value: string;
  readonly createdAt: Date;
}

/** A secret or setting of the installation: the stored value, or the result of `make`, stored on first use. */
export async function installationValue(
  db: Db,
  key: string,
  make: () => string,
  now: Date,
): Promise<InstallationValue> {
  await db
    .insertInto('installation')
    .values({ key, value: make(), created_at: now })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return db
    .selectFrom('installation')
    .select(['value', 'created_at as createdAt'])
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
}

/** The stored value; null: none. */
export async function findInstallationValue(db: Db, key: string): Promise<InstallationValue | null> {
  const row = await db
    .selectFrom('installation')
    .select(['value', 'created_at as createdAt'])
    .where('key', '=', key)
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteInstallationValue(db: Db, key: string): Promise<void> {
  await db.deleteFrom('installation').where('key', '=', key).execute();
}
