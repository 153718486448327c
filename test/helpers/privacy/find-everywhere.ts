import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Db } from '../../../src/store/database.ts';

/** Location of a hit: `table.column`, or a file in the data folder. */
export type Place = string;

const GZIP = 0x1f8b;
const readable = (bytes: Buffer): string =>
  (bytes.length > 2 && bytes.readUInt16BE(0) === GZIP ? gunzipSync(bytes) : bytes).toString('latin1') +
  bytes.toString();

/**
 * Searches for the marks in every column of every table in the catalog, compressed bytes
 * included, and returns the locations. Encrypted values are not decrypted.
 */
export async function findInDatabase(
  db: Db,
  marks: Readonly<Record<string, string>>,
): Promise<Record<string, Place[]>> {
  const { rows: columns } = await sql<{ table: string; column: string; type: string }>`
    select c.table_name as "table", c.column_name as "column", c.data_type as type
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema not in ('pg_catalog', 'information_schema') and t.table_type = 'BASE TABLE'
    order by 1, 2`.execute(db);
  const found: Record<string, Place[]> = {};
  for (const { table, column, type } of columns) {
    const isBytes = type === 'bytea';
    const { rows } = await sql<{ value: string | Buffer | null }>`
      select ${isBytes ? sql.ref(column) : sql`${sql.ref(column)}::text`} as value from ${sql.table(table)}`.execute(
      db,
    );
    const text = rows
      .map(({ value }) => (Buffer.isBuffer(value) ? readable(value) : (value ?? '')))
      .join('\n');
    for (const [name, mark] of Object.entries(marks)) {
      if (text.includes(mark)) (found[name] ??= []).push(`${table}.${column}`);
    }
  }
  return found;
}

/** Files below the folder with one of the marks in their name or content. */
export async function findInFiles(
  folder: string,
  marks: Readonly<Record<string, string>>,
): Promise<Record<string, Place[]>> {
  const found: Record<string, Place[]> = {};
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    // A file may be deleted during the search.
    const bytes = await readFile(join(folder, path)).catch(() => Buffer.alloc(0));
    const text = `${path}\n${readable(bytes)}`;
    for (const [name, mark] of Object.entries(marks)) {
      if (text.includes(mark)) (found[name] ??= []).push(path);
    }
  }
  return found;
}
