import type { Onnx, OnnxSession } from '../../../shared/onnx.ts';
import { pronounce, type Speller } from './pronounce.ts';

/** The letters that the net of unknown words reads and writes. */
export interface AlphabetData {
  readonly in: readonly string[];
  readonly out: readonly string[];
  /** Longest word, in letters. */
  readonly maxlen: number;
}

/** Words whose sound is kept. */
const MOST_WORDS = 4000;

/** Reads sentences, with the net for words that no dictionary has: hibari's, a transformer from letters to phonemes. */
export class Reader {
  readonly #speller: Speller;
  readonly #runtime: Onnx;
  readonly #net: OnnxSession;
  readonly #letters: ReadonlyMap<string, number>;
  readonly #alphabet: AlphabetData;
  readonly #known = new Map<string, string>();

  constructor(speller: Speller, runtime: Onnx, net: OnnxSession, alphabet: AlphabetData) {
    this.#speller = speller;
    this.#runtime = runtime;
    this.#net = net;
    this.#alphabet = alphabet;
    this.#letters = new Map(alphabet.in.map((letter, i) => [letter, i + 1]));
  }

  /** The phonemes of a sentence. */
  async read(text: string): Promise<string> {
    const missing = new Set<string>();
    const sound = pronounce(text, this.#speller, (word) => {
      const known = this.#known.get(word);
      if (known === undefined) missing.add(word);
      return known ?? '';
    });
    if (missing.size === 0) return sound;
    if (this.#known.size > MOST_WORDS) this.#known.clear();
    for (const word of missing) this.#known.set(word, await this.#ask(word));
    return pronounce(text, this.#speller, (word) => this.#known.get(word) ?? '');
  }

  /** The net answers a place of its alphabet for each step, 0 for none; a repeated one counts once. */
  async #ask(word: string): Promise<string> {
    const ids = word
      .split('')
      .flatMap((letter) => this.#letters.get(letter) ?? [])
      .slice(0, this.#alphabet.maxlen);
    const [input = '', output = ''] = [this.#net.inputNames[0], this.#net.outputNames[0]];
    if (ids.length === 0) return '';
    const chars = new this.#runtime.Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]);
    const answer = (await this.#net.run({ [input]: chars }))[output];
    const steps = Array.from(answer?.data ?? [], Number);
    return steps
      .filter((step, i) => step !== 0 && step !== steps[i - 1])
      .map((step) => this.#alphabet.out[step - 1] ?? '')
      .join('');
  }
}
