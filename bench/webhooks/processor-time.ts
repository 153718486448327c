import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second (USER_HZ). */
const TICK_MS = 10;

interface Stat {
  readonly parent: number;
  readonly ownMs: number;
  /** Of reaped child processes. */
  readonly goneMs: number;
}

function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name may contain spaces and brackets, so parse after the last bracket.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const at = (n: number): number => Number(fields[n - 3]);
    return { parent: at(4), ownMs: (at(14) + at(15)) * TICK_MS, goneMs: (at(16) + at(17)) * TICK_MS };
  } catch {
    return null;
  }
}

/** Processor time of a process, all threads, in ms; NaN without /proc. */
export const timeOf = (pid: number): number => statOf(pid)?.ownMs ?? Number.NaN;

/** The same including all child processes, ended ones too. */
export function timeOfFamily(pid: number): number {
  const own = statOf(pid);
  if (own === null) return Number.NaN;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === pid);
  return children.reduce((all, child) => all + (child?.ownMs ?? 0), own.ownMs + own.goneMs);
}
