import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MostAlike, packVector, unitVector, unpackVectors } from './vectors.ts';

const vectors = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 40 }))
  .chain(([size, count]) =>
    fc.array(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: size, maxLength: size }), {
      minLength: count,
      maxLength: count,
    }),
  );

describe('vectors', () => {
  it('are normalised to length 1; the zero vector is refused', () => {
    expect([...unitVector([3, 0, 4])!]).toEqual([Math.fround(0.6), 0, Math.fround(0.8)]);
    expect(unitVector([0, 0])).toBeNull();
    expect(unitVector([1, Number.NaN])).toBeNull();
    expect(unitVector([Number.MAX_VALUE, Number.MAX_VALUE])).toBeNull();
  });

  it('survive packing and unpacking at any buffer offset', () => {
    const pair = Float32Array.from([9, 1, 2, 3, 4]).subarray(1);
    const packed = [packVector(pair), Buffer.concat([Buffer.from('x'), packVector(pair)]).subarray(1)];
    expect([...unpackVectors(packed)]).toEqual([1, 2, 3, 4, 1, 2, 3, 4]);
    expect(unpackVectors([])).toHaveLength(0);
  });

  it('are found nearest first, in slices as in one pass, like a full sort', () => {
    fc.assert(
      fc.property(vectors, fc.integer({ min: 1, max: 12 }), fc.nat(50), (rows, most, cut) => {
        const query = Float32Array.from(rows[0]!);
        const flat = Float32Array.from(rows.flat());
        const inSlices = new MostAlike(most);
        const middle = Math.min(cut, rows.length);
        inSlices.look(flat, query, 0, middle, 100);
        inSlices.look(flat, query, middle, rows.length, 100);
        const sorted = rows
          .map((row, at) => ({
            at: 100 + at,
            likeness: row.reduce((sum, value, i) => sum + value * query[i]!, 0),
          }))
          .toSorted((a, b) => b.likeness - a.likeness || a.at - b.at)
          .slice(0, most);
        expect(inSlices.best).toEqual(sorted);
      }),
      { seed: 7 },
    );
  });
});
