import { setImmediate as otherMessages } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { NativeCalls } from '../../../shared/native-threads.ts';
import { setThreadPriority } from '../../../shared/thread-priority.ts';
import { moved } from '../../../shared/threads/moved.ts';
import { link } from '../../../shared/threads/remote.ts';
import { trimMemory } from '../../../shared/trim-memory.ts';
import type { HibariApi, HibariEvents, HibariThreadData } from './hibari-api.ts';
import { HibariVoice, type Sentence } from './voice.ts';

setThreadPriority('speech');

/** By then the runtime is compiled, which leaves 150 MB with the allocator. */
const TRIM_MS = 10_000;

const toPcm = (samples: Float32Array): Int16Array<ArrayBuffer> =>
  Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767));

/** Speaks outside the speech thread, which serves other voices meanwhile: a net works for a tenth of a second. */
function serve(port: NonNullable<typeof parentPort>, { stop }: HibariThreadData): void {
  const ends = link<HibariEvents, never, HibariApi>(port);
  const { send } = ends.remote;
  const calls = new NativeCalls(stop);
  let voice: HibariVoice | null = null;
  /** One sentence at a time. */
  let last: Promise<unknown> = Promise.resolve();
  const waiting = new Set<number>();
  const speak = async (id: number, sentence: Sentence): Promise<void> => {
    const isStopped = (): boolean => !waiting.has(id) || calls.isStopping;
    if (voice === null) throw new Error('the voice is not loaded');
    for await (const samples of voice.speak(sentence, isStopped)) {
      if (!isStopped()) send.samples(id, moved(toPcm(samples)));
    }
  };
  ends.serve({
    api: {
      load: async (files, net) => {
        const loading = calls.runAsync(async () => {
          const loaded = await HibariVoice.load(files);
          await loaded.open(net);
          return loaded;
        });
        last = loading.catch(() => undefined);
        voice = (await loading) ?? null;
        if (voice === null) throw new Error('the thread has to end');
        setTimeout(() => calls.run(trimMemory), TRIM_MS).unref();
      },
      speak: (id, sentence) => {
        waiting.add(id);
        last = last.then(async () => {
          // A sentence may be cancelled while the one before it is spoken.
          await otherMessages();
          if (!waiting.has(id)) return;
          const fault = await calls
            .runAsync(() => speak(id, sentence))
            .then(
              () => null,
              (error: unknown) => (error instanceof Error ? error.message : String(error)),
            );
          if (waiting.delete(id)) send.ended(id, fault);
        });
      },
      cancel: (id) => void waiting.delete(id),
      stop: () => {
        waiting.clear();
        void last.then(() => calls.release(() => voice?.release())).finally(() => port.close());
      },
    },
  });
}

if (parentPort !== null) serve(parentPort, workerData as HibariThreadData);
