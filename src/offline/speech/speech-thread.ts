import { availableParallelism } from 'node:os';
import { Worker, type MessagePort } from 'node:worker_threads';
import type { Log } from '../../shared/log.ts';
import { silentLog } from '../../shared/log.ts';
import { moved } from '../../shared/threads/moved.ts';
import { Thread } from '../../shared/threads/thread.ts';
import type { SpeechThreadApi, SpeechThreadEvents } from './speech-api.ts';
import type { SpeechThreadOptions } from './synthesiser.ts';

export interface SpeechOptions extends Partial<SpeechThreadOptions> {
  log?: Log;
}

/** 32 MB hold about 35 minutes of speech at 8 kHz. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** Engine processes at once: each uses one core. */
const PROCESSES = Math.max(2, availableParallelism());
/** Grace period for the thread to end its processes before `close` terminates it. */
const CLOSE_MS = 1000;

/**
 * The speech thread of a process: it starts the engine processes for all calls, so that calls on every worker thread
 * share runs, queue and cache. Starts at the first connection, and again at the first one after a crash.
 */
export class SpeechThread {
  readonly #log: Log;
  readonly #options: SpeechThreadOptions;
  #thread: Thread<SpeechThreadApi, never, SpeechThreadEvents> | null = null;
  #closed = false;

  constructor({ log, ...options }: SpeechOptions = {}) {
    this.#log = log ?? silentLog;
    this.#options = {
      cacheBytes: options.cacheBytes ?? CACHE_BYTES,
      processes: options.processes ?? PROCESSES,
      espeakCommand: options.espeakCommand ?? 'espeak-ng',
      fliteCommand: options.fliteCommand ?? 'flite',
      ...(options.modelsDir === undefined ? {} : { modelsDir: options.modelsDir }),
      ...(options.voiceModule === undefined ? {} : { voiceModule: options.voiceModule }),
    };
  }

  connect(port: MessagePort): void {
    if (this.#closed) return port.close();
    const thread = (this.#thread ??= this.#start());
    thread.remote.send.connect(moved(port));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const thread = this.#thread;
    this.#thread = null;
    await thread?.stop();
  }

  #start(): Thread<SpeechThreadApi, never, SpeechThreadEvents> {
    const worker = new Worker(new URL('./speech.thread.ts', import.meta.url), { workerData: this.#options });
    worker.unref();
    const thread = new Thread<SpeechThreadApi, never, SpeechThreadEvents>(worker, {
      name: 'speech thread',
      ending: { by: 'request', withinMs: CLOSE_MS },
      served: {
        api: {
          voiceLost: (message) =>
            this.#log.warn(
              { err: new Error(message) },
              'a natural voice cannot be used: flite or espeak-ng speaks',
            ),
        },
      },
    });
    thread.onEnd(({ kind, cause }) => {
      if (this.#thread === thread) this.#thread = null;
      if (kind === 'failed') this.#log.error({ err: cause }, 'speech thread failed');
    });
    return thread;
  }
}
