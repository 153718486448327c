import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Disk } from './disk.ts';
import { derivedPath, TYPES, type Derived, type Place } from './place.ts';

/**
 * MP3 copies and waveforms of recordings, made on first request in a thread and kept beside the WAV. One is made at a
 * time: calls have the processor first.
 */
export class DerivedFiles {
  readonly #disk: Disk;
  readonly #underway = new Map<string, Promise<string>>();
  #queue: Promise<unknown> = Promise.resolve();
  #thread: Worker | null = null;
  #isClosed = false;

  /** Files grow on `disk`, whatever place they are kept in. */
  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Path of what is made of the recording `wav` in `place`; requests for the same one share the work. */
  of(place: Place, wav: string, kind: Derived): Promise<string> {
    const path = derivedPath(wav, kind);
    const known = this.#underway.get(path);
    if (known !== undefined) return known;
    const made = this.#make(place, wav, path, kind).finally(() => this.#underway.delete(path));
    this.#underway.set(path, made);
    return made;
  }

  async #make(place: Place, wav: string, path: string, kind: Derived): Promise<string> {
    if ((await place.find(path)) !== null) return path;
    const turn = this.#queue.then(() => this.#derive(place, wav, path, kind));
    this.#queue = turn.catch(() => undefined);
    await turn;
    return path;
  }

  async #derive(place: Place, wav: string, path: string, kind: Derived): Promise<void> {
    if (this.#isClosed) throw new Error('recordings are closed');
    const part = await this.#disk.part(randomUUID());
    try {
      await place.withLocal(wav, (local) => this.#run(local, part, kind));
      await place.put(path, part, TYPES[kind]);
    } finally {
      await rm(part, { force: true });
    }
    // Deleted meanwhile: nothing made of it stays behind.
    if ((await place.find(wav)) === null) await place.remove(path);
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
