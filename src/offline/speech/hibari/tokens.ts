/** A word, a part of one, or a mark of punctuation. */
export interface Token {
  readonly text: string;
  /** Part of speech in the Penn Treebank's tags. */
  readonly tag: string;
  /** Whether a blank follows. */
  space: boolean;
  /** Null: not known yet; empty: silent. */
  phonemes: string | null;
  /** Read in the place of the text. */
  readonly alias: string | null;
  /** False: the rest of a word that was split. */
  isHead: boolean;
  /** A blank stands before its sound although the text has none. */
  isApart: boolean;
}

export const tokenOf = (text: string, tag: string, space: boolean): Token => ({
  text,
  tag,
  space,
  phonemes: null,
  alias: null,
  isHead: true,
  isApart: false,
});

/** The text of tokens in a row. */
export const textOf = (tokens: readonly Token[]): string =>
  tokens.map(({ text, space }, i) => (space && i + 1 < tokens.length ? `${text} ` : text)).join('');

/** Letters, where capitals count twice: the part with most of them gives its tag to the whole. */
const weight = ({ text }: Token): number =>
  text.split('').reduce((sum, one) => sum + (one === one.toLowerCase() ? 1 : 2), 0);

/** The tokens as one. Its phonemes are null unless `isSpoken`: then those of the parts, one after the other. */
export function merged(tokens: readonly [Token, ...Token[]], isSpoken = false): Token {
  const [first] = tokens;
  const last = tokens.at(-1) ?? first;
  const widest = tokens.reduce((best, token) => (weight(token) > weight(best) ? token : best), first);
  return {
    text: textOf(tokens),
    tag: widest.tag,
    space: last.space,
    phonemes: isSpoken ? soundOf(tokens) : null,
    alias: null,
    isHead: first.isHead,
    isApart: first.isApart,
  };
}

function soundOf(tokens: readonly Token[]): string {
  let sound = '';
  for (const { phonemes, isApart } of tokens) {
    if (phonemes === null || phonemes === '') continue;
    if (isApart && sound !== '' && !sound.endsWith(' ')) sound += ' ';
    sound += phonemes;
  }
  return sound;
}
