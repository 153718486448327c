import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { startService } from '../test/helpers/service/service.ts';
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
const TICKS = 100;

/** The fields of /proc/PID/stat behind the name, which may contain spaces. */
const statOf = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

/** Processor seconds of the process and all its descendants, ended ones included. */
function processorSeconds(root: number): { program: number; database: number } {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      parents.set(Number(name), Number(statOf(Number(name))[1]));
    } catch {
      // It ended while it was read.
    }
  }
  const isBelow = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) {
      if (at === root) return true;
    }
    return false;
  };
  let database = 0;
  const own = (pid: number): number => {
    const fields = statOf(pid);
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  };
  for (const pid of parents.keys()) if (pid !== root && isBelow(pid)) database += own(pid);
  return { program: own(root), database };
}

const service = await startService({ ownDatabase: true });
const pid = service.child.pid ?? 0;
await new Promise((resolve) => setTimeout(resolve, Number(args.settle) * 1_000));
const before = processorSeconds(pid);
await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
const after = processorSeconds(pid);
const counted = await countStatements(service.dataDir, Number(args.statements));
const share = (used: number): string => `${((used / seconds) * 100).toFixed(2)} %`;
const figure = (count: number): string => count.toFixed(0);
const program = after.program - before.program;
const database = after.database - before.database;
const [load = 0] = loadavg();
const text = [
  heading(
    'Idle',
    `processor time of a service without calls over ${seconds} s, ${args.settle} s after its start, of one core; load average of the machine ${load.toFixed(1)}`,
  ),
  table(
    ['', 'share of a core'],
    [
      ['program', share(program)],
      ['its database', share(database)],
      ['both (bound: 1 %)', share(program + database)],
    ],
  ),
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
