import { parseArgs } from 'node:util';
import { runChaos } from '../test/chaos/run.ts';
import { heading, saveResult, table } from './report.ts';

/**
 * Dials thousands of contacts with several processes that are killed all the time, over a PostgreSQL that is killed as
 * well. Afterwards the logs of callees and receiver must agree with the database to the last credit.
 */
const { values: args } = parseArgs({
  options: {
    contacts: { type: 'string', default: '10000' },
    campaigns: { type: 'string', default: '40' },
    processes: { type: 'string', default: '4' },
    kills: { type: 'string', default: '200' },
    'postgres-kills': { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    hurried: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '60' },
    save: { type: 'boolean', default: false },
  },
});
// Exit handlers end the child processes of an aborted run.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const startedAt = Date.now();
const log = (line: string): void =>
  console.log(`${String(Math.round((Date.now() - startedAt) / 1000)).padStart(5)} s  ${line}`);
const seed = Number(args.seed);
log(`seed ${seed}`);
const { findings, figures, points, crashes } = await runChaos({
  contacts: Number(args.contacts),
  campaigns: Number(args.campaigns),
  processes: Number(args.processes),
  kills: Number(args.kills),
  postgresKills: Number(args['postgres-kills']),
  seed,
  isHurried: args.hurried,
  lifetimeMs: 5000,
  pointTimeoutMs: 12_000,
  limitMs: Number(args.minutes) * 60_000,
  log,
});
const text = [
  heading(
    'Chaos',
    `Seed ${seed}; SIPp and the stand-in of a carrier's API as the callees, an HTTP server as the receiver, PostgreSQL with fsync`,
  ),
  table(
    ['what', 'count'],
    Object.entries(figures).map(([what, count]) => [what, count.toLocaleString('en')]),
  ),
  '## Kills per fault point',
  table(
    ['point', 'times'],
    [...points].toSorted(([a], [b]) => a.localeCompare(b)).map(([point, times]) => [point, String(times)]),
  ),
  '## Findings',
  '',
  findings.length === 0
    ? 'None: no callee was rung twice for one attempt, after a crash, outside a window or against a do-not-call list; every contact and campaign ended; balances are exact; every event was delivered or tried four times; no limit was overshot; no row is left behind.'
    : findings.map((finding) => `- ${finding}`).join('\n'),
].join('\n');
console.log(text);
if (crashes.length > 0)
  console.log(`\nprocesses that crashed by themselves:\n${crashes.slice(0, 5).join('\n---\n')}`);
if (args.save) saveResult('chaos', text);
process.exitCode = findings.length === 0 ? 0 : 1;
