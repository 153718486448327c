import { decodeUlawTo } from '@callwright/audio';
import { WordListener, type CodedWord } from './word-code.ts';

export type FakeEncoding = 'mulaw' | 'linear16' | 'float32';

const STEP_MS = 10;
/** A word that cannot be guessed this long after its time is left to its end. */
const GUESSES_FOR_MS = 60;
const BYTES = { mulaw: 1, linear16: 2, float32: 4 } as const;

/** Audio as a vendor receives it, in steps of 10 ms: the clock of everything that a fake recogniser says. */
export class ReceivedAudio {
  readonly #encoding: FakeEncoding;
  readonly #listener: WordListener;
  readonly #step: Int16Array;
  #filled = 0;
  #rest: Buffer = Buffer.alloc(0);

  constructor(encoding: FakeEncoding, rate: number) {
    this.#encoding = encoding;
    this.#listener = new WordListener(rate);
    this.#step = new Int16Array((rate * STEP_MS) / 1000);
  }

  get audioMs(): number {
    return this.#listener.audioMs;
  }
  get isSounding(): boolean {
    return this.#listener.isSounding;
  }

  /** The word of the list that sounds now, once it has sounded for `afterMs`; null: none is under way, or none fits. */
  guess(words: readonly string[], afterMs: number): string | null {
    const { soundingMs } = this.#listener;
    if (soundingMs < afterMs || soundingMs > afterMs + GUESSES_FOR_MS) return null;
    const begun = this.#listener.begun();
    return begun === '' ? null : (words.find((word) => word.startsWith(begun)) ?? null);
  }

  /** Calls `onStep` after every 10 ms of audio, with the words that ended in it. */
  push(data: Buffer, onStep: (words: readonly CodedWord[]) => void): void {
    for (const sample of this.#samples(data)) {
      this.#step[this.#filled++] = sample;
      if (this.#filled < this.#step.length) continue;
      this.#filled = 0;
      const words: CodedWord[] = [];
      this.#listener.push(this.#step, (word) => words.push(word));
      onStep(words);
    }
  }

  #samples(data: Buffer): Int16Array {
    const size = BYTES[this.#encoding];
    const bytes = this.#rest.length === 0 ? data : Buffer.concat([this.#rest, data]);
    const count = Math.floor(bytes.length / size);
    this.#rest = Buffer.from(bytes.subarray(count * size));
    const out = new Int16Array(count);
    if (this.#encoding === 'mulaw') decodeUlawTo(out, bytes);
    else if (this.#encoding === 'linear16') for (let i = 0; i < count; i++) out[i] = bytes.readInt16LE(2 * i);
    else for (let i = 0; i < count; i++) out[i] = Math.round(bytes.readFloatLE(4 * i) * 32_767);
    return out;
  }
}
