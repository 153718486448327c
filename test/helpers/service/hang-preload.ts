import { BroadcastChannel, isMainThread } from 'node:worker_threads';

/** How long a thread blocks. */
export interface Hang {
  readonly hangMs: number;
}

// Loaded into a thread before its program (node --import): blocks the thread when told, as a statement that does not end
// would, but without taking a processor from the other threads.
const channelName = process.env['HANG_CHANNEL'];
if (!isMainThread && channelName !== undefined) {
  const never = new Int32Array(new SharedArrayBuffer(4));
  const channel = new BroadcastChannel(channelName);
  channel.unref();
  channel.addEventListener('message', (event) => {
    Atomics.wait(never, 0, 0, (event as unknown as { data: Hang }).data.hangMs);
  });
}
