/** Priorities and processor time of test steps. Linux only; elsewhere nothing is changed and no time is known. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * Nice values of a step: steps that only compute leave most of a busy processor to calls in real time, so that audio frames
 * are seldom late. Where this user may raise a priority, calls are raised, also above other programs of the machine.
 */
const LOW = 8;
const HIGH = -10;
const mayRaise = existsSync('/proc/self/autogroup') && triesToRaise();

/** Whether this user may give a process a higher priority. */
function triesToRaise(): boolean {
  const usual = getPriority();
  try {
    setPriority(usual - 1);
    setPriority(usual);
    return true;
  } catch {
    return false;
  }
}

/**
 * Sets the priority of a new process and of all that it starts. Linux schedules every session as a group, whose priority is
 * another one; elsewhere the priority of the process counts. The processes of a raised group keep their own order.
 */
export function givePriority(pid: number, isComputing: boolean): void {
  if (mayRaise === isComputing) return;
  try {
    if (isComputing) setPriority(pid, LOW);
    writeFileSync(`/proc/${pid}/autogroup`, String(isComputing ? LOW : HIGH));
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
