import { expect, it } from 'vitest';
import { readHidden } from './hidden-columns.ts';

it('reads hidden columns, and nothing from a text that another version or a person stored', () => {
  expect(readHidden('["Caller","Credits"]')).toEqual(['Caller', 'Credits']);
  expect([null, 'x', '{}', '[1,null]'].map(readHidden)).toEqual([[], [], [], []]);
});
