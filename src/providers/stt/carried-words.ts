import { joinText, normalised, wordsOf } from '@callwright/turns';
import type { SttWord, SttWords } from '../ports/recogniser.ts';

/** Lead-in before a word that the next session re-hears, ms. */
const LEAD_MS = 100;

/** Words kept from a lost session, and where the next session starts to listen. */
export interface Carried {
  readonly text: string;
  readonly fromMs: number;
  /** The next session re-hears part of the words. */
  readonly overlaps: boolean;
}

/**
 * Splits the open words of a lost session: the ring holds audio from `keptMs` on, so earlier words are carried over.
 * `before`: words carried over from earlier sessions.
 */
export function carryOver(
  before: Carried,
  open: Pick<SttWords, 'text' | 'words'> | null,
  { speechMs, keptMs }: { speechMs: number; keptMs: number },
): Carried {
  const fromMs = Math.max(speechMs, keptMs);
  if (open === null || speechMs >= keptMs) return { ...before, fromMs };
  const { words } = open;
  if (words === undefined || words.length !== wordsOf(open.text).length) {
    return { text: joinCarried(before, open.text), fromMs, overlaps: true };
  }
  const index = words.findIndex((word) => word.startMs - LEAD_MS >= keptMs);
  const kept = index < 0 ? words : words.slice(0, index);
  const next: SttWord | undefined = words[kept.length];
  return {
    text: joinCarried(before, joinText(kept.map((word) => word.text))),
    fromMs: next === undefined ? fromMs : next.startMs - LEAD_MS,
    overlaps: next === undefined,
  };
}

/** Joins carried-over and new words; an overlap counts once. */
export function joinCarried({ text, overlaps }: Pick<Carried, 'text' | 'overlaps'>, heard: string): string {
  if (text === '') return heard;
  if (!overlaps) return joinText([text, heard]);
  const kept = text.split(/\s+/u);
  const next = heard.split(/\s+/u);
  for (let n = Math.min(kept.length, next.length); n > 0; n--) {
    if (normalised(kept.slice(-n).join(' ')) === normalised(next.slice(0, n).join(' '))) {
      return joinText([text, next.slice(n).join(' ')]);
    }
  }
  return joinText([text, heard]);
}
