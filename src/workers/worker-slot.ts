import type { RecogniserFault } from '../providers/ports/recogniser.ts';
import type { Thread } from '../shared/threads/thread.ts';
import type { HostedCallApi, HostedCallEvents } from './call-media.ts';
import type { CallWorkerApi, CallWorkerEvents, WorkerLoad } from './call-worker-api.ts';

/** One call worker as the main thread accounts for it. */
export interface WorkerSlot {
  readonly index: number;
  readonly thread: Thread<CallWorkerApi, HostedCallApi, CallWorkerEvents, HostedCallEvents>;
  /** Calls placed on the worker; `load` is what the worker last reported. */
  readonly calls: Set<string>;
  /** Resolves when the worker is ready; rejects if it ends before. */
  readonly started: PromiseWithResolvers<void>;
  ready: boolean;
  /** RTP port pairs the worker last reported free, before `pairsRequested`. */
  freePairs: number;
  /** Requests for a pair that the worker has not answered. */
  pairsRequested: number;
  load: WorkerLoad;
  recogniserFault: RecogniserFault | null;
}

type Capacity = Pick<WorkerSlot, 'ready' | 'freePairs' | 'pairsRequested'> & {
  readonly calls: ReadonlySet<string>;
};

/** Calls a worker can take on top of those it has. */
export function freeCalls(slot: Capacity, maxCalls: number): number {
  if (!slot.ready) return 0;
  return Math.max(0, Math.min(maxCalls - slot.calls.size, slot.freePairs - slot.pairsRequested));
}

/** Of the workers that can take a call, the one with the fewest. */
export function leastBusy<T extends Capacity>(slots: readonly T[], maxCalls: number): T | undefined {
  let best: T | undefined;
  for (const slot of slots) {
    if (freeCalls(slot, maxCalls) === 0) continue;
    if (best === undefined || slot.calls.size < best.calls.size) best = slot;
  }
  return best;
}
