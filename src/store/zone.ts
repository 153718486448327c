import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from './database.ts';

/** The zone of a workspace that has chosen none. */
export const NO_ZONE = 'UTC';

/** SQL: the zone by whose days a workspace counts. */
export const zoneOf = (workspaceId: string): RawBuilder<string> => sql<string>`coalesce(
  (select settings ->> 'timezone' from workspaces where id = ${workspaceId}), ${sql.lit(NO_ZONE)})`;

/** SQL: the day of the instant `at` in a zone. */
export const dayIn = (zone: RawBuilder<string>, at: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`(${at} at time zone ${zone})::date`;

/** SQL: the day by which a waiting row counts; rows of an earlier version have a UTC day alone. */
export const waitingDay = (workspaceId: string): RawBuilder<string> =>
  sql<string>`coalesce(${dayIn(zoneOf(workspaceId), sql`at`)}, day)`;

/**
 * SQL: the instant `at` is within days of the workspace's zone, both inclusive. Each day counts by what the clock of the
 * zone shows; the bounds a day wider, in UTC, let an index find the rows.
 */
export function isInDays(
  workspaceId: string,
  at: RawBuilder<unknown>,
  { firstDay, lastDay }: { readonly firstDay: string | null; readonly lastDay: string | null },
): RawBuilder<SqlBool>[] {
  const day = dayIn(zoneOf(workspaceId), at);
  const bound = (of: string, added: number): RawBuilder<unknown> =>
    sql`(${of}::date + ${sql.lit(added)})::timestamp at time zone 'UTC'`;
  return [
    ...(firstDay === null
      ? []
      : [sql<SqlBool>`${at} >= ${bound(firstDay, -1)}`, sql<SqlBool>`${day} >= ${firstDay}::date`]),
    ...(lastDay === null
      ? []
      : [sql<SqlBool>`${at} < ${bound(lastDay, 2)}`, sql<SqlBool>`${day} <= ${lastDay}::date`]),
  ];
}

export async function readZone(db: Db, workspaceId: string): Promise<string> {
  const { rows } = await sql<{ zone: string }>`select ${zoneOf(workspaceId)} as zone`.execute(db);
  return rows[0]?.zone ?? NO_ZONE;
}

/** Whether the database knows the zone: its rules may be older than those of the service. */
export async function isKnownZone(db: Db, zone: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where name = ${zone}`.execute(db);
  return rows.length > 0;
}
