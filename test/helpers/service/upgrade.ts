import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { inject } from 'vitest';
import { randomToken } from '../../../src/shared/ids.ts';
import { migrate } from '../../../src/store/migrate.ts';
import type { Answered } from '../api/upgrade-answers.ts';
import { PUBLIC_URL } from '../api/upgrade-answers.ts';
import { startService, type Service } from './service.ts';
import { LOOPBACK_OPEN } from './open-addresses.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');
const unpack = promisify(brotliDecompress);

/** The fixture's keys and ids, and the responses of its API before it was stopped. */
export interface Expected {
  readonly madeAt: string;
  readonly keys: { readonly riverside: string; readonly clinic: string };
  /** Host and port of the receiver of webhooks and tool requests. */
  readonly receiver: string;
  /** Host and port of the carrier of its trunk. */
  readonly carrier: string;
  readonly inboundNumber: string;
  readonly agents: Readonly<Record<'reminders' | 'followUp' | 'survey' | 'night' | 'desk', string>>;
  readonly campaigns: Readonly<Record<'completed' | 'paused' | 'scheduled' | 'draft', string>>;
  /** A request with an Idempotency-Key, and its response. */
  readonly kept: {
    readonly path: string;
    readonly key: string;
    readonly body: unknown;
    readonly answer: unknown;
  };
  readonly answers: readonly Answered[];
}

/** Synchronous, because test titles depend on it. */
export const readExpected = (fixture: string): Expected => JSON.parse(expectedText(fixture)) as Expected;
const expectedText = (fixture: string): string =>
  readFileSync(join(FIXTURES, fixture, 'expected.json'), 'utf8');

/** Host and port of the test's receiver and carrier, which replace those of the fixture. */
export interface Places {
  readonly receiver: string;
  readonly carrier: string;
}

/** An installation of an earlier version: its database before migration, and its data folder. */
export interface Installation {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly expected: Expected;
  /** Starts the program of this checkout on the database and data folder. */
  start(env?: Record<string, string>): Promise<Service>;
  dispose(): Promise<void>;
}

/** Restores a fixture into a new database and data folder. */
export async function restore(fixture: string, places: Places): Promise<Installation> {
  const made = readExpected(fixture);
  const moved = (text: string): string =>
    text
      .replaceAll(new RegExp(`${made.receiver}(?!\\d)`, 'g'), places.receiver)
      .replaceAll(new RegExp(`${made.carrier}(?!\\d)`, 'g'), places.carrier);
  const expected = JSON.parse(moved(expectedText(fixture))) as Expected;
  const packed = await readFile(join(FIXTURES, fixture, 'rows.copy.br'));
  const rows = parseRows(moved((await unpack(packed)).toString()));
  const databaseUrl = await emptyDatabase();
  // The rows include the list of applied migrations, which replaces that of the baseline.
  await migrateToBaseline(databaseUrl);
  await load(databaseUrl, rows);
  const dataDir = await mkdtemp(join(tmpdir(), 'callwright-upgrade-'));
  await putFiles(join(FIXTURES, fixture, 'files'), dataDir);
  return {
    databaseUrl,
    dataDir,
    expected,
    start: (env = {}) =>
      startService({
        dataDir,
        key: made.keys.riverside,
        env: {
          DATABASE_URL: databaseUrl,
          PUBLIC_URL,
          SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
          RING_TIMEOUT_SECONDS: '5',
          // Longer than the default: the fixture's deliveries must not be pruned.
          WEBHOOK_LOG_DAYS: '3650',
          ...env,
        },
      }),
    dispose: () => rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}

const BASELINE = join(import.meta.dirname, '../../../src/store/migrations/0001_baseline.sql');

/** Applies the baseline alone, as a version without later migrations would; returns the names of the applied files. */
export async function migrateToBaseline(databaseUrl: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'callwright-baseline-'));
  try {
    await copyFile(BASELINE, join(folder, basename(BASELINE)));
    return await migrate(databaseUrl, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Rows {
  /** Per table, its COPY statement and its rows. */
  readonly tables: readonly { readonly name: string; readonly copy: string; readonly lines: string }[];
  readonly statements: readonly string[];
}

const COPY = /^copy (\S+) \(.+\) from stdin;\n/;
const END = '\n\\.\n';

function parseRows(text: string): Rows {
  const tables: Rows['tables'][number][] = [];
  let rest = text;
  for (let head = COPY.exec(rest); head !== null; head = COPY.exec(rest)) {
    const [copy, name = ''] = head;
    const end = rest.indexOf(END, copy.length);
    tables.push({ name, copy: copy.trim(), lines: rest.slice(copy.length, end + 1) });
    rest = rest.slice(end + END.length);
  }
  return { tables, statements: rest.split('\n').filter((line) => line !== '') };
}

/** The names of the migrations that the database lists as applied. */
export async function appliedMigrations(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select name from migrations order by name');
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Creates a database without tables; returns its URL. */
export async function emptyDatabase(): Promise<string> {
  const { url } = inject('postgres');
  const name = `upgrade_${randomToken(12).toLowerCase()}`;
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return url.replace(/[^/]+$/, name);
}

/** Loads the rows in one transaction with triggers and foreign keys disabled: the rows already contain their effects. */
async function load(url: string, { tables, statements }: Rows): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    const { rows: known } = await client.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    );
    await client.query(`truncate ${known.map(({ name }) => name).join(', ')}`);
    for (const { copy, lines } of tables) {
      const stream = client.query(copyFrom(copy));
      stream.end(lines);
      await once(stream, 'finish');
    }
    for (const statement of statements) await client.query(statement);
    // Stored responses expire after a day; keep them valid whenever the test runs.
    await client.query('update idempotency_keys set created_at = now()');
    await client.query('commit');
  } finally {
    await client.end();
  }
}

async function putFiles(folder: string, dataDir: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const from = join(entry.parentPath, entry.name);
    const to = join(dataDir, relative(folder, from).replace(/\.br$/, ''));
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await writeFile(to, await unpack(await readFile(from)), { mode: 0o600 });
  }
}

export interface RecordedRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
}

/** Starts a server that records every webhook and tool request and returns 200. */
export async function startRecorder(): Promise<{
  address: string;
  requests: RecordedRequest[];
  close(): Promise<void>;
}> {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      requests.push({ url, headers, raw: Buffer.concat(chunks).toString() });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ slots: [{ time: 'ten in the morning' }] }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    address: `127.0.0.1:${port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
