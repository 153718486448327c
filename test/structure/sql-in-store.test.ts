import { expect, it } from 'vitest';
import { productFiles } from './sources.ts';

/** A query through `pg`, a fragment of Kysely, or a channel of PostgreSQL. NOTIFY and SUBSCRIBE are methods of SIP, too. */
const CHANNEL = /(\$\{\w+\}|\w+)/.source;
const SQL = [
  /\.query\s*[<(]/,
  /\bsql\s*(<[^`]*>)?\s*`/,
  /\bpg_notify\b/,
  new RegExp(`['"\`](un)?listen ${CHANNEL}['"\`]`, 'i'),
  new RegExp(`['"\`]notify ${CHANNEL}(,[^'"\`]*)?['"\`]`, 'i'),
];

const holdsSql = (text: string): boolean => SQL.some((pattern) => pattern.test(text));

it('every line of SQL is in src/store', () => {
  const found = productFiles()
    .filter(({ file, text }) => !file.startsWith('src/store/') && holdsSql(text))
    .map(({ file }) => file);
  expect(found).toEqual([]);
});

it('finds each way to run SQL, and nothing else', () => {
  for (const line of [
    "await pool.query('select 1')",
    "client.query<{ a: string }>('show a')",
    'sql`select 1`.execute(db)',
    'sql<Date>`now()`',
    'client.run(`listen ${QUEUE_CHANNEL}`)',
    "'NOTIFY queue'",
    "'select pg_notify($1)'",
  ]) {
    expect([line, holdsSql(line)]).toEqual([line, true]);
  }
  for (const line of [
    "'listen to a live call'",
    "method: 'NOTIFY'",
    'request.query.language',
    'listen(url: string)',
  ]) {
    expect([line, holdsSql(line)]).toEqual([line, false]);
  }
});
