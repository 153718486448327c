import type {
  AskToAdd,
  RecordingFile,
  RecordingFormat,
  RecordingPlace,
  RecordingStore,
} from '../domain/calls/recordings.ts';
import { DerivedFiles } from './derived.ts';
import type { Disk } from './disk.ts';
import { DERIVED, derivedPath, type Derived, type Place } from './place.ts';

/** Recordings on this process's disk and, where the operator has one, in an object store. */
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
    ask: (place: RecordingPlace) => AskToAdd,
  ): Promise<RecordingFile | null> {
    for (const place of this.#places(kept)) {
      if ((await place.find(path)) === null) continue;
      const name = place === this.disk ? 'disk' : 'store';
      const wanted = format === 'wav' ? path : await this.#derived.of(place, path, format, ask(name));
      const found = wanted === null ? null : await place.find(wanted);
      if (wanted !== null && found !== null) {
        return { ...found, stream: (start, end) => place.stream(wanted, start, end) };
      }
    }
    return null;
  }

  /** A recording may move to the store between the look-up and here. */
  #places(kept: RecordingPlace): Place[] {
    const places = kept === 'disk' ? [this.disk, this.store] : [this.store, this.disk];
    return places.filter((place) => place !== null);
  }

  /** Ends what is being made. */
  close(): Promise<void> {
    return this.#derived.close();
  }
}

/** Removes a recording and everything made of it. */
export async function removeAll(place: Place, path: string): Promise<void> {
  await place.remove(path);
  for (const kind of Object.keys(DERIVED) as Derived[]) await place.remove(derivedPath(path, kind));
}
