import type { EndWeights } from './end-vote.ts';

/**
 * What each vote counts, in natural logarithms of the odds that the turn is over. `npm run bench:turn-taking -- --fit` prints
 * this file's figures: docs/turns.md says on which audio they were fitted and how they did on other voices.
 */
export const END_WEIGHTS: EndWeights = {
  words: { question: 0.5, complete: 0.5, default: 0.5, open: -1.398, unfinished: -1.523, number: 0.1 },
  sound: 0.8,
  fall: 0.5,
  rise: 0.3,
  pause: 2,
  sure: 0.92,
};
