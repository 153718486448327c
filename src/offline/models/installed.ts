import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of the catalogue of models that is on this machine. */
export interface InstalledModel {
  readonly id: string;
  readonly folder: string;
  file(name: string): string;
}

/** Finds a model in MODELS_DIR, which has one folder for each; null: it is not installed. */
export function installedModel(modelsDir: string, id: string): InstalledModel | null {
  const folder = join(modelsDir, id);
  return existsSync(folder) ? { id, folder, file: (name) => join(folder, name) } : null;
}
