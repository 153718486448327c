/** Priorities and processor time of test steps. Linux only; elsewhere nothing is changed and no time is known. */
import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Nice value of a step that only computes: it leaves most of a busy processor to calls in real time, so that audio frames are seldom late. */
const LOW = 8;

/**
 * Lowers the priority of a computing step and of all that it starts. Linux schedules every session as a group, whose priority
 * is another one; elsewhere the priority of the process counts. No step is raised: the backends of PostgreSQL and browsers are
 * sessions of their own, which would then hardly run beside the step that waits for them.
 */
export function givePriority(pid: number, isComputing: boolean): void {
  if (!isComputing) return;
  try {
    setPriority(pid, LOW);
    writeFileSync(`/proc/${pid}/autogroup`, String(LOW));
  } catch {
    // The process has ended, or the system has no such groups.
  }
}

let workSoFar = 0;
/** Processor seconds of the child that has just ended and of its descendants: Linux adds them to its parent at that moment. */
export function workOfEnded(): number | null {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    // User and system time of ended children (proc(5): cutime, cstime), in hundredths of a second.
    const all = (Number(fields[13]) + Number(fields[14])) / 100;
    const work = Math.round(all - workSoFar);
    workSoFar = all;
    return work;
  } catch {
    return null;
  }
}
