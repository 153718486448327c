import { END_WEIGHTS, type EndWeights, type VotedWords } from '@callwright/turns';
import { cutOffsAt, delayAt, voted, votedAt } from './curve.ts';
import type { Observation } from './observe.ts';

/** From the least to the most finished. Numbers are fitted apart. */
const WORDS: readonly VotedWords[] = ['unfinished', 'open', 'default', 'complete', 'question'];
/** Mean delays at which cut-offs are counted, ms. */
const DELAYS_MS = [260, 300, 350, 400, 500, 600, 800];
const ROUNDS = 14;
/** Where the search begins, and its first steps: the words in their order, then sound, fall, rise and pause. */
const START = [-2, -1, 0, 0, 0, 0.8, 0.1, 0.1, 2];
const STEPS = [0.5, 0.5, 0.5, 0.5, 0.5, 0.3, 0.2, 0.2, 0.6];
const LEAST_PAUSE = 0.3;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** No vote counts against itself, and more finished words never for less than others. */
function weightsOf(values: readonly number[]): EndWeights {
  const [sound = 0, fall = 0, rise = 0, pause = 0] = values.slice(WORDS.length);
  const middle = values[2] ?? 0;
  const open = Math.min(values[1] ?? 0, middle);
  const complete = Math.max(values[3] ?? 0, middle);
  const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
  const words = {
    unfinished: rounded(Math.min(values[0] ?? 0, open)),
    open: rounded(open),
    default: rounded(middle),
    complete: rounded(complete),
    question: rounded(Math.max(values[4] ?? 0, complete)),
    number: END_WEIGHTS.words.number,
  };
  const atLeast = (value: number, least: number): number => rounded(Math.max(least, value));
  return {
    words,
    sound: atLeast(sound, 0),
    fall: atLeast(fall, 0),
    rise: atLeast(rise, 0),
    pause: atLeast(pause, LEAST_PAUSE),
    sure: 0.5,
  };
}

/** Mean cut-offs of all sets, however many pauses each has. */
const lossOf = (sets: readonly (readonly Observation[])[], weights: EndWeights): number =>
  mean(
    sets.flatMap((observations) => {
      const points = voted(observations, weights);
      return DELAYS_MS.map((delayMs) => cutOffsAt(points, delayMs) ?? 1);
    }),
  );

/**
 * Searches the weights with the fewest cut-offs over all mean delays, one weight after the other with shrinking steps. `sure` is
 * then the quickest with at most this share of cut-offs on the same audio.
 */
export function fitWeights(sets: readonly (readonly Observation[])[], cutOffs: number): EndWeights {
  let values: readonly number[] = START;
  let steps: readonly number[] = STEPS;
  let least = lossOf(sets, weightsOf(values));
  for (let round = 0; round < ROUNDS; round++) {
    let isBetter = false;
    for (const [i, step] of steps.entries()) {
      for (const by of [step, -step]) {
        const moved = values.with(i, (values[i] ?? 0) + by);
        const loss = lossOf(sets, weightsOf(moved));
        if (loss > least - 1e-5) continue;
        [values, least, isBetter] = [moved, loss, true];
        break;
      }
    }
    if (!isBetter) steps = steps.map((step) => step / 2);
  }
  const weights = weightsOf(values);
  return { ...weights, sure: sureFor(sets.flat(), weights, cutOffs) };
}

/** The weight of a number of unknown length: the quickest with at most this share of cut-offs in such numbers. */
export function numberWeight(
  observations: readonly Observation[],
  weights: EndWeights,
  cutOffs: number,
): number {
  const candidates = Array.from({ length: 61 }, (_, i) => (i - 50) / 10);
  const points = candidates.map((number) => ({
    number,
    ...votedAt(observations, { ...weights, words: { ...weights.words, number } }),
  }));
  const delay = delayAt(points, cutOffs);
  const found = points.find(({ delayMs }) => delayMs === delay);
  if (found === undefined) throw new Error('no weight cuts off so few numbers');
  return found.number;
}

function sureFor(observations: readonly Observation[], weights: EndWeights, cutOffs: number): number {
  const candidates = Array.from({ length: 99 }, (_, i) => (i + 1) / 100);
  const points = candidates.map((sure) => ({ sure, ...votedAt(observations, { ...weights, sure }) }));
  const delay = delayAt(points, cutOffs);
  const found = points.find(({ delayMs }) => delayMs === delay);
  if (found === undefined) throw new Error('no probability cuts off so few pauses');
  return found.sure;
}
