import { sql } from 'kysely';
import type { Db } from '../../../src/store/database.ts';

const WRITTEN_BY_READS = /^(audit_log|api_keys|api_requests|idempotency_keys)$/;

/** Tables with a `workspace_id`, except those that read requests write to. */
async function tablesOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and a.attname = 'workspace_id' and not a.attisdropped
    order by 1`.execute(db);
  return rows.map(({ name }) => name).filter((name) => !WRITTEN_BY_READS.test(name));
}
const known = new WeakMap<Db, Promise<string[]>>();

/** A fingerprint of all data of one or every workspace, except what read requests leave behind. */
export async function printState(db: Db, workspaceId: string | null = null): Promise<string> {
  const tables = known.get(db) ?? tablesOf(db);
  known.set(db, tables);
  const own = workspaceId === null ? sql`` : sql`where workspace_id = ${workspaceId}`;
  // The sum of the rows' hashes needs no order.
  const prints = (await tables).map(
    (name) => sql`
      select ${sql.lit(name)} as name, count(*) as rows, sum(hashtextextended(t::text, 0)) as print
      from ${sql.table(name)} t ${own}`,
  );
  const { rows } = await sql`${sql.join(prints, sql` union all `)} order by 1`.execute(db);
  return rows.map((row) => JSON.stringify(row)).join('\n');
}
