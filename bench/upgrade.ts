import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { splitMonths } from '../src/cli/split-months.ts';
import { silentLog } from '../src/shared/log.ts';
import { EmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { migrate, readMigrations } from '../src/store/migrate.ts';
import { heading, saveResult, table } from './report.ts';

/** The time that each migration after the baseline takes over `--calls` calls with attempts, records, events and money. */
const { values: args } = parseArgs({
  options: { calls: { type: 'string', default: '1000000' }, save: { type: 'boolean', default: false } },
});
const calls = Number(args.calls);
const MILLION = 1_000_000;
const MIGRATIONS = join(import.meta.dirname, '../src/store/migrations');

/** Rows of the schema of the baseline: a thousand workspaces, a call a second. */
const SEED = [
  `insert into workspaces (id, name, created_at, updated_at)
   select gen_random_uuid(), 'workspace ' || i, now(), now() from generate_series(1, 1000) i`,
  'alter table calls disable trigger user',
  `insert into calls (workspace_id, id, agent_id, version_id, call_type, from_number, to_number, callee_name, status, sub_status,
     attempt, created_at, updated_at, dialed_at, ended_at, duration_ms)
   select w.ids[1 + i % 1000], uuidv7(t.at - now()), w.ids[1], w.ids[2], 'outbound', '+14155550100',
     '+1212' || lpad((i % 10000000)::text, 7, '0'), 'Priya', 'completed', 'USER_LEFT', 1, t.at, t.at, t.at, t.at, 60000
   from (select array_agg(id) as ids from workspaces) w, generate_series(1, $1::int) i,
     lateral (select now() - ($1::int - i) * interval '1 second' as at) t`,
  'alter table calls enable trigger user',
  `insert into call_attempts (workspace_id, call_id, attempt, node_id, status, sub_status, claimed_at, ended_at, to_number)
   select workspace_id, id, 1, version_id, 'ended', sub_status, created_at, ended_at, to_number from calls`,
  `insert into call_records (workspace_id, call_id, transcript, updated_at)
   select workspace_id, id, '[{"role":"agent","text":"Hello, this is a reminder of your appointment."}]', created_at from calls`,
  `insert into ledger (workspace_id, call_id, attempt, kind, amount, at)
   select workspace_id, id, 1, kind, 1000000, created_at from calls, unnest(array['lock', 'charge']) kind`,
  `insert into events (workspace_id, id, call_id, dedup, event_type, body, occurred_at)
   select workspace_id, gen_random_uuid(), id, type, type, '{"event_type":"call_completed"}', created_at
   from calls, unnest(array['call_started', 'call_completed']) type`,
  `insert into chats (workspace_id, id, agent_id, version_id, channel, customer, created_at, ends_at)
   select workspace_id, id, agent_id, version_id, 'test', to_number, created_at, created_at from calls limit $1::int / 10`,
];

const dataDir = await mkdtemp(join(tmpdir(), 'callwright-bench-'));
const postgres = new EmbeddedPostgres({ dataDir, log: silentLog });
try {
  const url = await postgres.start();
  const folder = join(dataDir, 'migrations');
  await mkdir(folder);
  const [baseline, ...later] = (await readMigrations()).map(({ name }) => name);
  if (baseline === undefined) throw new Error('there is no baseline');
  await copyFile(join(MIGRATIONS, baseline), join(folder, baseline));
  await migrate(url, folder);
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  for (const text of SEED) {
    process.stderr.write(`${text.trim().slice(0, 40)}\n`);
    await client.query(text, text.includes('$1') ? [calls] : []);
  }
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  const { rows: sizes } = await client.query<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  );
  await client.end();
  const times: { name: string; ms: number }[] = [];
  for (const name of later) {
    await copyFile(join(MIGRATIONS, name), join(folder, name));
    const from = performance.now();
    await migrate(url, folder);
    times.push({ name, ms: performance.now() - from });
  }
  const splitFrom = performance.now();
  await splitMonths(url, new Date(), () => undefined);
  const splitMs = performance.now() - splitFrom;
  const total = times.reduce((sum, { ms }) => sum + ms, 0);
  const text = [
    heading(
      'Upgrade',
      `migrations after the baseline over ${calls} calls with an attempt, a record, two events and two movements of money each, and a chat for every tenth: ${((sizes[0]?.bytes ?? 0) / 1e9).toFixed(1)} GB; PostgreSQL with fsync and default memory`,
    ),
    table(
      ['migration', 'ms'],
      times.map(({ name, ms }) => [name, ms.toFixed(0)]),
    ),
    `Together ${(total / 1000).toFixed(1)} s: ${((total / 1000) * (MILLION / calls)).toFixed(1)} s for each million calls.`,
    '',
    `\`callwright split-months\` afterwards: ${(splitMs / 1000).toFixed(1)} s, beside the service.`,
  ].join('\n');
  console.log(text);
  if (args.save) saveResult('upgrade', text);
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);
