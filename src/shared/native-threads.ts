import { getEnvironmentData, setEnvironmentData, Worker, type WorkerOptions } from 'node:worker_threads';
import type { Log } from './log.ts';

/*
 * Terminating a thread during a native call (koffi, sherpa-onnx, onnxruntime) may abort the process, and koffi may swallow
 * the termination. So a thread that calls native code ends by itself, and the threads above it are terminated only
 * while none of its calls runs.
 */

/** Shared memory; raised, it makes one thread end after its current native call. */
export type StopFlag = Int32Array<SharedArrayBuffer>;

export const stopFlag = (): StopFlag => new Int32Array(new SharedArrayBuffer(4));
const isRaised = (flag: Int32Array): boolean => Atomics.load(flag, 0) !== 0;
const raise = (flag: Int32Array): void => void Atomics.store(flag, 0, 1);

/** The memory that a `HostThread` shares with the threads below it: a stop flag, and the number of native calls. */
const KEY = 'callwright native calls';
const CALLS = 1;

/** Longer than any native call but the load of a large model. */
const END_MS = 10_000;
const CHECK_MS = 10;

/** The memory of the host of this thread. */
const shared = (): Int32Array => (getEnvironmentData(KEY) ?? ALONE) as Int32Array;
const ALONE = new Int32Array(2);

/** Whether the thread that started this one ends it: the threads below it then end by themselves. */
export const isHostEnding = (): boolean => isRaised(shared());

/** Runs native code for which the host waits before it terminates this thread. Throws when the thread has to end. */
export function countedNativeCall<T>(call: () => T): T {
  const host = shared();
  Atomics.add(host, CALLS, 1);
  try {
    if (isRaised(host)) throw new Error('the thread has to end');
    return call();
  } finally {
    Atomics.sub(host, CALLS, 1);
  }
}

/** The native calls of a thread that ends by itself. */
export class NativeCalls {
  readonly #stop: StopFlag;
  readonly #shared = shared();

  /** `stop`: ends this thread. */
  constructor(stop: StopFlag) {
    this.#stop = stop;
  }

  get isStopping(): boolean {
    return isRaised(this.#stop) || isRaised(this.#shared);
  }

  /** Runs native code; undefined, without a run: the thread has to end. */
  run<T>(call: () => T): T | undefined {
    if (!this.#enter()) return undefined;
    try {
      return call();
    } finally {
      this.#leave();
    }
  }

  /** Runs native code that continues after its return. */
  async runAsync<T>(call: () => Promise<T>): Promise<T | undefined> {
    if (!this.#enter()) return undefined;
    try {
      return await call();
    } finally {
      this.#leave();
    }
  }

  /** Frees native objects while the thread ends; a terminated thread leaves them to the system. */
  async release(free: () => unknown): Promise<void> {
    Atomics.add(this.#shared, CALLS, 1);
    try {
      if (!isRaised(this.#shared)) await free();
    } finally {
      this.#leave();
    }
  }

  #enter(): boolean {
    // Counted before the check: a host that reads a count of zero after it raised the flag prevents every further call.
    Atomics.add(this.#shared, CALLS, 1);
    if (!this.isStopping) return true;
    this.#leave();
    return false;
  }

  #leave(): void {
    Atomics.sub(this.#shared, CALLS, 1);
  }
}

interface Ending {
  readonly stop: StopFlag;
  readonly log: Log;
  /** Name of the thread in the log. */
  readonly name: string;
  /** Wakes the thread, so that it sees its flag. */
  readonly ask: () => void;
  readonly withinMs?: number;
}

/**
 * Has a thread end by itself: raises its flag, asks it to end and waits for its exit. A thread that takes longer
 * is logged and left to end when its native call returns.
 */
export async function endThread(
  worker: Pick<Worker, 'threadId' | 'once' | 'ref' | 'unref'>,
  { stop, log, name, ask, withinMs = END_MS }: Ending,
): Promise<void> {
  raise(stop);
  if (worker.threadId === -1) return;
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  ask();
  // Its exit is worth waiting for, but not beyond the bound.
  worker.ref();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      log.error({ thread: name }, 'a thread does not end: its native call has not returned');
      worker.unref();
      resolve();
    }, withinMs);
  });
  await Promise.race([exited, late]);
  clearTimeout(timer);
}

/**
 * V8 lets the young generation of a busy thread grow to 48 MB before it collects. With 12 MB a collection stops the thread
 * for a shorter time, and costs no more processor time (bench/media.ts).
 */
const YOUNG_GENERATION_MB = 12;

/**
 * A thread that starts threads which call native code. `terminate` waits for the native calls under way; after the bound
 * it logs the fault and terminates.
 */
export class HostThread extends Worker {
  readonly #shared: Int32Array;
  readonly #log: Log;

  constructor(file: URL, options: WorkerOptions, log: Log) {
    const shared = new Int32Array(new SharedArrayBuffer(8));
    const outer = getEnvironmentData(KEY);
    setEnvironmentData(KEY, shared);
    super(file, {
      ...options,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB, ...options.resourceLimits },
    });
    setEnvironmentData(KEY, outer);
    this.#shared = shared;
    this.#log = log;
  }

  override async terminate(): Promise<number> {
    raise(this.#shared);
    for (let waitedMs = 0; Atomics.load(this.#shared, CALLS) !== 0; waitedMs += CHECK_MS) {
      if (waitedMs >= END_MS) {
        this.#log.error({}, 'a native call does not return: its thread is terminated during the call');
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
    }
    return super.terminate();
  }
}
