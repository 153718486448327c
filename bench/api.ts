import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Pool as Clients } from 'undici';
import { silentLog } from '../src/shared/log.ts';
import { EmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { migrate } from '../src/store/migrate.ts';
import { alternatingCost } from './api/alternating-cost.ts';
import { BENCH_KEY, OTHER_KEY, seed, type Seeded } from './api/seed.ts';
import { startService, type Service } from '../test/helpers/service/service.ts';
import { heading, saveResult, table } from './report.ts';
import { voices } from '../src/providers/voices.ts';

/**
 * Throughput and latency of the hot routes over HTTP. References in the same run: a bare Fastify route without database,
 * and for routes that write or list, a Fastify route with a single INSERT or SELECT. Then history and analytics over
 * `--millions` calls of one workspace, and what the request log and row-level security cost. `--only-costs` measures these alone.
 */
const { values: args } = parseArgs({
  options: {
    millions: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '16' },
    save: { type: 'boolean', default: false },
    'only-costs': { type: 'boolean', default: false },
  },
});
const millions = Number(args.millions);
const seconds = Number(args.seconds);
const connections = Number(args.connections);

interface Load {
  name: string;
  path: string;
  /** Creates a request body; absent: GET. */
  body?: () => string;
  /** Keys in turn, one a request; absent: the key of the seeded workspace. */
  keys?: readonly string[];
  /** Number of requests, for routes that read much; the others run for a fixed time. */
  requests?: number;
  /** The single-statement reference to compare with. */
  reference?: 'insert' | 'select';
}
interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
  failed: number;
}

const percentile = (sorted: readonly number[], p: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN;

async function measure(base: string, load: Load, forMs: number, parallel: number): Promise<Measured> {
  const clients = new Clients(base, { connections: parallel, pipelining: 1 });
  const latencies: number[] = [];
  let failed = 0;
  let left = load.requests ?? Number.POSITIVE_INFINITY;
  const begin = performance.now();
  const until = load.requests === undefined ? begin + forMs : Number.POSITIVE_INFINITY;
  const { keys = [BENCH_KEY] } = load;
  let serial = 0;
  const run = async (): Promise<void> => {
    while (performance.now() < until && left > 0) {
      left -= 1;
      serial += 1;
      const sent = performance.now();
      const answer = await clients.request({
        method: load.body === undefined ? 'GET' : 'POST',
        path: load.path,
        headers: {
          'x-api-key': keys[serial % keys.length]!,
          ...(load.body && { 'content-type': 'application/json' }),
        },
        ...(load.body && { body: load.body() }),
      });
      await answer.body.dump({ limit: 10_000_000 });
      latencies.push(performance.now() - sent);
      if (answer.statusCode !== 200) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: parallel }, run));
  const took = performance.now() - begin;
  await clients.close();
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    perSecond: (latencies.length * 1000) / took,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    failed,
  };
}

/** Process and address of the references. */
function startBare(database: string, workspaceId: string): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(join(import.meta.dirname, 'api/bare.ts'), [database, workspaceId]);
  return new Promise((resolve, reject) => {
    child.once('message', (url) => resolve({ child, url: url as string }));
    child.once('exit', (code) => reject(new Error(`the reference ended with ${code}`)));
  });
}

/** Measures the single-statement reference under the same load; null if the route has none. */
async function measureReference(base: string, load: Load): Promise<Measured | null> {
  if (load.reference === undefined) return null;
  const referenceLoad = { ...load, path: `/${load.reference}` };
  await measure(base, referenceLoad, 1000, connections);
  return measure(base, referenceLoad, seconds * 1000, connections);
}

async function createAgent(service: Service): Promise<string> {
  const answer = await service.request('POST', '/api/v0/public/agent', {
    agent_name: 'Reminder',
    introduction_and_objective: 'Remind {{callee_name}} of the appointment.',
    response_guidelines: 'Be brief.',
    task: '1. Ask whether the time suits.',
    primary_language: 'en-US',
    voice_id: voices().find((voice) => voice.languages.includes('en-US'))?.id,
    intro_message: 'Hello.',
    call_config: { call_time: { call_start_time: '00:00', call_end_time: '23:59', timezone: 'Etc/UTC' } },
  });
  if (answer.status !== 200) throw new Error(`no agent: ${JSON.stringify(answer.body)}`);
  return answer.body.data.id;
}

function loads(seeded: Seeded, agentId: string): { hot: Load[]; large: Load[] } {
  let serial = 0;
  const call = (): string =>
    JSON.stringify({
      name: 'Priya',
      mobile_number: `+1415555${String((serial += 1) % 10_000).padStart(4, '0')}`,
      agent_id: agentId,
      from_number_id: seeded.numberId,
      custom_args_values: { day: 'Tuesday' },
    });
  const api = '/api/v0';
  return {
    hot: [
      { name: 'GET /workspace', path: `${api}/workspace` },
      { name: 'GET /agent/{agent_id}', path: `${api}/agent/${agentId}` },
      {
        name: 'POST /calling/outbound/individual',
        path: `${api}/calling/outbound/individual`,
        body: call,
        reference: 'insert',
      },
      { name: 'GET /calling/history (10 calls)', path: `${api}/calling/history`, reference: 'select' },
    ],
    large: [
      { name: 'history, limit 200, offset 0', path: `${api}/calling/history?limit=200`, requests: 50 },
      {
        name: 'history, limit 200, offset 100,000',
        path: `${api}/calling/history?limit=200&offset=100000`,
        requests: 50,
      },
      {
        name: 'history of one campaign, limit 200',
        path: `${api}/calling/history?limit=200&bulk_list_id=${seeded.campaignId}`,
        requests: 50,
      },
      ...[
        'platform-analytics',
        'drill-down-analytics',
        'number-analytics',
        'duration-distribution',
        'classification-analytics',
        'reaction-analytics',
        'hour-analytics',
      ].map((name) => ({ name, path: `${api}/analytics/${name}`, requests: 50 })),
      {
        name: 'platform-analytics of one campaign',
        path: `${api}/analytics/platform-analytics?bulk_list_id=${seeded.campaignId}`,
        requests: 50,
      },
      ...['progress', 'statistics', 'contacts', 'contacts?status=cancelled'].map((part) => ({
        name: `${part} of one campaign`,
        path: `${api}/campaign/${seeded.campaignId}/${part}`,
        requests: 50,
      })),
    ],
  };
}

