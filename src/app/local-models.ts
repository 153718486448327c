import type { Config } from '../config.ts';
import type { LocalModel, ModelShelf } from '../domain/providers/local-models.ts';
import {
  CATALOGUE,
  ENGLISH_PACK,
  filesHere,
  isPinned,
  modelOf,
  type CatalogueModel,
} from '../offline/models/catalogue.ts';
import { ModelDownloads, type DownloadsOptions } from '../offline/models/downloads.ts';
import { ModelError } from '../offline/models/model-error.ts';
import { removeModel, runsHere, stateOf } from '../offline/models/shelf.ts';
import type { Log } from '../shared/log.ts';
import { betterSpeech } from './engines-in-use.ts';

/** The models in MODELS_DIR, with the downloads of this process. */
export class LocalModels implements ModelShelf {
  readonly #modelsDir: string;
  readonly #catalogue: readonly CatalogueModel[];
  readonly #downloads: ModelDownloads;
  readonly #log: Log;

  constructor(options: DownloadsOptions) {
    this.#modelsDir = options.modelsDir;
    this.#catalogue = options.catalogue ?? CATALOGUE;
    this.#downloads = new ModelDownloads(options);
    this.#log = options.log;
  }

  list(): readonly LocalModel[] {
    return this.#catalogue.map((model) => ({
      ...model,
      bytes: runsHere(model) && isPinned(model) ? bytesHere(model) : model.bytes,
      isPinned: isPinned(model),
      runsHere: runsHere(model),
      state: stateOf(this.#modelsDir, model, this.#catalogue),
      download: this.#downloads.of(model.id),
    }));
  }

  /** `isFetched`: this start fetches what is missing of the English pack. */
  better(isFetched = false): string | null {
    const pack = this.list().filter(({ id }) => ENGLISH_PACK.includes(id));
    const isUnderWay = pack.some(({ download }) => download !== null && download.state !== 'failed');
    return betterSpeech(pack, isFetched || isUnderWay);
  }

  start(id: string): void {
    const model = modelOf(id, this.#catalogue);
    if (model === undefined) return;
    void this.#downloads.start(model).then((failure) => {
      if (failure !== null)
        this.#log.warn({ model: id, kind: failure.kind, err: failure }, 'a model could not be fetched');
    });
  }

  /** Fetches in the background what this machine lacks of a pack. Resolves at its end. */
  async fetchPack(pack: readonly string[]): Promise<void> {
    const missing = this.#catalogue.filter(
      (model) =>
        pack.includes(model.id) &&
        runsHere(model) &&
        stateOf(this.#modelsDir, model, this.#catalogue) !== 'installed',
    );
    const failures = await Promise.all(missing.map((model) => this.#downloads.start(model)));
    const failure = failures.find((each) => each !== null);
    if (failure === undefined) return;
    if (failure.kind === 'held') {
      this.#log.info({}, 'another process is fetching models into the same folder');
      return;
    }
    this.#log.warn(
      { kind: failure.kind, err: failure },
      'the English pack could not be fetched: the small engines serve calls until callwright models get fetches it',
    );
  }

  async remove(id: string): ReturnType<ModelShelf['remove']> {
    const isStopped = await this.#downloads.cancel(id);
    try {
      await removeModel(this.#modelsDir, id);
      return 'removed';
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      if (isStopped) return 'stopped';
      return error.kind === 'unknown' ? 'absent' : { busy: `${error.message}; ${error.advice}` };
    }
  }

  /** Stops the downloads. */
  stop(): Promise<void> {
    return this.#downloads.stop();
  }
}

const bytesHere = (model: CatalogueModel): number =>
  filesHere(model).reduce((sum, { bytes }) => sum + bytes, 0);

/** The models in the folder of the settings. */
export const openLocalModels = (
  config: Pick<Config, 'modelsDir' | 'modelsMirror' | 'diskFloorBytes'>,
  log: Log,
): LocalModels =>
  new LocalModels({
    modelsDir: config.modelsDir,
    mirror: config.modelsMirror,
    floorBytes: config.diskFloorBytes,
    log,
  });
