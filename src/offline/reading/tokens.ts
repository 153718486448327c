/** The pieces of words of a model's vocabulary, by their number. A space before a word is U+2581. */
export type Tokens = readonly Uint8Array[];

/** One byte of length up to 127; above, the low 7 bits with the top one set, then the rest. */
const LONG = 0x80;

/** Reads a `tokenizer.bin`: of each piece its length and its bytes. Throws a `RangeError` where the file ends within a piece. */
export function readTokens(file: Uint8Array): Tokens {
  const tokens: Uint8Array[] = [];
  for (let at = 0; at < file.length;) {
    const first = file[at++] as number;
    const length = first < LONG ? first : first - LONG + (file[at++] ?? 0) * LONG;
    if (at + length > file.length) throw new RangeError('the vocabulary ends within a piece');
    tokens.push(file.subarray(at, at + length));
    at += length;
  }
  return tokens;
}

const SPACE = /\u2581/gu;
/** A control piece such as `<s>`, or the byte of a letter that has no piece of its own. */
const CONTROL = /^<.*>$/u;
const BYTE = /^<0x([0-9A-F]{2})>$/u;

/** The text of these pieces. */
export function textOf(pieces: readonly number[], tokens: Tokens): string {
  const decoder = new TextDecoder();
  const bytes: number[] = [];
  for (const piece of pieces) {
    const token = tokens[piece] ?? new Uint8Array(0);
    const name = decoder.decode(token);
    const byte = BYTE.exec(name)?.[1];
    if (byte !== undefined) bytes.push(Number.parseInt(byte, 16));
    else if (!CONTROL.test(name)) bytes.push(...token);
  }
  return decoder.decode(Uint8Array.from(bytes)).replace(SPACE, ' ').trim();
}
