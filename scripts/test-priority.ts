/** Priorities and processor time of test steps. Linux only; elsewhere nothing is changed and no time is known. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Nice value of a step that only computes: it leaves most of a busy processor to calls in real time, so that audio frames are seldom late. */
const LOW = 8;
/** How often new sessions of a computing step are lowered. */
const LOOK_MS = 1_000;

/**
 * Lowers the priority of a computing step and of all that it starts; returns what ends this. Linux schedules every session as
 * a group, whose priority is another one; elsewhere the priority of the process counts. Each backend of PostgreSQL is a
 * session of its own, so new ones are looked for. No step is raised: its databases and browsers would then hardly run beside
 * the step that waits for them.
 */
export function givePriority(pid: number, isComputing: boolean): () => void {
  if (!isComputing) return () => undefined;
  try {
    setPriority(pid, LOW);
  } catch {
    // The process has ended.
  }
  lowerSession(pid);
  const lowered = new Set([pid]);
  const timer = setInterval(() => {
    for (const session of sessionsBelow(pid)) {
      if (!lowered.has(session)) lowerSession(session);
      lowered.add(session);
    }
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function lowerSession(leader: number): void {
  try {
    writeFileSync(`/proc/${leader}/autogroup`, String(LOW));
  } catch {
    // The process has ended, or the system has no such groups.
  }
}

/** The leaders of the sessions of a process's descendants. */
function sessionsBelow(root: number): readonly number[] {
  const all = processes();
  const below = new Set([root]);
  // A process is younger than its parent, but its id need not be larger.
  for (let size = 0; size !== below.size;) {
    size = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  }
  return all.filter(({ pid, session }) => below.has(pid) && pid === session).map(({ pid }) => pid);
}

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
}

function processes(): readonly Running[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? running(Number(name)) : []));
  } catch {
    return [];
  }
}

function running(pid: number): readonly Running[] {
  try {
    // After the name in brackets: state, parent, group, session (proc(5)).
    const [, parent, , session] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return [{ pid, parent: Number(parent), session: Number(session) }];
  } catch {
    return [];
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
