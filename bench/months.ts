import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { silentLog } from '../src/shared/log.ts';
import { openDatabase } from '../src/store/database.ts';
import { EmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { migrate } from '../src/store/migrate.ts';
import { dropBefore, partsOfCalls } from '../src/store/months/upkeep.ts';
import { startService, type Service } from '../test/helpers/service/service.ts';
import { BENCH_KEY, seed } from './api/seed.ts';
import { claimCosts, splitSince } from './months/claims.ts';
import { routesOf, timesOf } from './months/routes.ts';
import { boundsText, heading, saveResult, table, type Bound } from './report.ts';

/**
 * A database that is split by month: `--millions` calls over `--months` months, with attempts and records. Times history,
 * details and analytics, and the end of a month; then claims, against a database that is not split.
 */
const { values: args } = parseArgs({
  options: {
    millions: { type: 'string', default: '5' },
    months: { type: 'string', default: '12' },
    requests: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '8' },
    save: { type: 'boolean', default: false },
  },
});
const [millions, months] = [Number(args.millions), Number(args.months)];
const days = months * 30;
const DROP_MS = 1_000;
/** On two cores, as in `bench:campaign -- claims`. */
const MIN_CLAIMS = 1_700;
const note = (text: string): void => void process.stderr.write(`${text}\n`);
const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
const median = (values: readonly number[]): number =>
  at(
    values.toSorted((a, b) => a - b),
    0.5,
  );

/** An attempt and a record for each call, month by month. */
async function addAttempts(url: string): Promise<{ bytes: number; parts: number }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const database = openDatabase(url, { maxConnections: 1 });
  const parts = await partsOfCalls(database.kysely);
  await database.close();
  for (const { name } of parts) {
    await client.query(
      `insert into call_attempts (workspace_id, call_id, attempt, node_id, status, sub_status, claimed_at, ended_at,
         campaign_id, number_id, to_number)
       select workspace_id, id, attempt, version_id, 'ended', sub_status, created_at, ended_at, campaign_id, number_id,
         to_number from ${name} where campaign_id is not null or attempt = 1`,
    );
    await client.query(
      `insert into call_records (workspace_id, call_id, transcript, updated_at)
       select workspace_id, id, '[{"role":"agent","text":"Hello, this is a reminder of your appointment."}]', created_at
       from ${name} where status = 'completed'`,
    );
    note(`attempts and records of ${name}`);
  }
  await client.query('vacuum (analyze) call_attempts, call_records');
  const { rows } = await client.query<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  );
  await client.end();
  return { bytes: rows[0]?.bytes ?? 0, parts: parts.length };
}

const dataDir = await mkdtemp(join(tmpdir(), 'callwright-bench-'));
const postgres = new EmbeddedPostgres({ dataDir, log: silentLog });
let service: Service | null = null;
try {
  const url = await postgres.start();
  await migrate(url);
  await splitSince(url, months);
  const seeded = await seed(url, millions * 1_000_000, (done) => note(`seeded ${done}`), days);
  const { bytes, parts } = await addAttempts(url);
  service = await startService({
    key: BENCH_KEY,
    env: { DATABASE_URL: url, ROLES: 'api', LOG_LEVEL: 'warn' },
  });
  const page = await service.request('GET', '/api/v0/calling/history?limit=1&offset=1000');
  const callId: string = page.body.calls[0].id;
  const bounds: Bound[] = [];
  const rows: string[][] = [];
  for (const route of routesOf(seeded, callId, days)) {
    const times = await timesOf(service, route, Number(args.requests));
    const p99 = at(times, 0.99);
    rows.push([route.name, at(times, 0.5).toFixed(1), p99.toFixed(1), String(route.boundMs)]);
    bounds.push({
      text: `${route.name}: p99 of ${p99.toFixed(0)} ms within ${route.boundMs}`,
      holds: p99 <= route.boundMs,
    });
  }
  await service.dispose();
  service = null;
  const database = openDatabase(url, { maxConnections: 1 });
  const drops: { name: string; calls: number; ms: number }[] = [];
  for (const part of (await partsOfCalls(database.kysely)).slice(0, 3)) {
    const count = await database.pool.query<{ calls: number }>(
      `select count(*)::int as calls from ${part.name}`,
    );
    const from = performance.now();
    await dropBefore(database.kysely, part.until, new Date());
    drops.push({ name: part.name, calls: count.rows[0]?.calls ?? 0, ms: performance.now() - from });
  }
  await database.close();
  const slowest = Math.max(...drops.map(({ ms }) => ms));
  bounds.push({
    text: `a month is dropped within ${DROP_MS} ms (${slowest.toFixed(0)} ms)`,
    holds: slowest <= DROP_MS,
  });
  note('claims');
  const [whole, split] = await claimCosts(url, postgres.pid ?? 0, months, {
    rounds: Number(args.rounds),
    seconds: Number(args.seconds),
  });
  const more = (median(split.costs) / median(whole.costs) - 1) * 100;
  const rate = median(split.rates);
  bounds.push({
    text: `at least ${MIN_CLAIMS} claims a second from ${months} months (${rate.toFixed(0)})`,
    holds: rate >= MIN_CLAIMS,
  });
  const text = [
    heading(
      `Months, ${millions} million calls`,
      `of one workspace over ${days} days in ${parts} tables, with an attempt and a record each: ${(bytes / 1e9).toFixed(1)} GB; ${args.requests} requests one after the other; server and PostgreSQL (with fsync, default memory) on one machine; load average ${loadavg()[0]?.toFixed(1)} at the end`,
    ),
    table(['', 'p50 ms', 'p99 ms', 'bound ms'], rows),
    'The end of a month, with its attempts and records:',
    table(
      ['table', 'calls', 'ms'],
      drops.map(({ name, calls, ms }) => [name, String(calls), ms.toFixed(0)]),
    ),
    `Claims with every limit, medians of ${args.rounds} alternating rounds of ${args.seconds} s on one server:`,
    table(
      ['', 'claims a second', "µs of PostgreSQL's processor time a claim"],
      [whole, split].map(({ name, rates, costs }) => [
        name,
        median(rates).toFixed(0),
        median(costs).toFixed(0),
      ]),
    ),
    `From months a claim takes ${more.toFixed(0)} % more of PostgreSQL's processor time, planning on new connections included.`,
    '',
    boundsText(bounds),
  ].join('\n');
  console.log(text);
  if (args.save) saveResult('months', text);
} finally {
  await service?.dispose();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);
