const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const UNSPACED = /^[\p{Script=Han}\p{Script=Myanmar}\p{M}\p{P}]+$/u;

/** Offsets after each word of a text; in scripts without word separators, after each grapheme. */
export function* wordEnds(text: string): Generator<number> {
  for (const match of text.matchAll(/\S+/gu)) {
    const word = match[0];
    if (word.length > 1 && UNSPACED.test(word) && /[\p{Script=Han}\p{Script=Myanmar}]/u.test(word)) {
      for (const sign of graphemes.segment(word)) yield match.index + sign.index + sign.segment.length;
    } else {
      yield match.index + word.length;
    }
  }
}
