import { Worker } from 'node:worker_threads';
import { type Log, silentLog } from '../../shared/log.ts';
import { endThread, stopFlag, type StopFlag } from '../../shared/native-threads.ts';
import type { SampleRate } from '@callwright/audio';
import type { Grammar } from './grammar.ts';

/** Messages between a call worker and a recogniser thread. Utterance buffers are transferred. */
export type ToRecogniser =
  | { readonly type: 'prepare'; readonly grammar: Grammar }
  | {
      readonly type: 'decode';
      readonly id: number;
      readonly grammar: Grammar;
      readonly pcm: Int16Array<ArrayBuffer>;
      readonly sampleRate: SampleRate;
    }
  | { readonly type: 'stop' };

export type FromRecogniser =
  | { readonly type: 'ready' }
  | { readonly type: 'decoded'; readonly id: number; readonly text: string; readonly confidence: number }
  | { readonly type: 'failed'; readonly id: number; readonly message: string };

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

interface Thread {
  readonly worker: Worker;
  readonly stop: StopFlag;
  readonly jobs: Map<number, Job>;
}
interface Job {
  readonly onResult: (result: Recognised) => void;
  readonly timer: NodeJS.Timeout;
}

/** The least time between two starts that only try whether a thread works again. */
const RETRY_MS = 10_000;
/** After this time the pool replaces the thread. */
const JOB_TIMEOUT_MS = 8000;

/** A pool of decoder threads, started on first use; each utterance goes to the least busy thread. */
export class RecogniserPool {
  readonly #data: RecogniserOptions;
  readonly #size: number;
  readonly #log: Log;
  readonly #threads = new Set<Thread>();
  #nextId = 1;
  /** Why the last thread ended; null: one is ready, or none was started. */
  #fault: string | null = null;
  #retriedAt = 0;
  /** Waits for the next thread to be ready or to end. */
  #tried = Promise.withResolvers<string | null>();
  #closed = false;

  constructor(options: RecogniserOptions & { threads: number; log?: Log }) {
    const { threads, log, ...rest } = options;
    this.#data = rest;
    this.#size = Math.max(1, threads);
    this.#log = log ?? silentLog;
  }

  /** Starts the threads, so that the first utterance does not wait for a decoder. */
  start(): void {
    while (!this.#closed && this.#threads.size < this.#size) this.#startThread();
  }

  /** Why no thread can recognise; a thread is started again now and then, so that the fault goes by itself. */
  fault(): string | null {
    const now = performance.now();
    if (this.#fault !== null && this.#threads.size === 0 && now - this.#retriedAt >= RETRY_MS) {
      this.#retriedAt = now;
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
    for (const thread of this.#threads) post(thread, { type: 'prepare', grammar });
  }

  /** Recognises an utterance and takes ownership of `pcm`. Calls `onResult` once, unless the pool is closed. */
  decode(
    grammar: Grammar,
    pcm: Int16Array<ArrayBuffer>,
    sampleRate: SampleRate,
    onResult: (result: Recognised) => void,
  ): void {
    this.start();
    const [first, ...others] = this.#threads;
    if (first === undefined) return;
    const thread = others.reduce(
      (least, other) => (other.jobs.size < least.jobs.size ? other : least),
      first,
    );
    const id = this.#nextId++;
    const timer = setTimeout(() => {
      this.#log.error('a recogniser thread does not answer: it is replaced');
      this.#note('a recogniser thread does not answer');
      this.#lose(thread);
      void this.#end(thread);
    }, JOB_TIMEOUT_MS);
    timer.unref();
    thread.jobs.set(id, { onResult, timer });
    post(thread, { type: 'decode', id, grammar, pcm, sampleRate }, [pcm.buffer]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const threads = [...this.#threads];
    this.#threads.clear();
    for (const { jobs } of threads) {
      for (const job of jobs.values()) clearTimeout(job.timer);
      jobs.clear();
    }
    await Promise.all(threads.map((thread) => this.#end(thread)));
  }

  #end({ worker, stop }: Thread): Promise<void> {
    return endThread(worker, { stop, log: this.#log, name: 'recogniser' });
  }

  /** Fails the jobs of a thread that ended or does not answer; the next utterance starts another thread. */
  #lose(thread: Thread): void {
    this.#threads.delete(thread);
    const lost = [...thread.jobs.values()];
    thread.jobs.clear();
    for (const job of lost) {
      clearTimeout(job.timer);
      job.onResult({ type: 'failed', message: 'speech recogniser stopped' });
    }
  }

  #note(fault: string | null): void {
    this.#fault = fault;
    this.#tried.resolve(fault);
    this.#tried = Promise.withResolvers();
  }

  #startThread(): void {
    const stop = stopFlag();
    const worker = new Worker(new URL('./pocketsphinx.thread.ts', import.meta.url), {
      workerData: { ...this.#data, stop } satisfies RecogniserData,
    });
    const thread: Thread = { worker, stop, jobs: new Map() };
    worker.on('message', (message: FromRecogniser) => {
      if (message.type === 'ready') return this.#note(null);
      const job = thread.jobs.get(message.id);
      if (job === undefined) return undefined;
      thread.jobs.delete(message.id);
      clearTimeout(job.timer);
      job.onResult(message);
      return undefined;
    });
    worker.on('error', (error) => {
      this.#log.error({ err: error }, 'recogniser thread failed');
      this.#note(error instanceof Error ? error.message : String(error));
    });
    worker.on('exit', () => this.#lose(thread));
    worker.unref();
    this.#threads.add(thread);
  }
}

function post(thread: Thread, message: ToRecogniser, transfer: ArrayBuffer[] = []): void {
  thread.worker.postMessage(message, transfer);
}
