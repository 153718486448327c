import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10;

interface Stat {
  readonly parent: number;
  readonly ownMs: number;
  /** Of children that have ended and were waited for. */
  readonly goneMs: number;
}

function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it may hold spaces and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const at = (n: number): number => Number(fields[n - 3]);
    return { parent: at(4), ownMs: (at(14) + at(15)) * TICK_MS, goneMs: (at(16) + at(17)) * TICK_MS };
  } catch {
    return null;
  }
}

/** Processor time this process has taken so far, all its threads, in ms; NaN where the system does not tell. */
export const timeOf = (pid: number): number => statOf(pid)?.ownMs ?? Number.NaN;

/** The same of a process with its children, those that have ended too. */
export function timeOfFamily(pid: number): number {
  const own = statOf(pid);
  if (own === null) return Number.NaN;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === pid);
  return children.reduce((all, child) => all + (child?.ownMs ?? 0), own.ownMs + own.goneMs);
}
