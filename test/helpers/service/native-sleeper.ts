/** A thread that sleeps in native code and notes in shared memory that the call returned; or a thread above one. */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import koffi from 'koffi';
import { NativeCalls, type StopFlag } from '../../../src/shared/native-threads.ts';

export interface SleeperData {
  readonly isHost: boolean;
  readonly stop: StopFlag;
  readonly sleepMs: number;
  /** Calls that began, and calls that returned. */
  readonly counts: Int32Array<SharedArrayBuffer>;
}

const data = workerData as SleeperData;
const { stop, sleepMs, counts } = data;
if (data.isHost) {
  const below = new Worker(new URL(import.meta.url), {
    workerData: { ...data, isHost: false } satisfies SleeperData,
  });
  below.on('message', (message) => parentPort?.postMessage(message));
} else {
  const calls = new NativeCalls(stop);
  const sleep = koffi.load(null).func('int usleep(uint32_t)') as (microseconds: number) => number;
  parentPort?.on('message', () => parentPort?.close());
  const timer = setInterval(() => {
    if (calls.isStopping) clearInterval(timer);
    calls.run(() => {
      Atomics.add(counts, 0, 1);
      parentPort?.postMessage('sleeping');
      sleep(sleepMs * 1000);
      Atomics.add(counts, 1, 1);
    });
  }, 1);
}
