import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isVoted, votedWait, type EndSound, type VotedWords, type WaitBounds } from './end-vote.ts';
import { END_WEIGHTS } from './end-weights.ts';

const WORDS: readonly VotedWords[] = ['question', 'complete', 'default', 'open', 'unfinished', 'number'];
const words = fc.constantFrom(...WORDS);
const probability = fc.double({ min: 0, max: 1, noNaN: true });
const pitch = fc.option(fc.double({ min: -20, max: 20, noNaN: true }), { nil: null });
const sound: fc.Arbitrary<EndSound> = fc.record({ probability, pitch });
const bounds = fc
  .tuple(fc.integer({ min: 80, max: 1_200 }), fc.integer({ min: 0, max: 2_000 }))
  .map(([floorMs, more]) => ({ floorMs, capMs: floorMs + more }));
const WIDE = { floorMs: 1, capMs: 1e9 };

/** The wait of a sound that says something. */
const wait = (closure: VotedWords, heard: EndSound, within: WaitBounds): number =>
  votedWait(closure, heard, within, END_WEIGHTS) ?? Number.NaN;

describe('the wait after the votes of words, sound and pause', () => {
  it('never leaves its bounds', () => {
    fc.assert(
      fc.property(words, sound, bounds, (closure, heard, { floorMs, capMs }) => {
        const ms = wait(closure, heard, { floorMs, capMs });
        expect(ms).toBeGreaterThanOrEqual(floorMs);
        expect(ms).toBeLessThanOrEqual(capMs);
      }),
    );
  });

  it('is the floor where the cap lies below it', () => {
    expect(wait('unfinished', { probability: 0, pitch: null }, { floorMs: 500, capMs: 300 })).toBe(500);
  });

  it('is never longer when the model is surer of the end', () => {
    fc.assert(
      fc.property(words, pitch, probability, probability, (closure, moved, one, other) => {
        const of = (p: number) => wait(closure, { probability: p, pitch: moved }, WIDE);
        expect(of(Math.max(one, other))).toBeLessThanOrEqual(of(Math.min(one, other)));
      }),
    );
  });

  it('is never longer when the pitch falls or rises further', () => {
    const semitones = fc.double({ min: 0, max: 20, noNaN: true });
    fc.assert(
      fc.property(words, probability, semitones, semitones, fc.boolean(), (closure, p, one, other, falls) => {
        const of = (by: number) => wait(closure, { probability: p, pitch: falls ? -by : by }, WIDE);
        expect(of(Math.max(one, other))).toBeLessThanOrEqual(of(Math.min(one, other)));
      }),
    );
  });

  it('is never longer when the words look more finished', () => {
    const steps: readonly VotedWords[] = ['unfinished', 'default', 'complete'];
    fc.assert(
      fc.property(sound, (heard) => {
        const waits = steps.map((closure) => wait(closure, heard, WIDE));
        expect(waits).toEqual(waits.toSorted((a, b) => b - a));
      }),
    );
  });

  it('grows with the probability that ends a turn', () => {
    fc.assert(
      fc.property(words, sound, probability, probability, (closure, heard, one, other) => {
        fc.pre(one > 0 && one < 1 && other > 0 && other < 1);
        const of = (sure: number) => votedWait(closure, heard, WIDE, { ...END_WEIGHTS, sure }) ?? Number.NaN;
        expect(of(Math.min(one, other))).toBeLessThanOrEqual(of(Math.max(one, other)));
      }),
    );
  });

  it.each([Number.NaN, -0.1, 1.1])('is left to the words when the model answers %s', (answer) => {
    expect(votedWait('default', { probability: answer, pitch: -3 }, WIDE, END_WEIGHTS)).toBeNull();
  });

  it('does not exist for a caller who dictates or asks for a moment', () => {
    expect(['dictating', 'waiting', ...WORDS].map((closure) => isVoted(closure as VotedWords))).toEqual([
      false,
      false,
      ...WORDS.map(() => true),
    ]);
  });
});

it('no fitted weight lets a vote count against itself', () => {
  const { words: byWords, sound: model, fall, rise, pause, sure } = END_WEIGHTS;
  expect(Math.min(model, fall, rise)).toBeGreaterThanOrEqual(0);
  expect(pause).toBeGreaterThan(0);
  expect(sure > 0.5 && sure < 1).toBe(true);
  expect(byWords.unfinished).toBeLessThan(byWords.default);
  expect(byWords.default).toBeLessThanOrEqual(byWords.complete);
});
