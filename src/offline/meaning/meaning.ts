import { Worker } from 'node:worker_threads';
import { isEnglish, type Language } from '@callwright/language';
import { silentLog, type Log } from '../../shared/log.ts';
import { isHostEnding, stopFlag, type StopFlag } from '../../shared/native-threads.ts';
import type { Moved } from '../../shared/threads/moved.ts';
import { Thread } from '../../shared/threads/thread.ts';
import type { InstalledModel } from '../models/installed.ts';
import { nativeModule } from '../models/onnx-runtime.ts';
import type { MeaningFiles } from './model.ts';

/** The thread of the model, as a call worker reaches it. */
export interface MeaningApi {
  vectorOf(text: string): Promise<Moved<Float32Array<ArrayBuffer>>>;
  stop(): void;
}
export interface MeaningThreadData {
  readonly files: MeaningFiles;
  readonly stop: StopFlag;
}

/** What tells how alike the meanings of texts are. */
export interface Meaning {
  understands(language: Language): boolean;
  /** Vectors of length 1 by their texts. Null: there are none, or not in time. */
  vectorsOf(texts: Iterable<string>, withinMs: number): Promise<ReadonlyMap<string, Float32Array> | null>;
  close(): Promise<void>;
}

/** 8 MB of vectors. */
const MOST_KNOWN = 5000;
const KNOWN_MS = 10_000;
const RETRY_MS = 60_000;

type MeaningThread = Thread<MeaningApi>;
type FindModel = (id: string) => InstalledModel | null;

/** Entries of the catalogue. */
const MODEL = 'minilm-l6-v2';
const RUNTIME = 'onnxruntime-web';

/** The files of the model; null: it is not installed. */
export function meaningFiles(find: FindModel): MeaningFiles | null {
  const [model, runtime] = [find(MODEL), find(RUNTIME)];
  if (model === null || runtime === null) return null;
  return {
    net: model.file('model_quantized.onnx'),
    tokenizer: model.file('tokenizer.json'),
    wasm: {
      script: runtime.file('ort.wasm.bundle.min.mjs'),
      binary: runtime.file('ort-wasm-simd-threaded.wasm'),
    },
    native: nativeModule(find),
  };
}

/** The embedding model of this machine, in a thread that starts with the first text. */
export function localMeaning(find: FindModel, log: Log = silentLog): Meaning {
  const known = new Map<string, Promise<Float32Array>>();
  let thread: MeaningThread | null = null;
  let files: { readonly at: number; readonly found: MeaningFiles | null } | null = null;
  let retryAt = -Infinity;

  const installed = (): MeaningFiles | null => {
    const now = performance.now();
    if (files === null || now - files.at >= KNOWN_MS) files = { at: now, found: meaningFiles(find) };
    return files.found;
  };
  const lose = (lost: MeaningThread, message: string): void => {
    if (thread !== lost) return;
    thread = null;
    retryAt = performance.now() + RETRY_MS;
    known.clear();
    lost.discard();
    log.warn(
      { err: new Error(message) },
      'the model of meanings cannot be used: questions are searched by words',
    );
  };
  const running = (): MeaningThread | null => {
    const found = installed();
    if (thread !== null || found === null || performance.now() < retryAt) return thread;
    const started = startThread(found, log);
    thread = started;
    started.onEnd(({ message }) => {
      if (!isHostEnding()) lose(started, message);
    });
    return started;
  };
  const vectorOf = (from: MeaningThread, text: string): Promise<Float32Array> => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const made: Promise<Float32Array> = from.remote.call.vectorOf(text);
    made.catch((error: unknown) => lose(from, error instanceof Error ? error.message : String(error)));
    known.set(text, made);
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return made;
  };
  return {
    understands: (language) => isEnglish(language) && installed() !== null,
    async vectorsOf(texts, withinMs) {
      const from = running();
      if (from === null) return null;
      const all = Promise.all(
        [...new Set(texts)].map(async (text) => [text, await vectorOf(from, text)] as const),
      ).then(
        (pairs) => new Map(pairs),
        () => null,
      );
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<null>((resolve) => {
        timer = setTimeout(() => resolve(null), withinMs);
      });
      return await Promise.race([all, late]).finally(() => clearTimeout(timer));
    },
    async close() {
      const last = thread;
      thread = null;
      known.clear();
      await last?.stop();
    },
  };
}

function startThread(files: MeaningFiles, log: Log): MeaningThread {
  const flag = stopFlag();
  const workerData: MeaningThreadData = { files, stop: flag };
  const worker = new Worker(new URL('./meaning.thread.ts', import.meta.url), { workerData });
  worker.unref();
  return new Thread<MeaningApi>(worker, {
    name: 'model of meanings',
    ending: { by: 'flag', flag, log },
    served: { api: {} },
  });
}
