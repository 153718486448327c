import { Worker } from 'node:worker_threads';
import type { Importer, ImportResult } from '../../domain/campaigns/import/run-import.ts';
import type { ImportTask } from '../../domain/campaigns/import/run-import.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { beatUpload } from '../../store/campaigns/uploads.ts';
import type { Db } from '../../store/database.ts';
import type { FromThread, ToThread } from './import.thread.ts';

export interface ImporterOptions {
  readonly db: Db;
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum number of lists read in parallel; others wait. */
  readonly most?: number;
}

const PROGRESS_MS = 1000;
/** Reading a list takes a few megabytes; without limits, uncollected garbage would grow to many times that. */
const THREAD_MEMORY = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };
/** How long an idle thread is kept: starting one costs more than reading a short list. */
const IDLE_MS = 30_000;

interface Idle {
  readonly thread: Worker;
  readonly timer: NodeJS.Timeout;
}

/** Reads contact lists in worker threads, each with its own database connection. */
export class ContactImporter implements Importer {
  readonly #options: ImporterOptions;
  readonly #most: number;
  readonly #threads = new Set<Worker>();
  readonly #idle: Idle[] = [];
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #isClosed = false;

  constructor(options: ImporterOptions) {
    this.#options = options;
    this.#most = options.most ?? 2;
  }

  async run(task: ImportTask): Promise<ImportResult> {
    const progress = { readBytes: 0, rows: 0 };
    const timer = setInterval(() => this.#saveProgress(task, progress), PROGRESS_MS);
    try {
      await this.#slot();
      try {
        return await this.#read(task, progress);
      } finally {
        this.#running -= 1;
        this.#waiting.shift()?.();
      }
    } finally {
      clearInterval(timer);
    }
  }

  /** Terminates every thread; the database rolls their transactions back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  /** Waits for a free slot. */
  async #slot(): Promise<void> {
    if (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
  }

  #saveProgress(task: ImportTask, progress: { readBytes: number; rows: number }): void {
    const { db, clock, log } = this.#options;
    beatUpload(db, task, progress, new Date(clock.now())).catch((error: unknown) =>
      log.warn({ err: error }, 'the progress of a contact list could not be stored'),
    );
  }

  #read(task: ImportTask, progress: { readBytes: number; rows: number }): Promise<ImportResult> {
    if (this.#isClosed) throw new Error('the service is stopping');
    const thread = this.#thread();
    return new Promise((resolve, reject) => {
      const ended = (isWell: boolean): void => {
        thread.off('message', onMessage);
        thread.off('error', onError);
        thread.off('exit', onExit);
        if (isWell && !this.#isClosed) this.#release(thread);
        else void thread.terminate();
      };
      const onMessage = (message: FromThread): void => {
        if (message.kind === 'progress') {
          progress.readBytes = message.readBytes;
          progress.rows = message.rows;
          return;
        }
        ended(message.kind === 'ended');
        if (message.kind === 'ended') resolve(message.result);
        else reject(this.#failure(message.error));
      };
      const onError = (error: unknown): void => {
        ended(false);
        reject(error);
      };
      const onExit = (): void => {
        ended(false);
        reject(new Error('the thread that read a contact list ended'));
      };
      thread.on('message', onMessage).on('error', onError).on('exit', onExit);
      thread.postMessage({ task } satisfies ToThread);
    });
  }

  #failure({ name, code, message, trace }: Extract<FromThread, { kind: 'failed' }>['error']): Error {
    this.#options.log.warn({ error: name, errorCode: code, trace }, 'a contact list could not be read');
    return Object.assign(new Error(message), { name, code });
  }

  #thread(): Worker {
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      clearTimeout(idle.timer);
      return idle.thread;
    }
    const thread = new Worker(new URL(`./import.thread${import.meta.filename.slice(-3)}`, import.meta.url), {
      workerData: { url: this.#options.url },
      resourceLimits: THREAD_MEMORY,
    });
    this.#threads.add(thread);
    thread.once('exit', () => {
      this.#threads.delete(thread);
      const at = this.#idle.findIndex((entry) => entry.thread === thread);
      if (at !== -1) this.#idle.splice(at, 1);
    });
    // An idle thread that fails is dropped by the exit handler.
    thread.on('error', () => undefined);
    return thread;
  }

  #release(thread: Worker): void {
    const timer = setTimeout(() => void thread.terminate(), IDLE_MS);
    timer.unref();
    this.#idle.push({ thread, timer });
  }
}
