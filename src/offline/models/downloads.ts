import type { Log } from '../../shared/log.ts';
import type { ModelDownload } from '../../shared/model-download.ts';
import { CATALOGUE, filesHere, type CatalogueModel } from './catalogue.ts';
import { getModel, type Progress } from './get.ts';
import { asModelError, type ModelError } from './model-error.ts';

export interface DownloadsOptions {
  readonly modelsDir: string;
  readonly mirror: string | null;
  /** Bytes that stay free on the disk. */
  readonly floorBytes: number;
  readonly log: Log;
  readonly catalogue?: readonly CatalogueModel[];
  readonly stallMs?: number;
}

interface Entry {
  readonly stop: AbortController;
  download: ModelDownload;
  ended: Promise<ModelError | null>;
}

/** The downloads of a process, one after the other. A failed one is remembered until the next get of its model. */
export class ModelDownloads {
  readonly #options: DownloadsOptions;
  readonly #entries = new Map<string, Entry>();
  #last: Promise<ModelError | null> = Promise.resolve(null);

  constructor(options: DownloadsOptions) {
    this.#options = options;
  }

  /** The download of a model; null: there was none, or it succeeded. */
  of(id: string): ModelDownload | null {
    return this.#entries.get(id)?.download ?? null;
  }

  /** Starts a download in the background; one that waits or runs goes on. Resolves at its end, with why it failed. */
  start(model: CatalogueModel): Promise<ModelError | null> {
    const known = this.#entries.get(model.id);
    if (known !== undefined && known.download.state !== 'failed') return known.ended;
    const totalBytes = filesHere(model).reduce((sum, { bytes }) => sum + bytes, 0);
    const entry: Entry = {
      stop: new AbortController(),
      download: { state: 'waiting', file: null, source: null, doneBytes: 0, totalBytes, failure: null },
      ended: this.#last,
    };
    this.#entries.set(model.id, entry);
    entry.ended = this.#last.then(() => this.#run(model, entry));
    this.#last = entry.ended;
    return entry.ended;
  }

  /** Stops the download of a model and waits for its end. What it fetched, the next one uses. False: none waited or ran. */
  async cancel(id: string): Promise<boolean> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    this.#entries.delete(id);
    entry.stop.abort();
    if (entry.download.state === 'running') await entry.ended;
    return entry.download.state !== 'failed';
  }

  /** Stops every download. */
  async stop(): Promise<void> {
    for (const { stop } of this.#entries.values()) stop.abort();
    await this.#last;
  }

  async #run(model: CatalogueModel, entry: Entry): Promise<ModelError | null> {
    const { id } = model;
    const { log, modelsDir, catalogue = CATALOGUE } = this.#options;
    if (entry.stop.signal.aborted) return null;
    entry.download = { ...entry.download, state: 'running' };
    const onProgress = ({ file, source, done, total }: Progress): void => {
      entry.download = { ...entry.download, file, source, doneBytes: done, totalBytes: total };
    };
    try {
      await getModel(id, {
        ...this.#options,
        catalogue,
        signal: entry.stop.signal,
        onProgress,
        onNote: () => log.info({ model: id }, 'the hash of an unpinned model is recorded with its files'),
      });
      if (this.#entries.get(id) === entry) this.#entries.delete(id);
      log.info({ model: id }, 'a model is installed');
      return null;
    } catch (error) {
      if (entry.stop.signal.aborted) return null;
      const failure = asModelError(error, modelsDir);
      const { message, advice } = failure;
      entry.download = { ...entry.download, state: 'failed', failure: { message, advice } };
      return failure;
    }
  }
}
