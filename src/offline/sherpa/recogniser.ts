import { Worker } from 'node:worker_threads';
import { silentLog, type Log } from '../../shared/log.ts';
import { endThread, stopFlag, type StopFlag } from '../../shared/native-threads.ts';
import { recogniserCode } from '../../vendors/recogniser-languages.ts';
import type { VendorSettings } from '../../vendors/catalogue.ts';
import type { SttOptions, SttProvider, SttSession } from '../../providers/ports/recogniser.ts';
import { vendorFault, type VendorFault } from '../../providers/wire/fault.ts';
import { SHERPA_RATE } from './model.ts';
import { WireAudio } from '../../providers/stt/wire-audio.ts';

const NAME = 'sherpa';
const PACKAGE = 'sherpa-onnx-node';
const CHUNK_MS = 100;
/** A thread that decodes nothing of a call for this long, or is this much audio behind, does not keep up. */
const STALL_MS = 3_000;
const LARGEST_BACKLOG_MS = 30_000;
/** Loading a model may take this long. */
const LOAD_MS = 30_000;

/** Messages between a call worker and the recogniser's thread; samples are transferred. */
export type ToSherpa =
  | { readonly type: 'open'; readonly id: number }
  | { readonly type: 'close'; readonly id: number }
  | { readonly type: 'audio'; readonly id: number; readonly samples: Float32Array }
  | { readonly type: 'stop' };
export type FromSherpa =
  | { readonly type: 'ready' }
  /** Package or model are missing or broken. */
  | { readonly type: 'unusable'; readonly message: string }
  /** A chunk is decoded. `text`: the utterance so far; null: as before. */
  | { readonly type: 'heard'; readonly id: number; readonly text: string | null; readonly isFinal: boolean }
  | { readonly type: 'failed'; readonly id: number; readonly message: string };
interface SherpaModel {
  readonly folder: string;
  readonly module: string;
}
export interface SherpaData extends SherpaModel {
  readonly stop: StopFlag;
}

type Local = Pick<VendorSettings, 'languages'> & { readonly modelDir: string };
type Listener = (message: Exclude<FromSherpa, { type: 'ready' }>) => void;

interface Running {
  readonly worker: Worker;
  readonly stop: StopFlag;
}

/** The thread that decodes for all calls of a call worker; started anew after it died. */
class SherpaThread {
  readonly #model: SherpaModel;
  readonly #log: Log;
  readonly #listeners = new Map<number, Listener>();
  #running: Running | null = null;
  #nextId = 1;

  constructor(model: SherpaModel, log: Log) {
    this.#model = model;
    this.#log = log;
  }

