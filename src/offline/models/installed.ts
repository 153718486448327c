import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE, filesHere, modelOf, type CatalogueModel } from './catalogue.ts';

/** A model whose files are complete. */
export interface InstalledModel {
  readonly id: string;
  readonly folder: string;
  /** Path of one of its files. */
  file(name: string): string;
}

/** The file in a model's folder that is written last: what was fetched, and how each file looked then. */
export const MARKER = 'installed.json';
export interface MarkedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** A file that changed since is hashed before it is used. */
  readonly mtimeMs: number;
}
export interface Marker {
  readonly id: string;
  readonly files: readonly MarkedFile[];
  /** Hashes of unpinned downloads, by the name in the catalogue. */
  readonly recorded: Readonly<Record<string, string>>;
}

export const folderOf = (modelsDir: string, id: string): string => join(modelsDir, id);

/** What the last get left; null: it never finished. */
export function readMarker(folder: string): Marker | null {
  try {
    const marker = JSON.parse(readFileSync(join(folder, MARKER), 'utf8')) as Marker;
    return Array.isArray(marker.files) && typeof marker.recorded === 'object' ? marker : null;
  } catch {
    return null;
  }
}

/** Whether the marker lists every file of the catalogue with the pinned hash. */
export const fits = (marker: Marker, model: CatalogueModel): boolean => {
  const files = filesHere(model);
  const found = new Map(marker.files.map((file) => [file.name, file.sha256]));
  return (
    files.length > 0 &&
    files.every(({ name, sha256, isUnpacked }) => {
      const hash = isUnpacked === true ? marker.recorded[name] : found.get(name);
      return hash !== undefined && (sha256 === null || sha256 === hash);
    })
  );
};

/** Hashes of files that changed after their get, by path, size and time of change: each is computed once a thread. */
const computed = new Map<string, string>();

function isWhole(folder: string, { name, bytes, sha256, mtimeMs }: MarkedFile): boolean {
  const path = join(folder, name);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.size !== bytes) return false;
  if (found.mtimeMs === mtimeMs) return true;
  const key = `${path} ${found.size} ${found.mtimeMs}`;
  let hash = computed.get(key);
  if (hash === undefined) {
    hash = createHash('sha256').update(readFileSync(path)).digest('hex');
    computed.set(key, hash);
  }
  return hash === sha256;
}

/** The model, if a get finished and no file changed since; otherwise null, and nothing of it may be loaded. */
export function installedModel(
  modelsDir: string,
  id: string,
  catalogue: readonly CatalogueModel[] = CATALOGUE,
): InstalledModel | null {
  const model = modelOf(id, catalogue);
  const folder = folderOf(modelsDir, id);
  const marker = model === undefined ? null : readMarker(folder);
  if (model === undefined || marker === null || !fits(marker, model)) return null;
  if (!marker.files.every((file) => isWhole(folder, file))) return null;
  return { id, folder, file: (name) => join(folder, name) };
}
