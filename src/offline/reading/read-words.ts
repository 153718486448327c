import { ENGLISH_OPEN_ENDINGS } from '@callwright/turns';
import type { HeardWord, HeardWords } from '../words/heard-words.ts';
import type { Reading } from './reader.ts';

/** Below it the net has guessed. */
const LEAST_SURE = 0.4;
/** The net ends what it reads with a comma or full stop, also in the middle of a sentence: it says nothing of the turn's end. */
const LOOSE_END = /(?:\.\.\.|[.,;:…\u2013\u2014-])$/u;

/** A question is shorter only where it goes on: the net writes "What?" of the first word of one. */
const LEAST_QUESTION = 3;

const plain = (word: string): string => word.toLowerCase().replaceAll(/[^\p{L}\p{N}']/gu, '');

/**
 * The words of the reading, with the times of the recogniser's: equal words have the same times, those between share the
 * time between. An empty or an unsure reading changes nothing.
 */
export function readWords(heard: HeardWords, { text, confidence }: Reading): HeardWords {
  if (confidence < LEAST_SURE) return heard;
  const read = text
    .replace(LOOSE_END, '')
    .split(/\s+/u)
    .filter((word) => plain(word) !== '');
  if (read.length === 0) return heard;
  const last = read.at(-1) ?? '';
  const texts = asksLoosely(read) ? [...read.slice(0, -1), last.replace(/\?$/u, '')] : read;
  const same = equalWords(
    texts.map(plain),
    heard.words.map((word) => plain(word.text)),
  );
  const words: HeardWord[] = [];
  for (let at = 0; at < texts.length;) {
    const known = same.get(at);
    const { startMs, endMs } = (known === undefined ? undefined : heard.words[known]) ?? {};
    if (startMs !== undefined && endMs !== undefined) {
      words.push({ text: texts[at] as string, startMs, endMs });
      at += 1;
      continue;
    }
    let end = at + 1;
    while (end < texts.length && !same.has(end)) end += 1;
    words.push(...spread(texts.slice(at, end), gapOf(heard, same.get(at - 1), same.get(end))));
    at = end;
  }
  return { text: texts.join(' '), confidence, words: heard.words.length === 0 ? [] : words, isRead: true };
}

/** Words that are no whole question, whatever mark the net puts after them. */
const asksLoosely = (words: readonly string[]): boolean =>
  words.length < LEAST_QUESTION || ENGLISH_OPEN_ENDINGS.has(plain(words.at(-1) ?? ''));

interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The time between two words of the recogniser; without one before or after: from its first, to its last word. */
function gapOf({ words }: HeardWords, before: number | undefined, after: number | undefined): Gap {
  const fromMs = (before === undefined ? words[0]?.startMs : words[before]?.endMs) ?? 0;
  const toMs = (after === undefined ? words.at(-1)?.endMs : words[after]?.startMs) ?? fromMs;
  return { fromMs, toMs: Math.max(fromMs, toMs) };
}

function spread(texts: readonly string[], { fromMs, toMs }: Gap): HeardWord[] {
  const each = (toMs - fromMs) / texts.length;
  return texts.map((text, n) => ({
    text,
    startMs: Math.round(fromMs + n * each),
    endMs: Math.round(fromMs + (n + 1) * each),
  }));
}

/** The longest common sequence: places in `one` to places in `other`. */
function equalWords(one: readonly string[], other: readonly string[]): Map<number, number> {
  const width = other.length + 1;
  const best = new Uint16Array((one.length + 1) * width);
  const at = (i: number, j: number): number => best[i * width + j] as number;
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      best[i * width + j] = one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs = new Map<number, number>();
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    if (one[i] === other[j]) pairs.set(i++, j++);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}