  /** Starts loading; `onReady` is called when a model can decode. */
  start(onReady?: () => void): Worker {
    if (this.#running !== null) return this.#running.worker;
    const stop = stopFlag();
    const workerData: SherpaData = { ...this.#model, stop };
    const worker = new Worker(new URL('./sherpa.thread.ts', import.meta.url), { workerData });
    const running: Running = { worker, stop };
    this.#running = running;
    const lose = (message: string): void => {
      if (this.#running !== running) return;
      this.#running = null;
      void this.#end(running);
      this.#tellAll(message);
    };
    worker.on('message', (message: FromSherpa) => {
      if (message.type === 'ready') onReady?.();
      else if (message.type === 'unusable') lose(message.message);
      else this.#listeners.get(message.id)?.(message);
    });
    worker.on('error', (error) => lose(`its thread failed: ${error.message}`));
    worker.on('exit', () => lose('its thread ended'));
    worker.unref();
    return worker;
  }

  open(listener: Listener): number {
    const id = this.#nextId++;
    this.#listeners.set(id, listener);
    this.start().postMessage({ type: 'open', id } satisfies ToSherpa);
    return id;
  }

  hear(id: number, samples: Float32Array<ArrayBuffer>): void {
    this.#running?.worker.postMessage({ type: 'audio', id, samples } satisfies ToSherpa, [samples.buffer]);
  }

  close(id: number): void {
    this.#listeners.delete(id);
    this.#running?.worker.postMessage({ type: 'close', id } satisfies ToSherpa);
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    this.#listeners.clear();
    if (running !== null) await this.#end(running);
  }

  #end({ worker, stop }: Running): Promise<void> {
    return endThread(worker, { stop, log: this.#log, name: 'sherpa-onnx' });
  }

  #tellAll(message: string): void {
    for (const listener of this.#listeners.values()) listener({ type: 'unusable', message });
  }
}

/** A model folder of sherpa-onnx, decoded on this machine. `module` replaces the package, for tests. */
export function sherpaLocalStt(settings: Local, log = silentLog, module = PACKAGE): SttProvider {
  const thread = new SherpaThread({ folder: settings.modelDir, module }, log);
  // The model is loaded before the first call.
  thread.start();
  return {
    name: NAME,
    understands: (language) => recogniserCode(NAME, null, language, settings.languages) !== null,
    open: (options) => openSession(thread, options),
    close: () => thread.stop(),
  };
}

function openSession(thread: SherpaThread, { sampleRate, onEvent }: SttOptions): SttSession {
  const audio = new WireAudio(sampleRate, { encoding: 'float32', rate: SHERPA_RATE, chunkMs: CHUNK_MS });
  let isOver = false;
  let sentMs = 0;
  let heardMs = 0;
  let frameAt = 0;
  let frameClock = performance.now();
  let heardAt = frameClock;
  const now = (): number => frameAt + Math.round(performance.now() - frameClock);
  const fail = ({ message, retryable }: VendorFault): void => {
    if (isOver) return;
    isOver = true;
    thread.close(id);
    onEvent({ type: 'failed', message, retryable, at: now() });
  };
  const id = thread.open((message) => {
    if (isOver) return;
    if (message.type === 'unusable') return fail(vendorFault(NAME, 'rejected', message.message));
    if (message.type === 'failed') return fail(vendorFault(NAME, 'lost', message.message));
    heardMs += CHUNK_MS;
    heardAt = performance.now();
    const { text, isFinal } = message;
    if (text === null) return;
    const words = { text, audioMs: heardMs, at: now() };
    onEvent(isFinal ? { type: 'final', confidence: null, ...words } : { type: 'partial', ...words });
  });
  return {
    write(frame, at) {
      if (isOver) return;
      frameAt = at;
      frameClock = performance.now();
      audio.push(frame, (chunk) => {
        sentMs += CHUNK_MS;
        thread.hear(id, new Float32Array(chunk.buffer));
      });
      const behindMs = sentMs - heardMs;
      if (behindMs > LARGEST_BACKLOG_MS || (behindMs > 0 && frameClock - heardAt > STALL_MS)) {
        fail(vendorFault(NAME, 'timeout', 'it does not keep up', { retryable: false }));
      }
    },
    speechStarted: () => undefined,
    speechEnded: () => undefined,
    expect: () => undefined,
    usage: () => [{ vendor: 'sherpa-onnx', model: null, audioMs: sentMs }],
    close() {
      if (isOver) return;
      isOver = true;
      thread.close(id);
    },
  };
}

/** Loads the model as a call worker does. Resolves with the time in ms, or what is missing. */
export async function trySherpaLocal(settings: Local, module = PACKAGE): Promise<number | VendorFault> {
  const thread = new SherpaThread({ folder: settings.modelDir, module }, silentLog);
  const startedAt = performance.now();
  const result = await new Promise<number | VendorFault>((resolve) => {
    const timer = setTimeout(
      () => resolve(vendorFault(NAME, 'timeout', `the model is not loaded after ${LOAD_MS} ms`)),
      LOAD_MS,
    );
    thread.start(() => {
      clearTimeout(timer);
      resolve(Math.round(performance.now() - startedAt));
    });
    thread.open((message) => {
      if (message.type === 'heard') return;
      clearTimeout(timer);
      resolve(vendorFault(NAME, 'rejected', message.message));
    });
  });
  await thread.stop();
  return result;
}
