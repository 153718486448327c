import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { platform } from 'node:process';

/**
 * Nice values of threads: calls get a busy processor first. `audio` paces packets, `speech` recognises and speaks,
 * `control` serves the API and the jobs, `bulk` imports contact lists, reads documents and
 * encodes recordings.
 */
const NICE = { audio: -10, speech: 0, control: 2, bulk: 10 } as const;
export type ThreadWork = keyof typeof NICE;

/**
 * Sets the priority of the calling thread and of the threads and processes that it starts later; does nothing where the
 * operating system refuses (`audio` needs CAP_SYS_NICE or a nice limit, docs/operations.md) or keeps one priority for the whole process (not Linux).
 */
export function setThreadPriority(work: ThreadWork): void {
  if (platform !== 'linux') return;
  try {
    setPriority(NICE[work]);
  } catch {
    // Not permitted.
  }
}

/** Sets the priority of a process that was just started, and of its threads; `bulk` always works. */
export function setProcessPriority(pid: number | undefined, work: ThreadWork): void {
  if (platform !== 'linux' || pid === undefined) return;
  try {
    setPriority(pid, NICE[work]);
  } catch {
    // Not permitted, or the process has ended.
  }
}

/** Name of the threads that help every V8 heap of the process to collect its garbage and to compile. */
const HELPER = 'V8Worker';

/**
 * Sets the priority of the threads with which V8 collects garbage. A thread that collects waits for them, so they need its
 * priority: behind speech and database, a collection of a call worker took twice as long (two busy cores, heap of 40 MB). Does
 * nothing where `setThreadPriority` does nothing.
 */
export function setHelperPriority(work: ThreadWork): void {
  if (platform !== 'linux') return;
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();
      if (name === HELPER) setPriority(Number(thread), NICE[work]);
    } catch {
      // Not permitted, or the thread has ended.
    }
  }
}
