import { setPriority } from 'node:os';
import { platform } from 'node:process';

/**
 * Nice values of threads: calls get a busy processor first. `audio` paces packets, `speech` recognises and speaks,
 * `control` serves the API and the jobs, `bulk` imports contact lists and encodes recordings.
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
