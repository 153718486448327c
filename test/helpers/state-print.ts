import { sql } from 'kysely';
import type { Db } from '../../src/store/database.ts';

const WRITTEN_BY_READS = /^(audit_log|api_keys|idempotency_keys)$/;

/** A fingerprint of all data of one or every workspace, except what read requests leave behind. */
export async function printState(db: Db, workspaceId: string | null = null): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'workspace_id' order by 1`.execute(db);
  const prints: string[] = [];
  for (const { name } of tables.filter((table) => !WRITTEN_BY_READS.test(table.name))) {
    const { rows } = await sql<{ print: string | null }>`
      select md5(string_agg(t::text, E'\\n' order by t::text)) as print from ${sql.table(name)} t
      where workspace_id = ${workspaceId} or ${workspaceId === null}`.execute(db);
    prints.push(`${name} ${rows[0]?.print}`);
  }
  return prints.join('\n');
}
