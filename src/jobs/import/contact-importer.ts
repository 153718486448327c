import { Worker } from 'node:worker_threads';
import type { Importer, ImportResult } from '../../domain/campaigns/import/run-import.ts';
import type { ImportTask } from '../../domain/campaigns/import/run-import.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { beatUpload } from '../../store/campaigns/uploads.ts';
import type { Db } from '../../store/database.ts';
import { ThreadPool } from '../../shared/threads/pool.ts';
import { RemoteError } from '../../shared/threads/remote-error.ts';
import { Thread, ThreadEnded } from '../../shared/threads/thread.ts';
import type { ImportApi, ImportEvents } from './import.thread.ts';

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

interface Progress {
  readBytes: number;
  rows: number;
}
type ImportThread = Thread<ImportApi, never, ImportEvents>;

/** Reads contact lists in worker threads, each with its own database connection. */
export class ContactImporter implements Importer {
  readonly #options: ImporterOptions;
  readonly #pool: ThreadPool<ImportThread>;
  readonly #progress = new Map<ImportThread, Progress>();

  constructor(options: ImporterOptions) {
    this.#options = options;
    this.#pool = new ThreadPool({
      size: options.most ?? 2,
      jobsEach: 1,
      idleMs: IDLE_MS,
      start: () => this.#start(),
    });
  }

  async run(task: ImportTask): Promise<ImportResult> {
    const progress = { readBytes: 0, rows: 0 };
    let isSaving = false;
    const timer = setInterval(() => {
      // One at a time: of two, the later one could be stored first, and the shown progress would go back.
      if (isSaving) return;
      isSaving = true;
      void this.#saveProgress(task, progress).finally(() => (isSaving = false));
    }, PROGRESS_MS);
    try {
      return await this.#pool.run((thread) => this.#read(thread, task, progress));
    } finally {
      clearInterval(timer);
    }
  }

  /** Terminates every thread; the database rolls their transactions back. */
  async close(): Promise<void> {
    await this.#pool.close();
  }

  #saveProgress(task: ImportTask, progress: Progress): Promise<void> {
    const { db, clock, log } = this.#options;
    return beatUpload(db, task, progress, new Date(clock.now())).catch((error: unknown) =>
      log.warn({ err: error }, 'the progress of a contact list could not be stored'),
    );
  }

  async #read(thread: ImportThread, task: ImportTask, progress: Progress): Promise<ImportResult> {
    this.#progress.set(thread, progress);
    try {
      return await thread.remote.call.run(task);
    } catch (error) {
      // Its database connection may be in any state.
      thread.discard();
      if (error instanceof RemoteError) {
        const { name, code, stack } = error;
        this.#options.log.warn(
          { error: name, errorCode: code, trace: stack },
          'a contact list could not be read',
        );
      }
      throw error instanceof ThreadEnded && error.cause instanceof Error ? error.cause : error;
    } finally {
      this.#progress.delete(thread);
    }
  }

  #start(): ImportThread {
    const worker = new Worker(new URL('./import.thread.ts', import.meta.url), {
      workerData: { url: this.#options.url },
      resourceLimits: THREAD_MEMORY,
    });
    const thread: ImportThread = new Thread<ImportApi, never, ImportEvents>(worker, {
      name: 'thread that read a contact list',
      ending: { by: 'terminate' },
      served: {
        api: {
          progress: (readBytes, rows) => Object.assign(this.#progress.get(thread) ?? {}, { readBytes, rows }),
        },
      },
    });
    return thread;
  }
}
