import type { Heard } from './types.ts';

/** Slow speech: an utterance still being made is taken to be at least this long, so that no word is assumed. */
const UNKNOWN_MS_PER_CHAR = 80;

/**
 * Parts a text where its sound stopped: the words that were heard whole, and the rest. Time is shared out by
 * characters, which is how long words take to say, near enough.
 */
export function splitHeard(text: string, heard: Heard): { heard: string; rest: string } {
  const { playedMs, totalMs, complete } = heard;
  if (complete && playedMs >= totalMs && playedMs > 0) return { heard: text, rest: '' };
  const lengthMs = complete ? totalMs : Math.max(totalMs, text.length * UNKNOWN_MS_PER_CHAR);
  if (!(playedMs > 0) || !(lengthMs > 0)) return { heard: '', rest: text };
  const reached = Math.floor(Math.min(1, playedMs / lengthMs) * text.length);
  let cut = 0;
  for (const end of wordEnds(text)) {
    if (end > reached || (!complete && end === text.length)) break;
    cut = end;
  }
  return { heard: text.slice(0, cut).trim(), rest: text.slice(cut).trim() };
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const UNSPACED = /^[\p{Script=Han}\p{Script=Myanmar}\p{M}\p{P}]+$/u;

/** Offsets after each word; after each written sign in scripts that do not part words. */
function* wordEnds(text: string): Generator<number> {
  for (const match of text.matchAll(/\S+/gu)) {
    const word = match[0];
    if (word.length > 1 && UNSPACED.test(word) && /[\p{Script=Han}\p{Script=Myanmar}]/u.test(word)) {
      for (const sign of graphemes.segment(word)) yield match.index + sign.index + sign.segment.length;
    } else {
      yield match.index + word.length;
    }
  }
}
