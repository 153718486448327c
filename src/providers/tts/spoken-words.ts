import { type TtsMark, wordEnds } from '@callwright/turns';
import type { TimedWord } from './dialect.ts';

/** Search window in words: the vendor may omit or rewrite some. */
const AHEAD_WORDS = 4;

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');

/** Places a vendor's words in the text of a sentence. */
export class SpokenWords {
  readonly #words: readonly { readonly textEnd: number; readonly plain: string }[];
  #next = 0;

  constructor(text: string) {
    let start = 0;
    this.#words = Array.from(wordEnds(text), (textEnd) => {
      const word = { textEnd, plain: plain(text.slice(start, textEnd)) };
      start = textEnd;
      return word;
    });
  }

  /** The mark of the next word; null: the word is not in the text, or a part of one. */
  place({ text, endMs }: TimedWord): TtsMark | null {
    const said = plain(text);
    if (said === '') return null;
    for (let i = this.#next; i < Math.min(this.#words.length, this.#next + AHEAD_WORDS); i++) {
      if (this.#words[i]?.plain !== said) continue;
      this.#next = i + 1;
      return { textEnd: this.#words[i]?.textEnd ?? 0, audioMs: endMs };
    }
    return null;
  }

  /** Every word has its mark. */
  get isComplete(): boolean {
    return this.#next >= this.#words.length;
  }
}
