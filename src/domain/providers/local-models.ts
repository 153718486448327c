import { errors } from '../../errors.ts';
import type { ModelDownload } from '../../shared/model-download.ts';

/** A model of the catalogue, and what this machine has of it. */
export interface LocalModel {
  readonly id: string;
  readonly part: 'ears' | 'voice' | 'turn' | 'noise' | 'meaning' | 'library';
  readonly engine: string;
  readonly languages: readonly string[];
  /** On disk. */
  readonly bytes: number;
  readonly licence: string;
  readonly quality: string;
  readonly cost: string;
  /** What calls gain from it; null: no call uses it yet. */
  readonly improves: string | null;
  /** The hash of every file is known before the first download. */
  readonly isPinned: boolean;
  /** It has files for the system of this machine. */
  readonly runsHere: boolean;
  readonly state: 'absent' | 'installed' | 'damaged';
  readonly download: ModelDownload | null;
}

/** The models of this machine. */
export interface ModelShelf {
  list(): readonly LocalModel[];
  /** What would be better than what hears and speaks now, with the command that brings it; null: nothing. */
  better(): string | null;
  /** Starts a download in the background. One that waits or runs goes on. */
  start(id: string): void;
  /** Stops the download and deletes the files. `busy`: another download or process changes the folder. */
  remove(id: string): Promise<'removed' | 'stopped' | 'absent' | { readonly busy: string }>;
}

/** Starts the download of a model unless it is installed, waits or runs; returns the model after that. `note` runs before it. */
export async function getLocalModel(
  models: ModelShelf,
  id: string,
  note: () => Promise<void>,
): Promise<LocalModel> {
  const { runsHere, state, download } = find(models, id);
  if (!runsHere) throw errors.modelNotForSystem();
  const isUnderWay = download !== null && download.state !== 'failed';
  if (state !== 'installed' && !isUnderWay) {
    await note();
    models.start(id);
  }
  return find(models, id);
}

/** Deletes the files of a model, or stops its download. Throws when there is neither, or while the folder is changed. */
export async function removeLocalModel(models: ModelShelf, id: string): Promise<'removed' | 'stopped'> {
  find(models, id);
  const outcome = await models.remove(id);
  if (outcome === 'absent') throw errors.modelNotInstalled();
  if (typeof outcome === 'object') throw errors.modelsBusy(outcome.busy);
  return outcome;
}

function find(models: ModelShelf, id: string): LocalModel {
  const found = models.list().find((model) => model.id === id);
  if (found === undefined) throw errors.modelNotFound();
  return found;
}
