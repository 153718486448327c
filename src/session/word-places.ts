import { type TtsMark, wordEnds } from '@callwright/turns';
import type { Pause } from './speech-track.ts';

/** A sentence as the voice gets it. */
export interface SpokenForm {
  readonly text: string;
  /** Maps an offset of `text` to the sentence as it was written. */
  writtenEnd(textEnd: number): number;
}

/** The sentence of a voice that speaks it as it was written. */
export const asWritten = (text: string): SpokenForm => ({ text, writtenEnd: (textEnd) => textEnd });

/** An utterance's audio so far; `complete`: synthesis has finished. */
export interface UtteranceAudio {
  readonly totalMs: number;
  readonly complete: boolean;
  readonly pauses: readonly Pause[];
  /** The places that the voice gave, in order. */
  readonly marks: readonly TtsMark[];
  /** Speech without pauses per unit of `weightOf`, ms; null: no whole utterance of the call is known. */
  readonly paceMs: number | null;
}

interface Word {
  /** In the written sentence. */
  readonly textEnd: number;
  /** Of the spoken text up to its end. */
  readonly weight: number;
  /** A pause after it is likely. */
  readonly isClauseEnd: boolean;
}

/** The end of the first `index` words, by their weight and by the speech before it, whose time does not count pauses. */
interface Place {
  readonly index: number;
  readonly weight: number;
  readonly speechMs: number;
}

