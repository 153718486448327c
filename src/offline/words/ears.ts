import { availableParallelism } from 'node:os';
import { Worker, type MessagePort } from 'node:worker_threads';
import { silentLog, type Log } from '../../shared/log.ts';
import { stopFlag } from '../../shared/native-threads.ts';
import { moved } from '../../shared/threads/moved.ts';
import { Thread } from '../../shared/threads/thread.ts';
import { callsHeard } from './calls-heard.ts';
import type { EarModel, EarThreadApi, EarThreadData, EarThreadEvents, LoadedModel } from './ear-api.ts';

type EarThread = Thread<EarThreadApi, never, EarThreadEvents>;

interface Place {
  readonly thread: EarThread;
  streams: number;
}

/** Why a model cannot be loaded. */
export interface ModelFault {
  readonly model: string;
  readonly message: string;
}

/** How long a model that cannot be loaded is not tried again. */
const RETRY_MS = 60_000;

/**
 * The recogniser threads of a process: they hear the calls of all workers with one copy of each model. Threads start as
 * streams need them, at most one a core, and again after one ended.
 */
export class EarThreads {
  readonly #log: Log;
  readonly #size: number;
  readonly #places: Place[] = [];
  readonly #models = new Map<string, Promise<LoadedModel>>();
  #share: number | null = null;
  #fault: ModelFault | null = null;
  #closed = false;

  constructor({ log = silentLog, threads = availableParallelism() }: { log?: Log; threads?: number } = {}) {
    this.#log = log;
    this.#size = threads;
  }

  /** Calls whose callers may all speak at once; null: no model is loaded. */
  get calls(): number | null {
    return this.#share === null ? null : callsHeard(this.#size, this.#share);
  }

  /** The share of a core that a speaking caller takes; null: no model is loaded. */
  get share(): number | null {
    return this.#share;
  }

  /** The last model that could not be loaded; null: the last one could. */
  get fault(): ModelFault | null {
    return this.#fault;
  }

  get streams(): number {
    return this.#places.reduce((sum, { streams }) => sum + streams, 0);
  }

  /** Loads the model before the first call. Rejects with the reason why it cannot be used. */
  async load(model: EarModel): Promise<LoadedModel> {
    return this.#load(model, this.#place(model));
  }

  connect(port: MessagePort, model: EarModel): void {
    if (this.#closed) return port.close();
    const place = this.#place(model);
    place.streams += 1;
    this.#load(model, place).then(
      ({ address }) => {
        if (place.thread.ended === null) place.thread.remote.send.connect(moved(port), address, model.reader);
        else port.close();
      },
      () => {
        place.streams -= 1;
        port.close();
      },
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#places.splice(0).map(({ thread }) => thread.stop()));
  }

  #load({ id: model, folder, reader, turn }: EarModel, place: Place): Promise<LoadedModel> {
    const known = this.#models.get(folder);
    if (known !== undefined) return known;
    const loading = place.thread.remote.call.load({
      folder,
      reader,
      ...(turn === undefined ? {} : { turn }),
    });
    this.#models.set(folder, loading);
    loading.then(
      ({ share }) => {
        this.#fault = null;
        this.#share = Math.max(this.#share ?? 0, share);
        this.#log.info({ model, share }, 'the recogniser of this machine is loaded');
      },
      (error: unknown) => {
        setTimeout(() => this.#models.delete(folder), RETRY_MS).unref();
        if (this.#closed) return;
        this.#fault = { model, message: error instanceof Error ? error.message : String(error) };
        this.#log.error({ model, err: error }, 'the recogniser of this machine cannot be loaded');
      },
    );
    return loading;
  }

  /** The least busy thread; another one while every thread is busy. */
  #place({ library }: EarModel): Place {
    const least = this.#places.toSorted((a, b) => a.streams - b.streams)[0];
    const isEnough = least !== undefined && (least.streams === 0 || this.#places.length >= this.#size);
    return isEnough ? least : this.#start(library);
  }

  #start(library: string): Place {
    const flag = stopFlag();
    const worker = new Worker(new URL('./ear.thread.ts', import.meta.url), {
      workerData: { library, stop: flag } satisfies EarThreadData,
    });
    worker.unref();
    const thread: EarThread = new Thread<EarThreadApi, never, EarThreadEvents>(worker, {
      name: 'recogniser thread',
      ending: { by: 'flag', flag, log: this.#log },
      served: {
        api: {
          closed: () => {
            place.streams -= 1;
          },
        },
      },
    });
    const place: Place = { thread, streams: 0 };
    this.#places.push(place);
    thread.onEnd(({ kind, cause }) => {
      const index = this.#places.indexOf(place);
      if (index >= 0) this.#places.splice(index, 1);
      if (kind === 'failed') this.#log.error({ err: cause }, 'a recogniser thread failed');
    });
    return place;
  }
}
