import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { silentLog } from '../src/shared/log.ts';
import { EmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { startService } from '../test/helpers/service/service.ts';
import { spent, together, useBelow, useOf, type Use } from './idle/use.ts';
import { heading, saveResult, table } from './report.ts';
import { countStatements } from './statements.ts';

/**
 * What a service without calls costs: processor time of the program and of its database, and afterwards the statements that it sends. In its first minutes it also pays for
 * its start: V8 compacts the heap of each thread twice, and compiles what it runs.
 */
const { values: args } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    settle: { type: 'string', default: '360' },
    // Two sweeps of the queues' pollers.
    statements: { type: 'string', default: '240' },
    save: { type: 'boolean', default: false },
  },
});
const seconds = Number(args.seconds);

/** Its own use, without its database; it starts beside the service, whose figures are complete. */
async function useOfReference(dataDir: string): Promise<Use> {
  const url = await new EmbeddedPostgres({ dataDir, log: silentLog, joinsOnly: true }).start();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'idle/reference.process.ts')], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  await sleep(Math.min(seconds, 30) * 1_000);
  const from = useOf(child.pid ?? 0);
  await sleep(seconds * 1_000);
  const used = spent(from, useOf(child.pid ?? 0));
  child.kill();
  return used;
}

const service = await startService({ ownDatabase: true });
const pid = service.child.pid ?? 0;
await sleep(Number(args.settle) * 1_000);
const read = (): { program: Use; database: Use } => ({ program: useOf(pid), database: useBelow(pid) });
const before = read();
await sleep(seconds * 1_000);
const after = read();
const program = spent(before.program, after.program);
const database = spent(before.database, after.database);
const [counted, reference] = await Promise.all([
  countStatements(service.dataDir, Number(args.statements)),
  useOfReference(service.dataDir),
]);
const figure = (count: number): string => count.toFixed(0);
const both = together([program, database]);
/** Rows of the threads that wake at least once in twenty seconds, most wakes first. */
const threads = [...both.threads]
  .map(([name, wakes]) => [name, wakes / seconds] as const)
  .filter(([, wakes]) => wakes >= 0.05)
  .toSorted(([, a], [, b]) => b - a)
  .map(([name, wakes]) => [name, wakes.toFixed(2)]);
const row = (name: string, { processorSeconds, wakes }: Use): string[] => [
  name,
  `${((processorSeconds / seconds) * 100).toFixed(2)} %`,
  (wakes / seconds).toFixed(1),
  wakes === 0 ? '' : ((processorSeconds / wakes) * 1_000).toFixed(2),
];
const [load = 0] = loadavg();
const text = [
  heading(
    'Idle',
    `processor time of a service without calls over ${seconds} s, ${args.settle} s after its start, of one core; load average of the machine ${load.toFixed(1)}`,
  ),
  table(
    ['', 'share of a core', 'wakes a second', 'ms a wake'],
    [
      row('program', program),
      row('its database', database),
      row('both (bound: 1 %)', both),
      row('reference', reference),
    ],
  ),
  'Reference: a bare Node process with an HTTP server and one statement a second, without its database. A wake costs several times as much on a machine that sleeps as on one that works, so read the shares of one run against each other.',
  '',
  table(['thread', 'wakes a second'], threads),
  table(
    ['statements', 'a minute'],
    [
      ['all', figure(counted.all)],
      ['of sweeps and of jobs (`callwright jobs`)', figure(counted.by.get('callwright jobs') ?? 0)],
      ['of the watch over the queues', figure(counted.by.get('callwright queues') ?? 0)],
    ],
  ),
].join('\n');
console.log(text);
if (args.save) saveResult('idle', text);
await service.dispose();
process.exit(0);
