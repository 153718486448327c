import { expect, it } from 'vitest';
import { withoutDone } from './without-done.ts';

const calls = ['a', 'b', 'c'].map((id) => ({ call_id: id }));

it('takes calls that are done out of the page and of the number of all', () => {
  expect(withoutDone({ calls, total: 9 }, new Set(['b']))).toEqual({
    calls: [{ call_id: 'a' }, { call_id: 'c' }],
    total: 8,
  });
});

it('counts a call once that the service leaves out already', () => {
  expect(withoutDone({ calls, total: 9 }, new Set(['z']))).toEqual({ calls, total: 9 });
});
