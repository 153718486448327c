import type { Closure } from './closure.ts';

/** What the sound of the caller's turn says at a pause. */
export interface EndSound {
  /** A turn model's probability that the turn is over, 0 to 1. */
  readonly probability: number;
  /** Movement of the pitch at the end, in semitones, negative for a fall; null: unknown. */
  readonly pitch: number | null;
}

/**
 * Words that do not decide alone. A caller who dictates or asks for a moment continues, and one who has answered is done,
 * whatever the sound: models take a "yes" for the beginning of a sentence.
 */
export type VotedWords = Exclude<Closure, 'answer' | 'dictating' | 'waiting'>;

export interface EndWeights {
  /** Odds by the words alone, after one second of silence. */
  readonly words: Readonly<Record<VotedWords, number>>;
  /** Of the model's own odds. */
  readonly sound: number;
  /** Of each semitone. */
  readonly fall: number;
  readonly rise: number;
  /** Of the logarithm of the silence in seconds. Above 0. */
  readonly pause: number;
  /** The turn ends at this probability, 0 to 1. */
  readonly sure: number;
}

/** The shortest and the longest silence, ms. */
export interface WaitBounds {
  readonly floorMs: number;
  readonly capMs: number;
}

/** A model that is certain counts no more than this. */
const CERTAIN = 0.99;
/** An octave and more is an error of the measurement. */
const MOST_SEMITONES = 8;

const logOdds = (probability: number): number => Math.log(probability / (1 - probability));
const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

export const isVoted = (closure: Closure): closure is VotedWords =>
  closure !== 'answer' && closure !== 'dictating' && closure !== 'waiting';

/** Log odds that the turn is over after one second of silence. */
function oddsAfterSecond(words: VotedWords, { probability, pitch }: EndSound, weights: EndWeights): number {
  const model = weights.sound * logOdds(within(probability, 1 - CERTAIN, CERTAIN));
  const moved = within(pitch ?? 0, -MOST_SEMITONES, MOST_SEMITONES);
  return weights.words[words] + model + moved * (moved < 0 ? -weights.fall : weights.rise);
}

/**
 * The silence after which words, sound and pause together are sure that the turn is over, ms. Each second of silence counts
 * for the end, so there is always one. Null: the sound says nothing, and the words decide alone.
 */
export function votedWait(
  words: VotedWords,
  sound: EndSound,
  { floorMs, capMs }: WaitBounds,
  weights: EndWeights,
): number | null {
  if (!(sound.probability >= 0 && sound.probability <= 1)) return null;
  const missing = logOdds(weights.sure) - oddsAfterSecond(words, sound, weights);
  return within(Math.round(1_000 * Math.exp(missing / weights.pause)), floorMs, Math.max(floorMs, capMs));
}
