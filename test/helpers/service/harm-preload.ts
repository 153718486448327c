import { BroadcastChannel, isMainThread } from 'node:worker_threads';

/** How long a thread blocks, or that it allocates without end. */
export type Harm = { readonly hangMs: number } | 'leak';

// Loaded into a thread before its program (node --import): does it harm when told. It blocks as a statement that does not end
// would, but without taking a processor from the other threads.
const channelNames = process.env['HARM_CHANNELS']?.split(' ') ?? [];
if (!isMainThread) {
  const never = new Int32Array(new SharedArrayBuffer(4));
  const leaked: string[][] = [];
  const suffer = (harm: Harm): void => {
    if (harm !== 'leak') {
      Atomics.wait(never, 0, 0, harm.hangMs);
      return;
    }
    // A step at a time, as a call would that keeps what it hears.
    setInterval(() => {
      leaked.push(Array.from({ length: 50_000 }, (_, n) => `kept ${leaked.length} ${n}`));
    }, 5);
  };
  for (const name of channelNames) {
    const channel = new BroadcastChannel(name);
    channel.unref();
    channel.addEventListener('message', (event) => suffer((event as unknown as { data: Harm }).data));
  }
}
