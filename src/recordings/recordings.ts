import type {
  LeaseDerived,
  RecordingFile,
  RecordingFormat,
  RecordingPlace,
  RecordingStore,
} from '../domain/calls/recordings.ts';
import { DerivedFiles } from './derived.ts';
import type { Disk } from './disk.ts';
import { DERIVED, derivedPath, type Derived, type Place } from './place.ts';

/** Recordings on this process's disk and in the object store, if one is configured. */
export class Recordings implements RecordingStore {
  readonly disk: Disk;
  readonly store: Place | null;
  readonly #derived: DerivedFiles;

  constructor(disk: Disk, store: Place | null = null) {
    this.disk = disk;
    this.store = store;
    this.#derived = new DerivedFiles(disk);
  }

  async open(
    path: string,
    format: RecordingFormat,
    kept: RecordingPlace,
    lease: (place: RecordingPlace) => LeaseDerived,
  ): Promise<RecordingFile | null> {
    for (const place of this.#places(kept)) {
      if ((await place.find(path)) === null) continue;
      const name = place === this.disk ? 'disk' : 'store';
      const wanted = format === 'wav' ? path : await this.#derived.of(place, path, format, lease(name));
      const found = wanted === null ? null : await place.find(wanted);
      if (wanted !== null && found !== null) {
        return { ...found, stream: (start, end) => place.stream(wanted, start, end) };
      }
    }
    return null;
  }

  /** Tries both places: an upload may move a recording between the database lookup and this call. */
  #places(kept: RecordingPlace): Place[] {
    const places = kept === 'disk' ? [this.disk, this.store] : [this.store, this.disk];
    return places.filter((place) => place !== null);
  }

  /** Aborts the derivation in progress. */
  close(): Promise<void> {
    return this.#derived.close();
  }
}

/** Removes a recording and its derived files. */
export async function removeAll(place: Place, path: string): Promise<void> {
  await place.remove(path);
  for (const kind of Object.keys(DERIVED) as Derived[]) await place.remove(derivedPath(path, kind));
}
