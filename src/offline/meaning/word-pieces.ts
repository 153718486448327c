/** Longest input, in pieces: what the model was trained on. */
const MOST = 128;
const LONGEST_WORD = 100;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** What BERT takes for punctuation: also the signs of ASCII. */
const MARK = /[\p{P}$+<=>^`|~]/gu;

/** The word pieces of an uncased BERT model, by its vocabulary. */
export class WordPieces {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #unknown: number;
  readonly #start: number;
  readonly #end: number;

  /** Throws if the vocabulary lacks the marks of BERT. */
  constructor(vocabulary: Readonly<Record<string, number>>) {
    this.#ids = new Map(Object.entries(vocabulary));
    const [unknown, start, end] = ['[UNK]', '[CLS]', '[SEP]'].map((mark) => this.#ids.get(mark));
    if (unknown === undefined || start === undefined || end === undefined)
      throw new Error('the vocabulary is not of BERT');
    this.#unknown = unknown;
    this.#start = start;
    this.#end = end;
  }

  /** The ids of a text between those of its start and end. */
  idsOf(text: string): number[] {
    const plain = text
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase()
      .replace(UNSPACED, ' $& ')
      .replace(MARK, ' $& ');
    const words = plain.split(/[\s\p{C}]+/u).filter((word) => word !== '');
    const ids = words.flatMap((word) => this.#piecesOf(word));
    return [this.#start, ...ids.slice(0, MOST - 2), this.#end];
  }

  /** The longest pieces from left to right. */
  #piecesOf(word: string): number[] {
    if (word.length > LONGEST_WORD) return [this.#unknown];
    const found: number[] = [];
    for (let from = 0; from < word.length;) {
      let to = word.length;
      let id: number | undefined;
      for (; to > from && id === undefined; to--)
        id = this.#ids.get(`${from === 0 ? '' : '##'}${word.slice(from, to)}`);
      if (id === undefined) return [this.#unknown];
      found.push(id);
      from = to + 1;
    }
    return found;
  }
}
