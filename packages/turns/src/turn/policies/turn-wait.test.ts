import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Closure } from './closure.ts';
import { turnWait, waitByWords, type TurnWaits } from './turn-wait.ts';

const CLOSURES: readonly Closure[] = [
  'question',
  'answer',
  'complete',
  'default',
  'open',
  'unfinished',
  'number',
  'dictating',
  'waiting',
];
const WAITS: TurnWaits = {
  questionMs: 200,
  completeMs: 280,
  defaultMs: 780,
  patientMs: 1_200,
  pauseMs: 2_300,
  holdMs: 5_000,
  pausedMs: 0,
};
const ms = fc.integer({ min: 0, max: 6_000 });
const waits: fc.Arbitrary<TurnWaits> = fc.record({
  questionMs: ms,
  completeMs: ms,
  defaultMs: ms,
  patientMs: ms,
  pauseMs: ms,
  holdMs: ms,
  pausedMs: ms,
});
const closure = fc.constantFrom(...CLOSURES);
const sound = fc.record({
  probability: fc.double({ min: 0, max: 1, noNaN: true }),
  pitch: fc.option(fc.double({ min: -20, max: 20, noNaN: true }), { nil: null }),
});

describe('the silence before the words of a turn are committed', () => {
  it('is that of the words without a model, and with one that says nothing', () => {
    fc.assert(
      fc.property(closure, waits, (words, of) => {
        expect(turnWait(words, null, of)).toBe(waitByWords(words, of));
        expect(turnWait(words, { probability: Number.NaN, pitch: -4 }, of)).toBe(waitByWords(words, of));
      }),
    );
  });

  it('is never longer than the longest that words alone wait for', () => {
    fc.assert(
      fc.property(closure, sound, waits, (words, heard, of) => {
        expect(turnWait(words, heard, of)).toBeLessThanOrEqual(Math.max(...Object.values(of)));
      }),
    );
  });

  it('stays 200 to 900 ms after whole words, and 530 to 2,300 ms in the middle of a sentence', () => {
    fc.assert(
      fc.property(sound, (heard) => {
        for (const [words, least, most] of [
          ['question', 200, 900],
          ['complete', 200, 900],
          ['default', 200, 2_300],
          ['open', 530, 2_300],
          ['number', 800, 2_300],
          ['unfinished', 530, 2_300],
        ] as const) {
          const wait = turnWait(words, heard, WAITS);
          expect(wait >= least && wait <= most, `${words}: ${wait}`).toBe(true);
        }
      }),
    );
  });

  it('after a number of unknown length is 1,200 ms by the words alone, and longer after slow groups', () => {
    expect(waitByWords('number', WAITS)).toBe(1_200);
    expect(waitByWords('number', { ...WAITS, pausedMs: 300 })).toBe(1_200);
    expect(waitByWords('number', { ...WAITS, pausedMs: 1_100 })).toBe(1_500);
    expect(waitByWords('number', { ...WAITS, pausedMs: 2_200 })).toBe(2_300);
  });

  it('after a number of unknown length follows its groups, however sure the model is', () => {
    fc.assert(
      fc.property(sound, fc.integer({ min: 1, max: 1_900 }), (heard, pausedMs) => {
        expect(turnWait('number', heard, { ...WAITS, pausedMs })).toBeGreaterThanOrEqual(pausedMs + 400);
      }),
    );
    expect(turnWait('number', { probability: 0.99, pitch: -4 }, WAITS)).toBe(800);
    expect(turnWait('number', { probability: 0.1, pitch: 1 }, WAITS)).toBe(2_300);
  });

  it('is left to the words of a caller who dictates, asks for a moment or has answered', () => {
    fc.assert(
      fc.property(sound, (heard) => {
        expect(turnWait('dictating', heard, WAITS)).toBe(2_300);
        expect(turnWait('waiting', heard, WAITS)).toBe(5_000);
        expect(turnWait('answer', heard, WAITS)).toBe(280);
      }),
    );
  });

  it('is shorter than that of the words for a sound that ends, and longer for one that goes on', () => {
    const unsaid = waitByWords('default', WAITS);
    expect(turnWait('default', { probability: 0.99, pitch: -4 }, WAITS)).toBeLessThan(unsaid);
    expect(turnWait('default', { probability: 0.01, pitch: 0 }, WAITS)).toBeGreaterThan(unsaid);
  });
});
