import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { storable, storableJson } from './storable.ts';

it.each([
  ['a NUL', 'a\u0000b', 'a\ufffdb'],
  ['halves of a pair', '\ud83d-\ude00', '\ufffd-\ufffd'],
  ['a whole pair', '😀', '😀'],
  ['what only looks like an escape', '\\u0000 \\\\ud83d \\', '\\u0000 \\\\ud83d \\'],
  ['other controls', '\u0001\u001f\n"', '\u0001\u001f\n"'],
])('%s', (_, text, stored) => {
  expect(storable({ list: [text], [text]: null })).toEqual({ list: [stored], [stored]: null });
});

it('replaces only NUL and unpaired surrogates', () => {
  const text = fc.string({
    unit: fc.constantFrom('\u0000', '\ud83d', '\ude00', '\\', 'u', '0', 'd', '"', '\u0001'),
  });
  fc.assert(
    fc.property(text, (value) => {
      const expected = value.replaceAll('\u0000', '\ufffd').toWellFormed();
      expect(JSON.parse(storableJson([value]))).toEqual([expected]);
    }),
  );
});
