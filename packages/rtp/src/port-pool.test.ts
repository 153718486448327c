import { describe, expect, it } from 'vitest';
import { parsePortRange, splitPortRange } from './port-pool.ts';

describe('port ranges', () => {
  it.each([
    ['10000-20000', { first: 10_000, last: 20_000 }],
    [' 10001-10003 ', { first: 10_002, last: 10_003 }],
    ['10001-10002', null],
    ['20000-10000', null],
    ['0-10', null],
    ['1-70000', null],
    ['10000', null],
    ['a-b', null],
  ])('%j', (text, range) => {
    expect(parsePortRange(text)).toEqual(range);
  });

  it('splits by whole pairs without overlap, into fewer parts if there are fewer pairs', () => {
    expect(splitPortRange({ first: 10_000, last: 10_009 }, 2)).toEqual([
      { first: 10_000, last: 10_003 },
      { first: 10_004, last: 10_009 },
    ]);
    expect(splitPortRange({ first: 10_000, last: 10_001 }, 2)).toEqual([{ first: 10_000, last: 10_001 }]);
  });
});
