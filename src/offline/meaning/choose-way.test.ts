import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wayJudge, wayMeant } from './choose-way.ts';
import type { Meaning } from './meaning.ts';

/** Directions of meaning: booking, leaving, and the tone of a caller. The fourth has neither way. */
const unit = (...parts: number[]): Float32Array => {
  const length = Math.hypot(...parts);
  return Float32Array.from(parts, (part) => part / length);
};
const BOOK = { to: 'book', texts: ['wants to book', 'a visit please'] };
const LEAVE = { to: 'leave', texts: ['wants to cancel'] };
const vectors = (line: string, vector: Float32Array) =>
  new Map([
    [line, vector],
    ['wants to book', unit(1, 0, 0)],
    ['I want to book', unit(1, 0, 0.2)],
    ['a visit please', unit(1, 0, 0.5)],
    ['wants to cancel', unit(0, 1, 0)],
    ['I want to cancel', unit(0, 1, 0.2)],
  ]);
const choose = (line: string, vector: Float32Array, ways = [BOOK, LEAVE]) =>
  wayMeant(line, ways, vectors(line, vector));

describe('the way that words mean', () => {
  it('is the most alike one, by its sentence, the same in the first person, or an example', () => {
    expect(choose('can I come by', unit(1, 0.1, 0))).toEqual({ to: 'book', alike: 1 });
    expect(choose('can I come by', unit(0.4, 1, 0))?.to).toBe('leave');
  });

  it('is none below the threshold, between two that are as near, and for one word', () => {
    expect(choose('can I pay by card', unit(0.3, 0, 0, 1))).toBeNull();
    expect(choose('can I come or not come', unit(1, 0.95, 0))).toBeNull();
    expect(choose('booking', unit(1, 0, 0))).toBeNull();
    expect(choose('can I come by', unit(0.7, 0, 0, 0.7), [BOOK])?.to).toBe('book');
    expect(choose('can I come by', unit(0.55, 0, 0, 0.83), [BOOK])).toBeNull();
    expect(choose('can I come by', unit(0.55, 0, 0, 0.83))?.to).toBe('book');
  });

  it('is none where the caller denies, has done it, or only states something', () => {
    for (const line of ['I do not want to book', 'I already have a visit', "I don't need to come"])
      expect(choose(line, unit(1, 0, 0))).toBeNull();
    expect(choose('the book is red', unit(1, 0, 0))?.to).toBe('book');
    expect(choose('the visit was red', unit(1, 0, 0))).toBeNull();
  });

  it('is never less alike than the threshold, and the same in any order of ways', () => {
    const part = fc.float({ min: Math.fround(-1), max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.tuple(part, part, part), fc.string(), ([a, b, c], words) => {
        const line = `can I ${words}`;
        const vector = a === 0 && b === 0 && c === 0 ? unit(1) : unit(a, b, c);
        const found = choose(line, vector);
        expect(choose(line, vector, [LEAVE, BOOK])).toEqual(found);
        if (found === null) return;
        expect(found.alike).toBeGreaterThanOrEqual(0.5);
        expect(found.alike).toBeLessThanOrEqual(1);
        expect(['book', 'leave']).toContain(found.to);
      }),
    );
  });

  it('is none where the meanings are not there in time', async () => {
    const late: Meaning = {
      understands: () => true,
      vectorsOf: () => Promise.resolve(null),
      close: () => Promise.resolve(),
    };
    expect(await wayJudge(late).choose('can I come by', [BOOK])).toBeNull();
  });
});
