import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CATALOGUE, filesHere, type CatalogueModel } from './catalogue.ts';
import { exclusively, WORK } from './get.ts';
import { fits, folderOf, installedModel, MARKER, readMarker } from './installed.ts';
import { asModelError, ModelError } from './model-error.ts';
import { hashOfFile } from './write-hashed.ts';

/** `damaged`: a get finished, but files are missing or changed, or the catalogue has other ones now; nothing is loaded. */
export type ModelState = 'absent' | 'installed' | 'damaged';

export function stateOf(modelsDir: string, model: CatalogueModel, catalogue = CATALOGUE): ModelState {
  if (readMarker(folderOf(modelsDir, model.id)) === null) return 'absent';
  return installedModel(modelsDir, model.id, catalogue) === null ? 'damaged' : 'installed';
}

/** Whether the model exists for this system. */
export const runsHere = (model: CatalogueModel): boolean => filesHere(model).length > 0;

/**
 * Hashes every file of a model. Returns the files that are wrong or missing; then the model is no longer loaded until a get
 * has mended it. Null: it is not installed.
 */
export async function verifyModel(
  modelsDir: string,
  model: CatalogueModel,
): Promise<readonly string[] | null> {
  const folder = folderOf(modelsDir, model.id);
  const marker = readMarker(folder);
  if (marker === null) return null;
  const wrong: string[] = [];
  for (const { name, sha256 } of marker.files) {
    if ((await hashOfFile(join(folder, name))) !== sha256) wrong.push(name);
  }
  if (wrong.length === 0 && !fits(marker, model)) wrong.push(MARKER);
  if (wrong.length > 0) await changing(modelsDir, () => rm(join(folder, MARKER), { force: true }));
  return wrong;
}

/** Deletes a model. Calls that have loaded it keep it in memory until they end. */
export async function removeModel(modelsDir: string, id: string): Promise<void> {
  const folder = folderOf(modelsDir, id);
  await changing(modelsDir, async () => {
    const gone = join(modelsDir, WORK, `${id}.gone`);
    await rm(gone, { recursive: true, force: true });
    await rename(folder, gone).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT')
        throw new ModelError('unknown', `${id} is not installed`, 'nothing to remove');
      throw error;
    });
    await rm(gone, { recursive: true, force: true });
    await rm(join(modelsDir, WORK, 'models', id), { recursive: true, force: true });
  });
}

async function changing(modelsDir: string, work: () => Promise<void>): Promise<void> {
  try {
    await exclusively(modelsDir, work);
  } catch (error) {
    throw asModelError(error, modelsDir);
  }
}
