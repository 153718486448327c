import { Worker } from 'node:worker_threads';
import { type Log, silentLog } from '../../shared/log.ts';
import { stopFlag, type StopFlag } from '../../shared/native-threads.ts';
import { moved, type Moved } from '../../shared/threads/moved.ts';
import { ThreadPool } from '../../shared/threads/pool.ts';
import { NoAnswer, RemoteError } from '../../shared/threads/remote-error.ts';
import { Thread } from '../../shared/threads/thread.ts';
import type { SampleRate } from '@callwright/audio';
import type { Grammar } from './grammar.ts';

/** A recogniser's thread, as a call worker reaches it. */
export interface SphinxApi {
  prepare(grammar: Grammar): void;
  decode(
    grammar: Grammar,
    pcm: Moved<Int16Array<ArrayBuffer>>,
    sampleRate: SampleRate,
  ): Promise<{ readonly text: string; readonly confidence: number }>;
  stop(): void;
}
export interface SphinxEvents {
  ready(): void;
}

export interface RecogniserOptions {
  readonly modelDirectory: string;
  readonly espeakCommand: string;
  readonly fliteCommand: string;
}
export interface RecogniserData extends RecogniserOptions {
  readonly stop: StopFlag;
}

export type Recognised =
  | { readonly type: 'decoded'; readonly text: string; readonly confidence: number }
  | { readonly type: 'failed'; readonly message: string };

type SphinxThread = Thread<SphinxApi, never, SphinxEvents>;

/** The least time between two starts that only try whether a thread works again. */
const RETRY_MS = 10_000;
/** How long an utterance, and the load of a thread, may take before the thread counts as hung. */
const LIMITS_MS = { utterance: 8_000, load: 60_000 };
type Limits = Readonly<typeof LIMITS_MS>;

/** A pool of decoder threads, started on first use; each utterance goes to the least busy thread. */
export class RecogniserPool {
  readonly #data: RecogniserOptions;
  readonly #log: Log;
  readonly #pool: ThreadPool<SphinxThread>;
  /** The threads that cannot recognise yet, and when each began to load (`performance.now()`). */
  readonly #loading = new Map<SphinxThread, number>();
  readonly #limits: Limits;
  /** Why the last thread ended; null: another was ready after it, or none was started. */
  #fault: string | null = null;
  #retriedAt = Number.NEGATIVE_INFINITY;
  /** Waits for the next thread to be ready or to end. */
  #tried = Promise.withResolvers<string | null>();
  #closed = false;

  constructor(options: RecogniserOptions & { threads: number; log?: Log; limitsMs?: Partial<Limits> }) {
    const { threads, log, limitsMs, ...rest } = options;
    this.#data = rest;
    this.#limits = { ...LIMITS_MS, ...limitsMs };
    this.#log = log ?? silentLog;
    this.#pool = new ThreadPool({ size: Math.max(1, threads), start: () => this.#startThread() });
  }

  /** Starts the threads, so that the first utterance does not wait for a decoder. */
  start(): void {
    this.#pool.fill();
  }

  /** Why no thread can recognise; those that ended are started again now and then, so that the fault goes by itself. */
  fault(): string | null {
    if (this.#pool.threads.some((thread) => !this.#loading.has(thread))) return null;
    const now = performance.now();
    if (this.#fault !== null && now - this.#retriedAt >= RETRY_MS) {
      this.#retriedAt = now;
      for (const thread of this.#pool.threads) if (this.#isHung(thread)) this.#replace(thread);
      this.start();
    }
    return this.#fault;
  }

  /** Resolves once a thread is ready (null) or has failed. */
  tried(): Promise<string | null> {
    this.start();
    return this.#tried.promise;
  }

  prepare(grammar: Grammar): void {
    this.start();
    for (const { remote } of this.#pool.threads) remote.send.prepare(grammar);
  }

  /** Recognises an utterance and takes ownership of `pcm`. Calls `onResult` once, unless the pool is closed. */
  decode(
    grammar: Grammar,
    pcm: Int16Array<ArrayBuffer>,
    sampleRate: SampleRate,
    onResult: (result: Recognised) => void,
  ): void {
    this.start();
    void this.#decoded(grammar, pcm, sampleRate).then((result) => {
      if (!this.#closed) onResult(result);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool.close();
  }

  async #decoded(
    grammar: Grammar,
    pcm: Int16Array<ArrayBuffer>,
    sampleRate: SampleRate,
  ): Promise<Recognised> {
    try {
      return await this.#pool.run(async (thread) => {
        const { decode } = thread.remote.calls({ withinMs: this.#limits.utterance });
        const heard = await decode(grammar, moved(pcm), sampleRate).catch((error: unknown) => {
          if (error instanceof NoAnswer && !this.#closed && this.#isHung(thread)) this.#replace(thread);
          throw error;
        });
        return { type: 'decoded', ...heard };
      });
    } catch (error) {
      const message = error instanceof RemoteError ? error.message : 'speech recogniser stopped';
      return { type: 'failed', message };
    }
  }

  /** Whether a thread that does not answer has had the time to load. */
  #isHung(thread: SphinxThread): boolean {
    const since = this.#loading.get(thread);
    return since === undefined || performance.now() - since > this.#limits.load;
  }

  #replace(thread: SphinxThread): void {
    this.#log.error('a recogniser thread does not answer: it is replaced');
    this.#note('a recogniser thread does not answer');
    thread.discard();
  }

  #note(fault: string | null): void {
    this.#fault = fault;
    this.#tried.resolve(fault);
    this.#tried = Promise.withResolvers();
  }

  #startThread(): SphinxThread {
    const flag = stopFlag();
    const worker = new Worker(new URL('./pocketsphinx.thread.ts', import.meta.url), {
      workerData: { ...this.#data, stop: flag } satisfies RecogniserData,
    });
    worker.unref();
    const thread: SphinxThread = new Thread<SphinxApi, never, SphinxEvents>(worker, {
      name: 'recogniser',
      ending: { by: 'flag', flag, log: this.#log },
      served: {
        api: {
          ready: () => {
            this.#loading.delete(thread);
            this.#note(null);
          },
        },
      },
    });
    this.#loading.set(thread, performance.now());
    thread.onEnd(({ kind, cause }) => {
      this.#loading.delete(thread);
      if (kind !== 'failed') return;
      this.#log.error({ err: cause }, 'recogniser thread failed');
      this.#note(cause instanceof Error ? cause.message : String(cause));
    });
    return thread;
  }
}
