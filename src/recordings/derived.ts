import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { ThreadPool } from '../shared/threads/pool.ts';
import { Thread } from '../shared/threads/thread.ts';
import type { DeriveApi } from './derive.thread.ts';
import type { LeaseDerived } from '../domain/calls/recordings.ts';
import type { Disk } from './disk.ts';
import { derivedPath, TYPES, type Derived, type Place } from './place.ts';

/**
 * MP3 copies and waveforms of recordings, derived on first request in a worker thread and stored beside the WAV. One
 * derivation runs at a time, so that calls keep the processor.
 */
export class DerivedFiles {
  readonly #disk: Disk;
  readonly #underway = new Map<string, Promise<string | null>>();
  #queue: Promise<unknown> = Promise.resolve();
  /** A derivation keeps no memory after it. */
  readonly #pool = new ThreadPool({ size: 1, jobsEach: 1, idleMs: 0, start: startThread });
  #isClosed = false;

  /** Part files are written to `disk`, whichever place stores the result. */
  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /**
   * Path of the file derived from the recording `wav` in `place`; null if the recording is being deleted. Concurrent
   * requests for the same file share one derivation.
   */
  of(place: Place, wav: string, kind: Derived, lease: LeaseDerived): Promise<string | null> {
    const path = derivedPath(wav, kind);
    const known = this.#underway.get(path);
    if (known !== undefined) return known;
    const made = this.#make(place, wav, path, kind, lease).finally(() => this.#underway.delete(path));
    this.#underway.set(path, made);
    return made;
  }

  async #make(
    place: Place,
    wav: string,
    path: string,
    kind: Derived,
    lease: LeaseDerived,
  ): Promise<string | null> {
    if ((await place.find(path)) !== null) return path;
    const derivation = this.#queue.then(() => this.#derive(place, wav, path, kind, lease));
    this.#queue = derivation.catch(() => undefined);
    return (await derivation) ? path : null;
  }

  /**
   * Registers the derived file in the database before storing it. A deletion therefore removes it as well, even if this
   * process crashes in between.
   */
  async #derive(
    place: Place,
    wav: string,
    path: string,
    kind: Derived,
    lease: LeaseDerived,
  ): Promise<boolean> {
    if (this.#isClosed) throw new Error('recordings are closed');
    const part = await this.#disk.part(randomUUID());
    try {
      await place.withLocal(wav, (local) =>
        this.#pool.run((thread) => thread.remote.call.derive(local, part, kind)),
      );
      const { size } = await stat(part);
      const added = await lease(place.longestPutMs(size));
      if (added === null) return false;
      await place.put(path, part, TYPES[kind]);
      const isDeleted = (await place.find(wav)) === null;
      // The recording was deleted meanwhile: remove the derived file as well.
      if (isDeleted) await place.remove(path);
      await added();
      return !isDeleted;
    } finally {
      await rm(part, { force: true });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool.close();
    await this.#queue;
  }
}

function startThread(): Thread<DeriveApi> {
  const worker = new Worker(new URL('./derive.thread.ts', import.meta.url));
  return new Thread<DeriveApi>(worker, {
    name: 'thread that derived a file',
    ending: { by: 'terminate' },
    served: { api: {} },
  });
}
