import { parentPort, workerData } from 'node:worker_threads';
import { NativeCalls } from '../../shared/native-threads.ts';
import { moved } from '../../shared/threads/moved.ts';
import { link } from '../../shared/threads/remote.ts';
import type { MeaningApi, MeaningThreadData } from './meaning.ts';
import { MeaningModel } from './model.ts';

/** Computes vectors outside the call worker's thread: each takes milliseconds. */
function serve(port: NonNullable<typeof parentPort>, { files, stop }: MeaningThreadData): void {
  const calls = new NativeCalls(stop);
  const loading = calls.runAsync(() => MeaningModel.load(files));
  // The first vector reports why the model cannot be used.
  loading.catch(() => undefined);
  let last: Promise<unknown> = Promise.resolve();
  const vectorOf = async (text: string): Promise<Float32Array<ArrayBuffer>> => {
    const vector = await calls.runAsync(async () => (await loading)?.vectorOf(text));
    if (vector === undefined) throw new Error('the thread has to end');
    return vector;
  };
  link<object, never, MeaningApi>(port).serve({
    api: {
      vectorOf: (text) => {
        const made = last.then(() => vectorOf(text)).then(moved);
        last = made.catch(() => undefined);
        return made;
      },
      stop: () => {
        const release = async (): Promise<void> => (await loading)?.release();
        void last
          .then(() => calls.release(() => release().catch(() => undefined)))
          .finally(() => port.close());
      },
    },
  });
}

if (parentPort !== null) serve(parentPort, workerData as MeaningThreadData);
