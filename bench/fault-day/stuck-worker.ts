import { BroadcastChannel, isMainThread, threadName } from 'node:worker_threads';

/** Shared memory in which the main thread raises a flag; the first call worker that takes the flag blocks. */
interface Stuck {
  readonly flag: Int32Array<SharedArrayBuffer>;
  readonly ms: number;
}

/** How long the call worker is stuck: its calls get another 12 s before the service would end them. */
export const STUCK_MS = 8_000;
const CHANNEL = 'fault-day';

// Loaded into the service before its program (node --import): SIGUSR2 blocks one call worker, as a statement that does not
// end would.
if (process.env['FAULT_DAY'] !== undefined) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  if (isMainThread) {
    process.on('SIGUSR2', () => {
      const flag = new Int32Array(new SharedArrayBuffer(4));
      channel.postMessage({ flag, ms: STUCK_MS } satisfies Stuck);
    });
  } else if (threadName?.startsWith('call-worker') === true) {
    channel.addEventListener('message', (event) => {
      const { flag, ms } = (event as unknown as { data: Stuck }).data;
      if (Atomics.compareExchange(flag, 0, 0, 1) !== 0) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    });
  }
}
