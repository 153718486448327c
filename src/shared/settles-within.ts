import { setTimeout as sleep } from 'node:timers/promises';

/** Whether `work` ends within `ms`. Rejects when it rejects in that time; a later rejection is ignored. */
export async function settlesWithin(ms: number, work: PromiseLike<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(ms, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([Promise.resolve(work).then(() => true), late]);
  } finally {
    timer.abort();
  }
}
