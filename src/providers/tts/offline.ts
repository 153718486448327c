import { Worker } from 'node:worker_threads';
import type { Log } from '../../shared/log.ts';
import { silentLog } from '../../shared/log.ts';
import type { TtsEvent, TtsProvider, TtsSession, TtsVoice } from '../../voice/ports.ts';
import type { FromSpeechThread, SpeechThreadOptions, ToSpeechThread } from './protocol.ts';
import { planSynthesis } from './synthesis.ts';

export interface OfflineTtsOptions {
  log?: Log;
  /** Bound of the cache of whole utterances; 16 MB hold about 17 minutes at 8 kHz. */
  cacheBytes?: number;
  fliteAtOnce?: number;
  espeakAtOnce?: number;
  /** Programs to run, for machines that keep them elsewhere. */
  espeakCommand?: string;
  fliteCommand?: string;
}

/** How long a closing thread may take to end its processes before it is ended itself. */
const CLOSE_MS = 1000;
/** Words that are not ready by then are made when they are needed. */
const WARM_MS = 20_000;

/**
 * The voices of espeak-ng and flite. Processes are started by one thread per provider; the caller's thread
 * only passes messages. Without flite its voices are spoken by espeak-ng ones of the same gender.
 */
export class OfflineTts implements TtsProvider {
  readonly name = 'offline';
  readonly #log: Log;
  readonly #options: SpeechThreadOptions;
  readonly #listeners = new Map<number, (event: TtsEvent) => void>();
  #thread: Worker | null = null;
  #closed = false;
  #nextId = 1;

  constructor(options: OfflineTtsOptions = {}) {
    this.#log = options.log ?? silentLog;
    this.#options = {
      cacheBytes: options.cacheBytes ?? 16 * 1024 * 1024,
      fliteAtOnce: options.fliteAtOnce ?? 2,
      espeakAtOnce: options.espeakAtOnce ?? 8,
      espeakCommand: options.espeakCommand ?? 'espeak-ng',
      fliteCommand: options.fliteCommand ?? 'flite',
    };
  }

  open(options: TtsVoice): TtsSession {
    this.#running();
    const { sampleRate } = options;
    const closing = new AbortController();
    return {
      speak: (text, signal, onEvent) => {
        if (signal.aborted || closing.signal.aborted) return;
        const synthesis = planSynthesis({ ...options, text });
        if (synthesis === null) {
          queueMicrotask(() => {
            if (!signal.aborted && !closing.signal.aborted) onEvent({ type: 'done' });
          });
          return;
        }
        const id = this.#nextId++;
        const cancel = (): void => {
          signal.removeEventListener('abort', cancel);
          closing.signal.removeEventListener('abort', cancel);
          if (this.#listeners.delete(id)) this.#tell({ type: 'cancel', id });
        };
        signal.addEventListener('abort', cancel);
        closing.signal.addEventListener('abort', cancel);
        this.#listeners.set(id, (event) => {
          if (event.type !== 'audio') {
            this.#listeners.delete(id);
            cancel();
          }
          onEvent(event);
        });
        this.#tell({ type: 'speak', id, synthesis, sampleRate });
      },
      close: () => closing.abort(),
    };
  }

  /** Starts the thread before the first words are asked for: a first caller waits no longer than the next. */
  start(): this {
    this.#running();
    return this;
  }

  /** Puts an utterance into the cache, so that it starts at once when it is spoken. */
  warm(options: TtsVoice, text: string): void {
    const session = this.open(options);
    session.speak(text, AbortSignal.timeout(WARM_MS), (event) => {
      if (event.type !== 'audio') session.close();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listeners.clear();
    const thread = this.#thread;
    this.#thread = null;
    if (thread === null) return;
    const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
    thread.postMessage({ type: 'stop' });
    const timer = setTimeout(() => void thread.terminate(), CLOSE_MS);
    await ended;
    clearTimeout(timer);
  }

  #tell(message: ToSpeechThread): void {
    this.#running()?.postMessage(message);
  }

  /** The thread, started when there is none: at the beginning and after a crash. */
  #running(): Worker | null {
    if (this.#thread !== null || this.#closed) return this.#thread;
    const thread = new Worker(new URL('./tts.thread.ts', import.meta.url), { workerData: this.#options });
    thread.on('message', (event: FromSpeechThread) => this.#listeners.get(event.id)?.(event));
    thread.on('error', (error) => this.#log.error({ err: error }, 'speech thread failed'));
    thread.on('exit', () => {
      if (this.#thread !== thread) return;
      this.#thread = null;
      const lost = [...this.#listeners.values()];
      this.#listeners.clear();
      for (const listener of lost) {
        listener({ type: 'failed', message: 'speech synthesis stopped', retryable: true });
      }
    });
    thread.unref();
    this.#thread = thread;
    return thread;
  }
}

/** The offline speech synthesiser as a provider. */
export const createOfflineTts = (options: OfflineTtsOptions = {}): OfflineTts => new OfflineTts(options);
