import { readdirSync, readFileSync } from 'node:fs';

const TICKS = 100;

/** What a process, or several, have used so far. */
export interface Use {
  readonly processorSeconds: number;
  /** How often a thread went to sleep: each is a wake. Those of threads that ended are lost. */
  readonly wakes: number;
}

/** The fields of /proc/PID/stat behind the name, which may contain spaces. */
const statOf = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

/** Of one process with all its threads; nothing: it has ended. */
export function useOf(pid: number): Use {
  try {
    const fields = statOf(pid);
    let wakes = 0;
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const status = readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8');
      wakes += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    }
    return { processorSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS, wakes };
  } catch {
    return { processorSeconds: 0, wakes: 0 };
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
  const uses = [...parents.keys()].filter(isBelow).map(useOf);
  return {
    processorSeconds: uses.reduce((sum, use) => sum + use.processorSeconds, 0),
    wakes: uses.reduce((sum, use) => sum + use.wakes, 0),
  };
}
