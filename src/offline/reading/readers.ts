import type { NativeCalls } from '../../shared/native-threads.ts';
import { nativeOnnx } from '../../shared/onnx.ts';
import type { ReaderFiles } from '../words/ear-api.ts';
import type { Read } from './read-stream.ts';
import { Reader } from './reader.ts';

interface Place {
  readonly opening: Promise<Reader>;
  reader: Reader | null;
}

/** The readers of a thread. Each reads one utterance after the other. */
export class Readers {
  readonly #calls: NativeCalls;
  readonly #places = new Map<string, Place>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(calls: NativeCalls) {
    this.#calls = calls;
  }

  /** Rejects with the reason why the model cannot be used; the next call tries again. */
  open({ folder, module }: ReaderFiles): Promise<Reader> {
    const known = this.#places.get(folder);
    if (known !== undefined) return known.opening;
    const opening = this.#calls
      .runAsync(() => Reader.open(nativeOnnx(module), folder))
      .then((reader) => {
        if (reader === undefined) throw new Error('the thread has to end');
        place.reader = reader;
        return reader;
      });
    const place: Place = { opening, reader: null };
    this.#places.set(folder, place);
    opening.catch(() => this.#places.delete(folder));
    return opening;
  }

  /** Reads with the model of these files, once it is open. */
  reading({ folder }: ReaderFiles): Read {
    return (pcm) => {
      const reader = this.#places.get(folder)?.reader;
      if (reader == null) return null;
      const read = this.#last.then(async () => {
        const reading = await this.#calls.runAsync(() => reader.read(pcm));
        if (reading === undefined) throw new Error('the thread has to end');
        return reading;
      });
      this.#last = read.catch(() => undefined);
      return read;
    };
  }

  async release(): Promise<void> {
    await this.#last;
    for (const { reader } of this.#places.values()) await reader?.release();
  }
}
