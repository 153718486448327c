import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { silentLog } from '../src/shared/log.ts';
import { EmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';

/** Begins each line of the log that has a statement, and is in no statement. */
const MARK = '@@';

export interface Statements {
  /** A minute. */
  readonly all: number;
  /** The same by the name of the connection. */
  readonly by: ReadonlyMap<string, number>;
}

const logsIn = (dataDir: string): string =>
  readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.log'))
    .map((path) => readFileSync(join(dataDir, path), 'utf8'))
    .join('\n');

/** Counts the statements in the log of the embedded database of a running service for so many seconds. */
export async function countStatements(dataDir: string, seconds: number): Promise<Statements> {
  const url = await new EmbeddedPostgres({ dataDir, log: silentLog, joinsOnly: true }).start();
  const client = new Client({ connectionString: url, application_name: 'bench' });
  await client.connect();
  await client.query(`alter system set log_line_prefix = '${MARK}%a|'`);
  await client.query("alter system set log_statement = 'all'");
  await client.query('select pg_reload_conf()');
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  await client.query('alter system reset log_statement');
  await client.query('alter system reset log_line_prefix');
  await client.query('select pg_reload_conf()');
  await client.end();
  const by = new Map<string, number>();
  let all = 0;
  for (const entry of logsIn(dataDir).split(MARK).slice(1)) {
    const [name = '', text = ''] = entry.split('|', 2);
    if (name === 'bench' || !/^LOG:\s+(?:statement|execute)/.test(text)) continue;
    all += 60 / seconds;
    by.set(name, (by.get(name) ?? 0) + 60 / seconds);
  }
  return { all, by };
}
