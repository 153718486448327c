import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { silentLog } from '../../src/shared/log.ts';
import { EmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { migrate } from '../../src/store/migrate.ts';
import { heading, table } from '../report.ts';
import { saveSection } from './section.ts';
import { BossQueue, type BossResult } from './claims/pg-boss.ts';
import { runClaims, paceOf, watchLimits, type ClaimResult } from './claims/run.ts';
import { serveLoneCalls } from './claims/lone-calls.ts';
import { createWorld, warmUp } from './claims/world.ts';

/**
 * Claims a second within every limit, over due calls of campaigns, beside pg-boss fetching jobs without any, in turns
 * on one server. While claims run, every limit is watched and single calls of other workspaces are timed.
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
  let [looks, over] = [0, 0];
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
    looks += seen.looks;
    over += seen.over;
    for (const kind of seen.kinds)
      highest.set(kind.name, Math.max(highest.get(kind.name) ?? 0, kind.highest));
    theirs.push(await boss.run({ fetchers: claimers, batch, seconds }));
    note(
      `round ${round + 1}: ${(run.claimed / run.seconds).toFixed(0)} beside ${theirs.at(-1)?.perSecond.toFixed(0)}`,
    );
  }
  await warmUp(url);
  const alone = await runClaims(url, { claimers: 1, seconds, holdMs });
  await boss.stop();
  const paces = await paceOf(url);

  const rate = mean(ours.map((run) => run.claimed / run.seconds));
  const reference = mean(theirs.map((run) => run.perSecond));
  const completed = mean(theirs.map((run) => run.completedPerSecond));
  const doubles = [...ours, alone].reduce((sum, run) => sum + run.doubles, 0);
  const pacesKept = paces.every((pace) => pace.perSecond <= pace.limit * 2);
  const text = [
    heading(
      'Campaigns: claims',
      `${calls} due calls in ${size.campaigns} campaigns of ${size.workspaces} workspaces, half of them one workspace's and the oldest; ${claimers} claimers, calls live for ${holdMs} ms and settled by other connections; ${rounds} rounds of ${seconds} s each, in turns; PostgreSQL with fsync and its default memory, load and reference on this machine (load average ${loadavg()[0]?.toFixed(1)} at the end)`,
    ),
    table(
      ['', 'a second', 'p50 ms', 'p99 ms'],
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
    `Ratio: ${(rate / reference).toFixed(2)}. Our calls are settled as they are claimed, for their limits would fill; pg-boss completed ${completed.toFixed(0)} of its jobs a second meanwhile and the rest afterwards: of that, ${(rate / completed).toFixed(2)}. A turn claimed ${mean(ours.map((run) => run.claimed / run.turns)).toFixed(0)} calls; ${doubles} calls were claimed twice. A workspace with one call was served after ${Math.max(...lone).toFixed(0)} ms at most (${lone.length} times).`,
    `Limits, looked at ${looks} times: ${over} times overshot. The most that was ever live:`,
    table(
      ['limit', 'live'],
      [...highest].map(([name, live]) => [name, String(live)]),
    ),
    `The most calls that began within any second on a trunk (a bucket of one second's calls may be full at its start, so up to twice its pace):`,
    table(
      ['trunk', 'calls in a second', 'pace'],
      paces.map((p) => [p.name, String(p.perSecond), String(p.limit)]),
    ),
  ].join('\n');
  console.log(text);
  if (args.save) saveSection(text);
  if (over > 0 || doubles > 0 || !pacesKept) throw new Error('a limit was overshot or a call claimed twice');
} catch (error) {
  note(String(error));
  throw error;
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);
