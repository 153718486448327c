import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** The value of the installation that names the first day of kept calls; absent: all are kept. */
export const CALLS_SINCE = 'calls_since';

/** SQL: rows of a day sum whose calls are kept. The day is read once. */
export const ofKeptDays: RawBuilder<SqlBool> = sql<SqlBool>`day >= coalesce(
  (select value::date from installation where key = ${sql.lit(CALLS_SINCE)}), '-infinity')`;
