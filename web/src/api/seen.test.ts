import { expect, it } from 'vitest';
import { noteChange, noteSeen, seenHeader } from './seen.ts';

it('a page names the state that it has seen, and nothing for five seconds after a change of its own', () => {
  expect(seenHeader(0)).toEqual({});
  noteSeen('a.b');
  expect(seenHeader(0)).toEqual({ 'x-seen': 'a.b' });
  noteChange(1_000);
  expect(seenHeader(5_999)).toEqual({});
  expect(seenHeader(6_000)).toEqual({ 'x-seen': 'a.b' });
  noteSeen(null);
  expect(seenHeader(6_000)).toEqual({});
});
