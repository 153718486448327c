import { Worker } from 'node:worker_threads';
import { silentLog, type Log } from '../../shared/log.ts';
import { stopFlag, type StopFlag } from '../../shared/native-threads.ts';
import { moved, type Moved } from '../../shared/threads/moved.ts';
import { Thread } from '../../shared/threads/thread.ts';
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

/** The recogniser's thread, as a call worker reaches it. */
export interface SherpaApi {
  open(id: number): void;
  hear(id: number, samples: Moved<Float32Array<ArrayBuffer>>): void;
  close(id: number): void;
  stop(): void;
}
export interface SherpaEvents {
  ready(): void;
  /** Package or model are missing or broken. */
  unusable(message: string): void;
  /** A chunk is decoded. `text`: the utterance so far; null: as before. */
  heard(id: number, text: string | null, isFinal: boolean): void;
  failed(id: number, message: string): void;
}
interface SherpaModel {
  readonly folder: string;
  readonly module: string;
}
export interface SherpaData extends SherpaModel {
  readonly stop: StopFlag;
}

type Local = Pick<VendorSettings, 'languages'> & { readonly modelDir: string };
interface Listener {
  heard(text: string | null, isFinal: boolean): void;
  /** The stream is over. `kind`: whether the model cannot be used at all. */
  failed(kind: 'rejected' | 'lost', message: string): void;
}

type Running = Thread<SherpaApi, never, SherpaEvents>;

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
  start(onReady?: () => void): Running {
    if (this.#running !== null) return this.#running;
    const flag = stopFlag();
    const workerData: SherpaData = { ...this.#model, stop: flag };
    const worker = new Worker(new URL('./sherpa.thread.ts', import.meta.url), { workerData });
    worker.unref();
    const running: Running = new Thread<SherpaApi, never, SherpaEvents>(worker, {
      name: 'thread of sherpa-onnx',
      ending: { by: 'flag', flag, log: this.#log },
      served: {
        api: {
          ready: () => onReady?.(),
          unusable: (message) => this.#lose(running, message),
          heard: (id, text, isFinal) => this.#listeners.get(id)?.heard(text, isFinal),
          failed: (id, message) => this.#listeners.get(id)?.failed('lost', message),
        },
      },
    });
    this.#running = running;
    running.onEnd(({ message }) => this.#lose(running, message));
    return running;
  }

  open(listener: Listener): number {
    const id = this.#nextId++;
    this.#listeners.set(id, listener);
    this.start().remote.send.open(id);
    return id;
  }

  hear(id: number, samples: Float32Array<ArrayBuffer>): void {
    this.#running?.remote.send.hear(id, moved(samples));
  }

  close(id: number): void {
    this.#listeners.delete(id);
    this.#running?.remote.send.close(id);
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    this.#listeners.clear();
    await running?.stop();
  }

  #lose(running: Running, message: string): void {
    if (this.#running !== running) return;
    this.#running = null;
    running.discard();
    for (const listener of this.#listeners.values()) listener.failed('rejected', message);
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
  const id = thread.open({
    failed: (kind, message) => fail(vendorFault(NAME, kind, message)),
    heard: (text, isFinal) => {
      if (isOver) return;
      heardMs += CHUNK_MS;
      heardAt = performance.now();
      if (text === null) return;
      const words = { text, audioMs: heardMs, at: now() };
      onEvent(isFinal ? { type: 'final', confidence: null, ...words } : { type: 'partial', ...words });
    },
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
    thread.open({
      heard: () => undefined,
      failed: (_kind, message) => {
        clearTimeout(timer);
        resolve(vendorFault(NAME, 'rejected', message));
      },
    });
  });
  await thread.stop();
  return result;
}