/** The pace of a voice of which nothing is known. */
const USUAL_PACE_MS = 58;
const CLAUSE = /[.,;:!?…。，、；：！？।؟،–—-]["'”’)\]]*$/u;
/** How far a pause may be from the estimated end of the clause before it: ms, and share of the stretch. */
const NEAR_MS = 250;
const NEAR_SHARE = 0.15;
/** A new pace is averaged with this much speech of the earlier one. */
const KNOWN_WEIGHT = 20;

/** Weights beside letters, which are 1. Speakers draw out the last word of a clause. */
const WORD = 0.4;
const CLAUSE_END = 2.2;
const SPELLED = 3;
const WORDED = 4;
const HAN = 3.5;
const MARK = 0.5;

/** The length of a text as it sounds; a letter is 1. */
export const weightOf = (text: string): number => wordsOf(asWritten(text)).at(-1)?.weight ?? 0;

function weightOfWord(word: string): number {
  const isSpelled = /^\P{L}*\p{Lu}{2,}\P{L}*$/u.test(word);
  let weight = WORD;
  for (const sign of word) {
    if (/\p{Script=Han}/u.test(sign)) weight += HAN;
    else if (/\p{L}/u.test(sign)) weight += isSpelled ? SPELLED : 1;
    else if (/\p{M}/u.test(sign)) weight += MARK;
    else if (/[\p{N}@&%$€£₹+=#]/u.test(sign)) weight += WORDED;
  }
  return weight;
}

/** The time that an utterance's audio has spoken without pauses, ms. */
export const speechMsOf = ({ totalMs, pauses }: Pick<UtteranceAudio, 'totalMs' | 'pauses'>): number =>
  new SpeechTime(pauses).at(totalMs);

/**
 * Estimates where the words of an utterance end in its audio, in order: at the places that the voice gave, between them by
 * the length of the words over the speech without its pauses, with clauses ending at pauses nearby. While synthesis runs,
 * the end of the last word is unknown.
 */
export function wordPlaces(form: SpokenForm, audio: UtteranceAudio): TtsMark[] {
  const words = wordsOf(form);
  const speech = new SpeechTime(audio.pauses);
  const end: Place = {
    index: words.length,
    weight: words.at(-1)?.weight ?? 0,
    speechMs: speech.at(audio.totalMs),
  };
  const places = givenPlaces(words, audio.marks, speech);
  const last = places.at(-1)!;
  if (last.index < end.index && audio.complete) {
    places.push({ ...end, speechMs: Math.max(last.speechMs, end.speechMs) });
  } else if (last.index < end.index) {
    places.push(...openPlaces(words, last, end, speech, audio.paceMs ?? USUAL_PACE_MS));
  }
  const marks: TtsMark[] = [];
  for (const [at, to] of places.entries()) {
    const from = places[at - 1];
    if (from === undefined) continue;
    let before = from;
    for (const place of [...closedPlaces(words, from, to, speech), to]) {
      for (const word of words.slice(before.index, place.index)) {
        const speechMs = between(before, place, word.weight);
        marks.push({ textEnd: word.textEnd, audioMs: Math.round(speech.timeOf(speechMs)) });
      }
      before = place;
    }
  }
  const given = new Map(audio.marks.map(({ textEnd, audioMs }) => [textEnd, audioMs]));
  const known = audio.complete || last.index === end.index ? marks : marks.slice(0, -1);
  let latestMs = 0;
  return known.map(({ textEnd, audioMs }) => {
    latestMs = Math.max(latestMs, given.get(textEnd) ?? audioMs);
    return { textEnd, audioMs: latestMs };
  });
}

function wordsOf(form: SpokenForm): Word[] {
  const { text } = form;
  const words: Word[] = [];
  let [from, weight] = [0, 0];
  for (const end of wordEnds(text)) {
    const word = text.slice(from, end).trim();
    from = end;
    const textEnd = form.writtenEnd(end);
    const isClauseEnd = text.slice(end).trim() === '' || CLAUSE.test(word);
    weight += weightOfWord(word) + (isClauseEnd ? CLAUSE_END : 0);
    // Several spoken words may stand for one that is written.
    if (textEnd <= (words.at(-1)?.textEnd ?? 0)) words.pop();
    words.push({ textEnd, weight, isClauseEnd });
  }
  return words;
}

/** Speech before a time of the audio, and back. */
class SpeechTime {
  readonly pauses: readonly (Pause & { readonly speechMs: number })[];

  constructor(pauses: readonly Pause[]) {
    let silentMs = 0;
    this.pauses = pauses.map((pause) => {
      const speechMs = pause.fromMs - silentMs;
      silentMs += pause.toMs - pause.fromMs;
      return { ...pause, speechMs };
    });
  }

  at(audioMs: number): number {
    let speechMs = audioMs;
    for (const { fromMs, toMs } of this.pauses) speechMs -= Math.max(0, Math.min(audioMs, toMs) - fromMs);
    return speechMs;
  }

  /** The first time with so much speech before it. */
  timeOf(speechMs: number): number {
    let audioMs = speechMs;
    for (const pause of this.pauses) if (pause.speechMs < speechMs) audioMs += pause.toMs - pause.fromMs;
    return audioMs;
  }
}

/** The places that the voice gave, after the beginning. */
function givenPlaces(
  words: readonly Word[],
  marks: readonly TtsMark[],
  speech: SpeechTime,
): [Place, ...Place[]] {
  const places: [Place, ...Place[]] = [{ index: 0, weight: 0, speechMs: 0 }];
  for (const { textEnd, audioMs } of marks) {
    const index = words.findLastIndex((word) => word.textEnd <= textEnd) + 1;
    const before = places.at(-1)!;
    if (index <= before.index) continue;
    const speechMs = Math.max(before.speechMs, speech.at(audioMs));
    places.push({ index, weight: words[index - 1]!.weight, speechMs });
  }
  return places;
}

/** The place of the clause end whose estimate is nearest to a pause; null: none is near. */
function clauseAt(
  words: readonly Word[],
  from: Place,
  to: Place,
  pauseMs: number,
  nearMs: number,
): Place | null {
  let best: Place | null = null;
  let bestMs = nearMs;
  for (let at = from.index; at < to.index - 1; at++) {
    const { weight, isClauseEnd } = words[at]!;
    const offMs = Math.abs(between(from, to, weight) - pauseMs);
    if (!isClauseEnd || offMs > bestMs) continue;
    best = { index: at + 1, weight, speechMs: pauseMs };
    bestMs = offMs;
  }
  return best;
}

/** The clause ends at pauses of a stretch whose two ends are known; longer pauses first. */
function closedPlaces(words: readonly Word[], from: Place, to: Place, speech: SpeechTime): Place[] {
  const inside = speech.pauses
    .filter(({ speechMs }) => speechMs > from.speechMs && speechMs < to.speechMs)
    .toSorted((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs));
  const nearMs = Math.max(NEAR_MS, NEAR_SHARE * (to.speechMs - from.speechMs));
  for (const { speechMs } of inside) {
    const place = clauseAt(words, from, to, speechMs, nearMs);
    if (place === null) continue;
    return [...closedPlaces(words, from, place, speech), place, ...closedPlaces(words, place, to, speech)];
  }
  return [];
}

/** The places of a stretch whose end is not synthesised: pause by pause, with the pace so far. The last one is its estimated end. */
function openPlaces(
  words: readonly Word[],
  start: Place,
  end: Place,
  speech: SpeechTime,
  usualPaceMs: number,
): Place[] {
  const places: Place[] = [];
  let paceMs = usualPaceMs;
  let from = start;
  const endBy = (pace: number): Place => ({
    ...end,
    speechMs: Math.max(from.speechMs + (end.weight - from.weight) * pace, end.speechMs + 1),
  });
  for (const pause of speech.pauses) {
    if (pause.speechMs <= from.speechMs) continue;
    const nearMs = Math.max(NEAR_MS, 2 * NEAR_SHARE * (pause.speechMs - from.speechMs));
    const place = clauseAt(words, from, endBy(paceMs), pause.speechMs, nearMs);
    if (place === null) continue;
    places.push(place);
    from = place;
    const known = place.weight - start.weight;
    paceMs = (usualPaceMs * KNOWN_WEIGHT + (place.speechMs - start.speechMs)) / (KNOWN_WEIGHT + known);
  }
  return [...places, endBy(paceMs)];
}

/** The speech up to a weight between two places. */
function between(from: Place, to: Place, weight: number): number {
  if (to.weight <= from.weight) return to.speechMs;
  const share = (weight - from.weight) / (to.weight - from.weight);
  return from.speechMs + share * (to.speechMs - from.speechMs);
}
