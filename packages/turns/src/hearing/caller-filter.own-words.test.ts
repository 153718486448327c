import { expect, it } from 'vitest';
import { isOwnWords, withSentence } from './caller-filter.ts';

it('recognises words of the last sentences, also across two of them, but no single word', () => {
  const said = ['Can you come on Tuesday?', 'Or on Friday.'].reduce<readonly string[]>(withSentence, []);
  expect(isOwnWords(said, 'come on Tuesday')).toBe(true);
  expect(isOwnWords(said, 'Tuesday, or on')).toBe(true);
  expect(isOwnWords(said, 'Tuesday')).toBe(false);
  expect(isOwnWords(said, 'on Tuesday please')).toBe(false);
  expect(isOwnWords([], 'come on')).toBe(false);
});

it('forgets older sentences', () => {
  const said = ['first words', '2', '3', '4', '5', '6', '7'].reduce<readonly string[]>(withSentence, []);
  expect(isOwnWords(said, 'first words')).toBe(false);
});
