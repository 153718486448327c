import { Worker } from 'node:worker_threads';
import type { Log } from '../../shared/log.ts';
import { stopFlag, type StopFlag } from '../../shared/native-threads.ts';
import { moved, type Moved } from '../../shared/threads/moved.ts';
import { Thread } from '../../shared/threads/thread.ts';
import { sherpaModel } from './model.ts';

/** Its name as a vendor. */
export const NAME = 'sherpa';

/** The recogniser's thread, as a call worker reaches it. */
export interface SherpaApi {
  open(id: number): void;
  hear(id: number, samples: Moved<Float32Array<ArrayBuffer>>): void;
  /** A whole utterance, for a model of utterances: `heard` answers with its words. */
  hearUtterance(id: number, samples: Moved<Float32Array<ArrayBuffer>>): void;
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

interface Listener {
  heard(text: string | null, isFinal: boolean): void;
  /** The stream is over. `kind`: whether the model cannot be used at all. */
  failed(kind: 'rejected' | 'lost', message: string): void;
}

type Running = Thread<SherpaApi, never, SherpaEvents>;

/** The thread that decodes for all calls of a call worker; started anew after it died. */
export class SherpaThread {
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

  hearUtterance(id: number, samples: Float32Array<ArrayBuffer>): void {
    this.#running?.remote.send.hearUtterance(id, moved(samples));
  }

  /** False: the model hears whole utterances. A folder that cannot be read fails in the thread, which says why. */
  get streams(): boolean {
    try {
      return sherpaModel(this.#model.folder).streams;
    } catch {
      return true;
    }
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
