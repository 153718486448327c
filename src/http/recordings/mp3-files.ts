import { randomUUID } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

/**
 * MP3 copies of recordings, made on first request in a thread and kept beside the WAV. One is encoded at a time:
 * calls have the processor first.
 */
export class Mp3Files {
  readonly #underway = new Map<string, Promise<string>>();
  #queue: Promise<unknown> = Promise.resolve();
  #thread: Worker | null = null;
  #isClosed = false;

  /** Path of the MP3 of `wav`; requests for the same one share the work. */
  of(wav: string): Promise<string> {
    const known = this.#underway.get(wav);
    if (known !== undefined) return known;
    const made = this.#make(wav).finally(() => this.#underway.delete(wav));
    this.#underway.set(wav, made);
    return made;
  }

  async #make(wav: string): Promise<string> {
    const mp3 = wav.replace(/\.wav$/, '') + '.mp3';
    const isThere = await stat(mp3).then(
      (s) => s.isFile(),
      () => false,
    );
    if (isThere) return mp3;
    const turn = this.#queue.then(() => this.#encode(wav, mp3));
    this.#queue = turn.catch(() => undefined);
    await turn;
    return mp3;
  }

  async #encode(wav: string, mp3: string): Promise<void> {
    if (this.#isClosed) throw new Error('recordings are closed');
    const part = `${mp3}.${randomUUID()}.part`;
    try {
      await this.#run(wav, part);
      await rename(part, mp3);
    } finally {
      await rm(part, { force: true });
    }
  }

  #run(wav: string, part: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const thread = new Worker(new URL('./mp3.thread.ts', import.meta.url), { workerData: { wav, part } });
      this.#thread = thread;
      thread.once('error', reject);
      thread.once('exit', (code) => {
        this.#thread = null;
        if (code === 0) resolve();
        else reject(new Error('the MP3 encoder ended early'));
      });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.terminate();
    await this.#queue;
  }
}
