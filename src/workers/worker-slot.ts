import type { Worker } from 'node:worker_threads';
import type { Pulse } from '../shared/pulse.ts';
import type { RecogniserFault } from '../providers/ports/recogniser.ts';

export type WorkerThread = Pick<Worker, 'postMessage' | 'on' | 'once' | 'terminate'>;

/** One call worker as the main thread accounts for it. */
export interface WorkerSlot {
  readonly index: number;
  readonly thread: WorkerThread;
  /** Calls placed on the worker; `load` is what the worker last reported. */
  readonly calls: Set<string>;
  ready: boolean;
  /** The thread exited or hangs: its calls are lost and another worker takes its place. */
  isLost: boolean;
  readonly pulse: Pulse;
  /** RTP port pairs the worker last reported free, before `pairsRequested`. */
  freePairs: number;
  /** Requests for a pair that the worker has not answered. */
  pairsRequested: number;
  load: WorkerLoad;
  recogniserFault: RecogniserFault | null;
}
export interface WorkerLoad {
  calls: number;
  rtpPortsInUse: number;
  lateTickP99Ms: number;
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
