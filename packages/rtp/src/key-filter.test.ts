import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createKeyFilter, type KeyPath, takesKey } from './key-filter.ts';

const taken = (keys: readonly [KeyPath, '1' | '2' | '5', number][]): string => {
  const filter = createKeyFilter();
  return keys.flatMap(([path, digit, at]) => (takesKey(filter, path, digit, at) ? [digit] : [])).join('');
};

it('counts a key once that a gateway sends as telephone event and as INFO, in either order', () => {
  expect(
    taken([
      ['media', '5', 1_000],
      ['signalling', '5', 1_040],
    ]),
  ).toBe('5');
  expect(
    taken([
      ['signalling', '5', 1_000],
      ['media', '5', 1_200],
    ]),
  ).toBe('5');
});

it('counts a key once whose INFO was lost and came again after 500 ms', () => {
  expect(
    taken([
      ['media', '5', 1_000],
      ['signalling', '5', 1_560],
      ['media', '5', 1_600],
      ['signalling', '5', 1_640],
    ]),
  ).toBe('55');
});

it('counts two quick presses of one key twice, on one path and on both', () => {
  expect(
    taken([
      ['media', '5', 1_000],
      ['media', '5', 1_150],
    ]),
  ).toBe('55');
  expect(
    taken([
      ['media', '5', 1_000],
      ['signalling', '5', 1_040],
      ['media', '5', 1_150],
      ['signalling', '5', 1_190],
    ]),
  ).toBe('55');
});

it('counts another key, and the same one 800 ms later', () => {
  expect(
    taken([
      ['media', '1', 1_000],
      ['signalling', '2', 1_040],
    ]),
  ).toBe('12');
  expect(
    taken([
      ['media', '5', 1_000],
      ['signalling', '5', 1_800],
    ]),
  ).toBe('55');
});

it('counts every press of a sequence that both paths report within 200 ms once', () => {
  const presses = fc.array(
    fc.record({
      digit: fc.constantFrom('1' as const, '2' as const, '5' as const),
      lag: fc.integer({ min: 0, max: 200 }),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(presses, (pressed) => {
      const keys = pressed.flatMap(({ digit, lag }, n): [KeyPath, '1' | '2' | '5', number][] => [
        ['media', digit, 10_000 + n * 500],
        ['signalling', digit, 10_000 + n * 500 + lag],
      ]);
      expect(taken(keys)).toBe(pressed.map(({ digit }) => digit).join(''));
    }),
  );
});