const dataDir = await mkdtemp(join(tmpdir(), 'callwright-bench-'));
const postgres = new EmbeddedPostgres({ dataDir, log: silentLog });
let bareChild: ChildProcess | null = null;
let service: Service | null = null;
let unlogged: Service | null = null;
let walled: Service | null = null;
try {
  const url = await postgres.start();
  await migrate(url);
  const seedBegin = performance.now();
  const seeded = await seed(url, millions * 1_000_000, (done) => process.stderr.write(`seeded ${done}\n`));
  process.stderr.write(`seeding took ${((performance.now() - seedBegin) / 1000).toFixed(0)} s\n`);
  const noLimit = { RATE_LIMIT_READ: '0', RATE_LIMIT_WRITE: '0', RATE_LIMIT_DIAL: '0' };
  // Role `api` only, so that placed calls are not dialled.
  const env = { DATABASE_URL: url, ROLES: 'api', LOG_LEVEL: 'warn', SECRET_KEY: BENCH_KEY, ...noLimit };
  service = await startService({ key: BENCH_KEY, env });
  unlogged = await startService({ key: BENCH_KEY, env: { ...env, REQUEST_LOG_ENTRIES: '0' } });
  walled = await startService({ key: BENCH_KEY, env: { ...env, ROW_SECURITY: 'on' } });
  const reference = await startBare(url, seeded.workspaceId);
  bareChild = reference.child;
  const { hot, large } = loads(seeded, await createAgent(service));
  const ms = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));

  const bare: Load = { name: 'bare', path: '/' };
  await measure(reference.url, bare, 1000, connections);
  const rows: string[][] = [];
  for (const load of args['only-costs'] ? [] : hot) {
    await measure(service.url, load, 1000, connections);
    const plain = await measure(reference.url, bare, seconds * 500, connections);
    const one = await measureReference(reference.url, load);
    const found = await measure(service.url, load, seconds * 1000, connections);
    if (found.failed > 0) throw new Error(`${load.name}: ${found.failed} responses were not 200`);
    rows.push([
      load.name,
      found.perSecond.toFixed(0),
      ms(found.p50),
      ms(found.p99),
      plain.perSecond.toFixed(0),
      (plain.perSecond / found.perSecond).toFixed(1),
      one === null ? '–' : `${load.reference?.toUpperCase()} ${one.perSecond.toFixed(0)}`,
      one === null ? '–' : ms(one.p99),
      one === null ? '–' : (one.perSecond / found.perSecond).toFixed(1),
    ]);
  }
  const largeRows: string[][] = [];
  for (const load of args['only-costs'] ? [] : large) {
    await measure(service.url, { ...load, requests: 3 }, 0, 1);
    const found = await measure(service.url, load, 0, 1);
    if (found.failed > 0) throw new Error(`${load.name}: ${found.failed} responses were not 200`);
    largeRows.push([load.name, ms(found.p50), ms(found.p99)]);
  }
  const refused: Load = {
    name: 'POST /calling/outbound/individual, refused with 422',
    path: '/api/v0/calling/outbound/individual',
    body: () => JSON.stringify({ name: 'Priya', mobile_number: 'no number', agent_id: 7 }),
  };
  const keys = [BENCH_KEY, OTHER_KEY];
  const inTurn: Load = { name: 'GET /workspace, two workspaces in turn', path: '/api/v0/workspace', keys };
  const costOf = (
    part: string,
    [with_, without]: readonly [string, string],
    measured: readonly Load[],
  ): Promise<string> =>
    alternatingCost(
      part,
      [
        { name: 'on', url: with_ },
        { name: 'off', url: without },
      ],
      measured.map((load) => ({
        name: load.name,
        send: async (to) => (await measure(to, load, seconds * 250, connections)).perSecond,
      })),
      seconds / 4,
    );
  const logCost = await costOf('request log', [service.url, unlogged.url], [...hot, refused]);
  const wallCost = await costOf('row-level security', [walled.url, service.url], [...hot, inTurn]);
  const text = [
    heading(
      `API, ${millions} million calls`,
      `${connections} connections, ${seconds} s per route; load generator, server and PostgreSQL (with fsync) on one machine`,
    ),
    table(
      [
        'route',
        'requests/s',
        'p50 ms',
        'p99 ms',
        'bare Fastify requests/s',
        'ratio',
        'bare with one statement requests/s',
        'its p99 ms',
        'ratio',
      ],
      rows,
    ),
    `Sequential requests over ${millions} million calls of one workspace in 90 days:`,
    table(['', 'p50 ms', 'p99 ms'], largeRows),
    `The log of API requests, processor time of the service in alternating rounds:`,
    logCost,
    `Row-level security, in the same way:`,
    wallCost,
  ].join('\n');
  console.log(text);
  if (args.save) saveResult(millions === 1 ? 'api' : `api-${millions}m`, text);
} finally {
  bareChild?.removeAllListeners('exit');
  bareChild?.kill('SIGTERM');
  await service?.dispose();
  await unlogged?.dispose();
  await walled?.dispose();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);
