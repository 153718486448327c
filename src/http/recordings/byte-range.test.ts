import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readByteRange } from './byte-range.ts';

describe('readByteRange', () => {
  it.each([
    [undefined, { kind: 'whole' }],
    ['bytes=0-', { kind: 'part', start: 0, end: 99 }],
    ['bytes=10-19', { kind: 'part', start: 10, end: 19 }],
    ['bytes=99-99', { kind: 'part', start: 99, end: 99 }],
    ['bytes=50-500', { kind: 'part', start: 50, end: 99 }],
    ['bytes=-1', { kind: 'part', start: 99, end: 99 }],
    ['bytes=100-', { kind: 'unsatisfiable' }],
    ['bytes=-0', { kind: 'unsatisfiable' }],
    ['bytes=20-10', { kind: 'whole' }],
    ['bytes=0-1,3-4', { kind: 'whole' }],
    ['BYTES=0-1', { kind: 'whole' }],
    ['bytes = 0-1', { kind: 'whole' }],
  ])('parses %s of 100 bytes', (header, expected) => {
    expect(readByteRange(header, 100)).toEqual(expected);
  });

  it('returns only ranges inside the file', () => {
    const headers = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `bytes=${a}-${b}`),
      fc.nat().map((n) => `bytes=-${n}`),
    );
    fc.assert(
      fc.property(headers, fc.nat(1000), (header, bytes) => {
        const range = readByteRange(header, bytes);
        const isInside =
          range.kind !== 'part' || (range.start >= 0 && range.start <= range.end && range.end < bytes);
        expect(isInside).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
