import { setImmediate as otherMessages } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { NativeCalls } from '../../shared/native-threads.ts';
import { moved } from '../../shared/threads/moved.ts';
import { link } from '../../shared/threads/remote.ts';
import { trimMemory } from '../../shared/trim-memory.ts';
import type { NaturalApi, NaturalEvents, NaturalFiles, NaturalThreadData, Sentence } from './natural-api.ts';

/** By then the runtime is compiled, which leaves 150 MB with the allocator. */
const TRIM_MS = 10_000;

/** Voices of one kind, on the thread that speaks them. */
export interface LoadedVoices {
  /** Speaks a sentence in pieces, full scale 1. `isStopped` ends it between two pieces. */
  speak(
    sentence: Sentence,
    isStopped: () => boolean,
  ): AsyncIterable<{ readonly samples: Float32Array; readonly sampleRate: number }>;
  /** Loads a voice before its first sentence. */
  open(net: string): Promise<unknown>;
  release(): Promise<void>;
}

const toPcm = (samples: Float32Array): Int16Array<ArrayBuffer> =>
  Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767));

/** Speaks outside the speech thread, which serves other voices meanwhile: a net works for a tenth of a second and more. */
export function serveVoices(
  port: MessagePort,
  { stop }: NaturalThreadData,
  load: (files: NaturalFiles) => Promise<LoadedVoices>,
): void {
  const ends = link<NaturalEvents, never, NaturalApi>(port);
  const { send } = ends.remote;
  const calls = new NativeCalls(stop);
  let voices: LoadedVoices | null = null;
  /** One sentence at a time. */
  let last: Promise<unknown> = Promise.resolve();
  const waiting = new Set<number>();
  const speak = async (id: number, sentence: Sentence): Promise<void> => {
    const isStopped = (): boolean => !waiting.has(id) || calls.isStopping;
    if (voices === null) throw new Error('the voice is not loaded');
    for await (const { samples, sampleRate } of voices.speak(sentence, isStopped)) {
      if (!isStopped()) send.samples(id, moved(toPcm(samples)), sampleRate);
    }
  };
  ends.serve({
    api: {
      load: async (files, net) => {
        const loading = calls.runAsync(async () => {
          const loaded = await load(files);
          await loaded.open(net);
          return loaded;
        });
        last = loading.catch(() => undefined);
        voices = (await loading) ?? null;
        if (voices === null) throw new Error('the thread has to end');
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
        void last.then(() => calls.release(() => voices?.release())).finally(() => port.close());
      },
    },
  });
}
