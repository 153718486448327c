import { Worker } from 'node:worker_threads';
import type { Importer, ImportResult } from '../../domain/campaigns/import/importer.ts';
import type { ImportTask } from '../../domain/campaigns/import/run-import.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { beatUpload } from '../../store/campaign-uploads.ts';
import type { Db } from '../../store/database.ts';
import type { FromThread, ToThread } from './import-protocol.ts';

export interface ImporterOptions {
  readonly db: Db;
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Lists read at once; more wait their turn. */
  readonly most?: number;
}

const BEAT_MS = 1000;
/** A list is read in a few megabytes; without limits a thread's garbage would grow to many times that. */
const THREAD_MEMORY = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };
/** A thread without work is kept for so long: to start one costs more than to read a short list. */
const IDLE_MS = 30_000;

interface Idle {
  readonly thread: Worker;
  readonly timer: NodeJS.Timeout;
}

/** Reads contact lists in threads of their own, each on database connections of its own. */
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
    const beat = setInterval(() => this.#beat(task, progress), BEAT_MS);
    try {
      await this.#turn();
      try {
        return await this.#read(task, progress);
      } finally {
        this.#running -= 1;
        this.#waiting.shift()?.();
      }
    } finally {
      clearInterval(beat);
    }
  }

  /** Ends every thread; what they had begun is undone by the database. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  async #turn(): Promise<void> {
    if (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
  }

  #beat(task: ImportTask, progress: { readBytes: number; rows: number }): void {
    const { db, clock, log } = this.#options;
    beatUpload(db, task, progress, new Date(clock.now())).catch((error: unknown) =>
      log.warn({ err: error }, 'the progress of a contact list was not written'),
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
        if (isWell && !this.#isClosed) this.#rest(thread);
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
        reject(new Error('the reading of a contact list was cut off'));
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
      const at = this.#idle.findIndex((rested) => rested.thread === thread);
      if (at !== -1) this.#idle.splice(at, 1);
    });
    // One that breaks while it rests is simply gone.
    thread.on('error', () => undefined);
    return thread;
  }

  #rest(thread: Worker): void {
    const timer = setTimeout(() => void thread.terminate(), IDLE_MS);
    timer.unref();
    this.#idle.push({ thread, timer });
  }
}
