import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { silentLog } from '../../src/shared/log.ts';
import { EmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { migrate } from '../../src/store/migrate.ts';
import { boundsText, heading, table } from '../report.ts';
import { timeOf, timeOfFamily } from '../webhooks/processor-time.ts';
import { saveSection } from './section.ts';
import { BossQueue, type BossResult } from './claims/pg-boss.ts';
import { runClaims, paceOf, watchLimits, type ClaimResult } from './claims/run.ts';
import { serveLoneCalls } from './claims/lone-calls.ts';
import { createWorld, warmUp } from './claims/world.ts';

/**
 * Claims per second within every limit, over due calls of campaigns. pg-boss, which fetches jobs without limits, runs
 * alternately on the same server as a reference. During the claims every limit is sampled, and single calls of other
 * workspaces are timed.
 */
const { values: args } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    workspaces: { type: 'string', default: '50' },
    campaigns: { type: 'string', default: '200' },
    claimers: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    hold: { type: 'string', default: '400' },
    batch: { type: 'string', default: '64' },
    save: { type: 'boolean', default: false },
  },
});
const [calls, claimers, seconds, rounds, batch] = [
  Number(args.calls),
  Number(args.claimers),
  Number(args.seconds),
  Number(args.rounds),
  Number(args.batch),
];
const size = { calls, workspaces: Number(args.workspaces), campaigns: Number(args.campaigns) };
const holdMs = Number(args.hold);
/** On two cores. */
const MIN_CLAIMS = 1700;
const note = (text: string): void => void process.stderr.write(`${text}\n`);
const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;

const dataDir = await mkdtemp(join(tmpdir(), 'callwright-bench-'));
const postgres = new EmbeddedPostgres({ dataDir, log: silentLog });
try {
  const url = await postgres.start();
  await migrate(url);
  note('queueing');
  await createWorld(url, size);
  const boss = new BossQueue(url, claimers);
  await boss.fill(calls);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await client.end();

  note('claiming');
  const [ours, theirs]: [ClaimResult[], BossResult[]] = [[], []];
  const lone: number[] = [];
  let [samples, over] = [0, 0];
  const highest = new Map<string, number>();
  for (let round = 0; round < rounds; round += 1) {
    await warmUp(url);
    const watch = watchLimits(url);
    const [run, served] = await Promise.all([
      runClaims(url, { claimers, seconds, holdMs }),
      serveLoneCalls(url, seconds),
    ]);
    const seen = await watch.stop();
    ours.push(run);
    lone.push(...served);
    samples += seen.samples;
    over += seen.over;
    for (const kind of seen.kinds)
      highest.set(kind.name, Math.max(highest.get(kind.name) ?? 0, kind.highest));
    theirs.push(await boss.run({ fetchers: claimers, batch, seconds }));
    note(
      `round ${round + 1}: ${(run.claimed / run.seconds).toFixed(0)} claims/s, pg-boss ${theirs.at(-1)?.perSecond.toFixed(0)}/s`,
    );
  }
  await warmUp(url);
  const times = (): [number, number] => [timeOf(process.pid), timeOfFamily(postgres.pid ?? 0)];
  const before = times();
  const alone = await runClaims(url, { claimers: 1, seconds, holdMs });
  const [own, server] = times().map((ms, at) => ((ms - (before[at] ?? 0)) * 1000) / alone.claimed) as [
    number,
    number,
  ];
  await boss.stop();
  const paces = await paceOf(url);

  const rate = mean(ours.map((run) => run.claimed / run.seconds));
  const reference = mean(theirs.map((run) => run.perSecond));
  const completed = mean(theirs.map((run) => run.completedPerSecond));
  const doubles = [...ours, alone].reduce((sum, run) => sum + run.doubles, 0);
  const pacesKept = paces.every((pace) => pace.perSecond <= pace.limit * 2);
  const slowest = Math.max(...lone);
  const bounds = [
    { text: `no limit is overshot (${over} times in ${samples} samples)`, holds: over === 0 && pacesKept },
    { text: `no call is claimed twice (${doubles} were)`, holds: doubles === 0 },
    {
      text: `a single call beside this queue is served within 1 s (${slowest.toFixed(0)} ms at most, ${lone.length} calls)`,
      holds: slowest <= 1000,
    },
    {
      text: `at least ${MIN_CLAIMS} claims per second on two cores (${rate.toFixed(0)})`,
      holds: rate >= MIN_CLAIMS,
    },
  ];
  const text = [
    heading(
      'Campaigns: claims',
      `${calls} due calls in ${size.campaigns} campaigns of ${size.workspaces} workspaces, half of them (the oldest) of one workspace; ${claimers} claimers, calls live for ${holdMs} ms and settled by other connections; ${rounds} rounds of ${seconds} s each, alternating with the reference; PostgreSQL with fsync and default memory, load generator on the same machine (load average ${loadavg()[0]?.toFixed(1)} at the end)`,
    ),
    table(
      ['', 'per second', 'p50 ms', 'p99 ms'],
      [
        [
          `claims, ${claimers} claimers, every limit`,
          rate.toFixed(0),
          mean(ours.map((run) => run.p50)).toFixed(1),
          Math.max(...ours.map((run) => run.p99)).toFixed(1),
        ],
        [
          'claims, one claimer',
          (alone.claimed / alone.seconds).toFixed(0),
          alone.p50.toFixed(1),
          alone.p99.toFixed(1),
        ],
        [
          `pg-boss, ${claimers} fetchers of ${batch}, no limit`,
          reference.toFixed(0),
          '',
          Math.max(...theirs.map((run) => run.p99)).toFixed(1),
        ],
      ],
    ),
    `Claims per pg-boss fetch: ${(rate / reference).toFixed(2)}. Claimed calls are settled during the run, because their limits would fill; pg-boss completed ${completed.toFixed(0)} jobs per second during its run and the rest afterwards (claims per completed job: ${(rate / completed).toFixed(2)}). A batch has ${mean(ours.map((run) => run.claimed / run.batches)).toFixed(0)} calls on average.`,
    '',
    `Processor time of one claim and its settlement, with one claimer: ${own.toFixed(0)} µs in this process, ${server.toFixed(0)} µs in PostgreSQL. It tells a slower claim from a slower machine.`,
    '',
    boundsText(bounds),
    '',
    `Peak of live calls per limit, in ${samples} samples:`,
    table(
      ['limit', 'peak'],
      [...highest].map(([name, live]) => [name, String(live)]),
    ),
    `Most calls started within one second per trunk. The token bucket holds one second of calls, so up to twice the pace is allowed:`,
    table(
      ['trunk', 'calls in one second', 'pace'],
      paces.map((p) => [p.name, String(p.perSecond), String(p.limit)]),
    ),
  ].join('\n');
  console.log(text);
  if (args.save) saveSection(text);
  if (bounds.some(({ holds }) => !holds)) throw new Error('a bound does not hold');
} catch (error) {
  note(String(error));
  throw error;
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);
