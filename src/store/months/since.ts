import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** The value of the installation that names the first day of kept calls; absent: all are kept. */
export const CALLS_SINCE = 'calls_since';

/** SQL: rows of a day sum whose calls are kept. The day is read once. */
export const ofKeptDays: RawBuilder<SqlBool> = sql<SqlBool>`day >= coalesce(
  (select value::date from installation where key = ${sql.lit(CALLS_SINCE)}), '-infinity')`;

/**
 * Before the months of the installation's values that note one whose earlier calls are all over. Each value is the least id of its month,
 * and was made when that was noticed.
 */
export const OVER_BEFORE = 'over_before:';

const FIRST = sql.lit('00000000-0000-0000-0000-000000000000');

/** SQL: the least id that a waiting or live call may have. */
export const openSince: RawBuilder<string> = sql<string>`coalesce(
  (select max(value) from installation where key like ${sql.lit(`${OVER_BEFORE}%`)}), ${FIRST})`;

/** SQL: the least id of a call that may have an attempt since `at`. */
export const attemptedSince = (at: Date | null): RawBuilder<string> => sql<string>`(select coalesce(
  (select max(value) from installation where key like ${sql.lit(`${OVER_BEFORE}%`)}
     and created_at <= ${at}::timestamptz), ${FIRST})::uuid)`;
