import { readdirSync, readFileSync } from 'node:fs';

const TICKS = 100;

/** What a process, or several, have used so far. */
export interface Use {
  readonly processorSeconds: number;
  /** How often a thread went to sleep: each is a wake. Those of threads that ended are lost. */
  readonly wakes: number;
  /** The same by the names of the threads. */
  readonly threads: ReadonlyMap<string, number>;
}

const NOTHING: Use = { processorSeconds: 0, wakes: 0, threads: new Map() };

/** What was used between two readings. */
export const spent = (from: Use, to: Use): Use => ({
  processorSeconds: to.processorSeconds - from.processorSeconds,
  wakes: to.wakes - from.wakes,
  threads: new Map([...to.threads].map(([name, wakes]) => [name, wakes - (from.threads.get(name) ?? 0)])),
});

export function together(uses: readonly Use[]): Use {
  const threads = new Map<string, number>();
  for (const use of uses) {
    for (const [name, wakes] of use.threads) threads.set(name, (threads.get(name) ?? 0) + wakes);
  }
  return {
    processorSeconds: uses.reduce((sum, use) => sum + use.processorSeconds, 0),
    wakes: uses.reduce((sum, use) => sum + use.wakes, 0),
    threads,
  };
}

/** The fields of /proc/PID/stat behind the name, which may contain spaces. */
const statOf = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

/** The name of a thread; of a process of PostgreSQL what it does, such as `walwriter`; its connections are together. */
function nameOf(pid: number, status: string): string {
  const name = /^Name:\s+(.*)/m.exec(status)?.[1] ?? '';
  if (name !== 'postgres') return name;
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  if (!command.startsWith('postgres: ')) return 'postmaster';
  return command.includes('127.0.0.1(') ? 'connections' : command.slice('postgres: '.length);
}

/** Of one process with all its threads; nothing: it has ended. */
export function useOf(pid: number): Use {
  try {
    const fields = statOf(pid);
    const threads = new Map<string, number>();
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const status = readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8');
      const name = nameOf(pid, status);
      const wakes = Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
      threads.set(name, (threads.get(name) ?? 0) + wakes);
    }
    const wakes = [...threads.values()].reduce((sum, count) => sum + count, 0);
    return { processorSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS, wakes, threads };
  } catch {
    return NOTHING;
  }
}

/** Of all descendants of a process. */
export function useBelow(root: number): Use {
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
    for (let at = parents.get(pid); at !== undefined && at > 1; at = parents.get(at)) {
      if (at === root) return true;
    }
    return false;
  };
  return together([...parents.keys()].filter(isBelow).map(useOf));
}
