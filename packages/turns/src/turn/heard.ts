import type { TtsMark } from './ports.ts';
import { wordEnds } from '../word-ends.ts';
import type { Heard } from './types.ts';

/** Assumed pace while synthesis runs: slow, so that no unheard word counts as heard. */
const UNKNOWN_MS_PER_CHAR = 80;

type Spoken = Omit<Heard, 'utteranceId'>;

/** Splits a text where its audio stopped: words heard in full, and the rest. */
export function splitHeard(text: string, heard: Spoken): { heard: string; rest: string } {
  const { playedMs, totalMs, complete } = heard;
  if (complete && playedMs >= totalMs && playedMs > 0) return { heard: text, rest: '' };
  const { textEnd } = lastWordOf(text, heard);
  return { heard: text.slice(0, textEnd).trim(), rest: text.slice(textEnd).trim() };
}

/**
 * The mark of the last word that was heard in full. A word ends at its mark; without one, its end is estimated by length
 * between the marks around it, and after the last one by `msPerChar`.
 */
export function lastWordOf(text: string, heard: Spoken, msPerChar = UNKNOWN_MS_PER_CHAR): TtsMark {
  let last: TtsMark = { textEnd: 0, audioMs: 0 };
  if (!(heard.playedMs > 0)) return last;
  const placeOf = placesOf(text, heard, msPerChar);
  for (const textEnd of wordEnds(text)) {
    const audioMs = placeOf(textEnd);
    if (audioMs > heard.playedMs) break;
    // While synthesis runs, only a mark shows where the utterance ends.
    if (textEnd === text.length && !heard.complete && !isMarked(textEnd, heard)) break;
    last = { textEnd, audioMs };
  }
  return last;
}

const isMarked = (offset: number, { marks = [] }: Spoken): boolean =>
  marks.some(({ textEnd }) => textEnd === offset);

/** Maps an offset of the text to the time at which it is spoken, ms of the utterance's audio. */
function placesOf(
  text: string,
  { totalMs, complete, marks = [] }: Spoken,
  msPerChar: number,
): (offset: number) => number {
  const known = [{ textEnd: 0, audioMs: 0 }];
  for (const mark of marks) {
    const { textEnd, audioMs } = known.at(-1)!;
    // Marks only move forward.
    if (mark.textEnd > textEnd && mark.textEnd <= text.length) {
      known.push({ textEnd: mark.textEnd, audioMs: Math.max(audioMs, mark.audioMs) });
    }
  }
  const last = known.at(-1)!;
  if (last.textEnd < text.length) {
    const unknownMs = (text.length - last.textEnd) * msPerChar;
    const atLeast = complete ? totalMs : Math.max(totalMs + 1, last.audioMs + unknownMs);
    known.push({ textEnd: text.length, audioMs: Math.max(last.audioMs, atLeast) });
  }
  return (offset) => {
    const after = known.findIndex(({ textEnd }) => textEnd >= offset);
    const [from, to] = [known[after - 1], known[after]];
    if (from === undefined || to === undefined) return Number.POSITIVE_INFINITY;
    const share = (offset - from.textEnd) / (to.textEnd - from.textEnd);
    return from.audioMs + share * (to.audioMs - from.audioMs);
  };
}
