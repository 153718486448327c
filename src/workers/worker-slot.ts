import type { Worker } from 'node:worker_threads';

/** One call worker thread as the main thread knows it. */
export interface WorkerSlot {
  readonly index: number;
  readonly thread: Worker;
  readonly calls: Set<string>;
  ready: boolean;
  /** RTP pairs the thread last said it has left; what it has not answered yet is to be taken off. */
  freePairs: number;
  /** Requests for a pair that it has not answered. */
  pairsAsked: number;
  /** What the thread itself last said it holds; `calls` is what was given to it. */
  load: WorkerLoad;
}
export interface WorkerLoad {
  calls: number;
  rtpPortsInUse: number;
  lateTickP99Ms: number;
}

type Room = Pick<WorkerSlot, 'ready' | 'freePairs' | 'pairsAsked'> & { readonly calls: ReadonlySet<string> };

/** Calls a worker can take on top of those it has. */
export function roomOf(slot: Room, maxCalls: number): number {
  if (!slot.ready) return 0;
  return Math.max(0, Math.min(maxCalls - slot.calls.size, slot.freePairs - slot.pairsAsked));
}

/** The worker with the fewest calls of those that can take one. */
export function leastBusy<T extends Room>(slots: readonly T[], maxCalls: number): T | undefined {
  let best: T | undefined;
  for (const slot of slots) {
    if (roomOf(slot, maxCalls) === 0) continue;
    if (best === undefined || slot.calls.size < best.calls.size) best = slot;
  }
  return best;
}
