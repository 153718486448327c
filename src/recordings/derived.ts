import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { AskToAdd } from '../domain/calls/recordings.ts';
import type { Disk } from './disk.ts';
import { derivedPath, TYPES, type Derived, type Place } from './place.ts';

/**
 * MP3 copies and waveforms of recordings, made on first request in a thread and kept beside the WAV. One is made at a
 * time: calls have the processor first.
 */
export class DerivedFiles {
  readonly #disk: Disk;
  readonly #underway = new Map<string, Promise<string | null>>();
  #queue: Promise<unknown> = Promise.resolve();
  #thread: Worker | null = null;
  #isClosed = false;

  /** Files grow on `disk`, whatever place they are kept in. */
  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /**
   * Path of what is made of the recording `wav` in `place`; null when nothing may be put there any more. Requests for
   * the same one share the work.
   */
  of(place: Place, wav: string, kind: Derived, ask: AskToAdd): Promise<string | null> {
    const path = derivedPath(wav, kind);
    const known = this.#underway.get(path);
    if (known !== undefined) return known;
    const made = this.#make(place, wav, path, kind, ask).finally(() => this.#underway.delete(path));
    this.#underway.set(path, made);
    return made;
  }

  async #make(place: Place, wav: string, path: string, kind: Derived, ask: AskToAdd): Promise<string | null> {
    if ((await place.find(path)) !== null) return path;
    const turn = this.#queue.then(() => this.#derive(place, wav, path, kind, ask));
    this.#queue = turn.catch(() => undefined);
    return (await turn) ? path : null;
  }

  /** Whoever deletes the recording knows of what is put beside it before it is there, whatever becomes of this process. */
  async #derive(place: Place, wav: string, path: string, kind: Derived, ask: AskToAdd): Promise<boolean> {
    if (this.#isClosed) throw new Error('recordings are closed');
    const part = await this.#disk.part(randomUUID());
    try {
      await place.withLocal(wav, (local) => this.#run(local, part, kind));
      const { size } = await stat(part);
      const added = await ask(place.longestPutMs(size));
      if (added === null) return false;
      await place.put(path, part, TYPES[kind]);
      const isDeleted = (await place.find(wav)) === null;
      // Deleted meanwhile: nothing made of it stays behind.
      if (isDeleted) await place.remove(path);
      await added();
      return !isDeleted;
    } finally {
      await rm(part, { force: true });
    }
  }

  #run(wav: string, part: string, kind: Derived): Promise<void> {
    return new Promise((resolve, reject) => {
      const thread = new Worker(new URL('./derive.thread.ts', import.meta.url), {
        workerData: { wav, part, kind },
      });
      this.#thread = thread;
      thread.once('error', reject);
      thread.once('exit', (code) => {
        this.#thread = null;
        if (code === 0) resolve();
        else reject(new Error('the recording could not be read to its end'));
      });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.terminate();
    await this.#queue;
  }
}
