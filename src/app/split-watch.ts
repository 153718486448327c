import type { ReadyCheck } from '../http/server/server-deps.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import type { Db } from '../store/database.ts';
import { callProcesses } from '../store/nodes.ts';

const LOOK_MS = 30_000;
/** Three times the lease of a process: later it counts as dead. */
const ALIVE_MS = 45_000;

export interface SplitWatchOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** The name of the disk of recordings that this process reads; null: recordings are in an object store. */
  readonly disk: string | null;
}

/**
 * Looks from a process without calls at those that carry them. What is missing never makes this process unready: it still
 * stores calls, which start once such a process runs.
 */
export class SplitWatch {
  readonly #options: SplitWatchOptions;
  readonly #poller: Poller;
  #known = '';

  constructor(options: SplitWatchOptions) {
    this.#options = options;
    this.#poller = new Poller({
      poll: async () => void (await this.checks()),
      pollMs: LOOK_MS,
      onError: (error) =>
        options.log.warn({ err: error }, 'the processes that carry calls could not be read'),
    });
  }

  start(): void {
    this.#poller.start();
  }

  stop(): Promise<void> {
    return this.#poller.stop();
  }

  async checks(): Promise<ReadyCheck[]> {
    const { db, clock, disk } = this.#options;
    const processes = await callProcesses(db, new Date(clock.now() - ALIVE_MS));
    const calls =
      processes.length === 0 ? 'no process that carries calls is alive: calls wait until one starts' : null;
    const apart = processes.filter((process) => process.disk !== null && process.disk !== disk);
    const recordings =
      disk === null || apart.length === 0
        ? null
        : `recordings of ${apart.map(({ name }) => name).join(', ')} lie on a disk that this process does not read, so links to them answer 404: set S3_ENDPOINT in every process, or share the folder recordings of DATA_DIR`;
    this.#note([calls, recordings].filter((note) => note !== null));
    return [
      { name: 'call processes', ok: true, ...(calls === null ? {} : { detail: calls }) },
      {
        name: 'recordings of other processes',
        ok: true,
        ...(recordings === null ? {} : { detail: recordings }),
      },
    ];
  }

  #note(notes: readonly string[]): void {
    const text = notes.join('; ');
    if (text === this.#known) return;
    this.#known = text;
    if (text === '') this.#options.log.info({}, 'the processes that carry calls are well again');
    else this.#options.log.warn({ notes }, 'this process needs others that carry calls');
  }
}
