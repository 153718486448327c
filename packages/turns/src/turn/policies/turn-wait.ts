import type { Closure } from './closure.ts';
import { isVoted, votedWait, type EndSound, type EndWeights } from './end-vote.ts';
import { END_WEIGHTS } from './end-weights.ts';

/** Silences before the caller's words are committed, by how finished they look, ms. */
export interface TurnWaits {
  readonly questionMs: number;
  readonly completeMs: number;
  readonly defaultMs: number;
  readonly patientMs: number;
  readonly pauseMs: number;
  readonly holdMs: number;
  /** The longest pause between the words of this turn; 0: there was none. */
  readonly pausedMs: number;
}

/** The shortest silence after a number of unknown length: most callers pause for less between its groups. */
const NUMBER_MS = 800;
/** The pauses between the groups of one number are alike: after them the silence is longer by this. */
const RHYTHM_MS = 400;

/** The longest silence after whole words: recognisers write question marks after the beginnings of questions, too. */
const WHOLE_MS = 900;

/** The words look whole. */
export const isWhole = (closure: Closure): boolean =>
  closure === 'question' || closure === 'answer' || closure === 'complete';

/**
 * Silence before the caller's words are committed, ms. Where a model has judged their sound, words, sound and pause vote within
 * bounds that the words set; else the words decide alone.
 */
export function turnWait(
  closure: Closure,
  sound: EndSound | null,
  waits: TurnWaits,
  weights: EndWeights = END_WEIGHTS,
): number {
  const byWords = waitByWords(closure, waits);
  if (sound === null || !isVoted(closure)) return byWords;
  const bounds = {
    floorMs: floorOf(closure, waits),
    capMs: isWhole(closure) ? longestOfWhole(waits) : waitByWords('unfinished', waits),
  };
  return votedWait(closure, sound, bounds, weights) ?? byWords;
}

const longestOfWhole = ({ defaultMs, patientMs }: TurnWaits): number =>
  Math.max(defaultMs, Math.min(WHOLE_MS, patientMs));

function floorOf(closure: Closure, waits: TurnWaits): number {
  const { completeMs, defaultMs, questionMs } = waits;
  if (closure === 'number') return Math.max(NUMBER_MS, defaultMs, rhythmOf(waits));
  return closure === 'open' || closure === 'unfinished' ? (completeMs + defaultMs) / 2 : questionMs;
}

/** The silence after which another group would have come, as the caller has read out this number so far. */
const rhythmOf = ({ pausedMs, pauseMs }: TurnWaits): number =>
  pausedMs === 0 ? 0 : Math.min(pausedMs + RHYTHM_MS, pauseMs);

/** The wait by the words alone, where no model has judged the sound. */
export function waitByWords(closure: Closure, waits: TurnWaits): number {
  const { questionMs, completeMs, defaultMs, patientMs, pauseMs, holdMs } = waits;
  switch (closure) {
    case 'question':
      return questionMs;
    case 'answer':
    case 'complete':
      return completeMs;
    case 'default':
      return defaultMs;
    case 'open':
      return Math.max(patientMs, defaultMs);
    case 'number':
      return Math.max(patientMs, defaultMs, rhythmOf(waits));
    case 'unfinished':
    case 'dictating':
      return Math.max(pauseMs, defaultMs);
    case 'waiting':
      return Math.max(holdMs, defaultMs);
    default:
      return closure satisfies never;
  }
}
