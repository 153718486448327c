import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

/** A message on it has every other thread of the process collect its garbage. */
export const COLLECT = 'collect-garbage';

/** The thread's garbage collection. */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

// Loaded into a thread before its program (node --import).
if (!isMainThread) {
  const collect = garbageCollector();
  const channel = new BroadcastChannel(COLLECT);
  channel.unref();
  channel.addEventListener('message', () => collect());
}
