import { expect, it } from 'vitest';
import { MOST_STATES, record, redo, startHistory, undo } from './flow-history.ts';

it('undoes letters typed into one field together', () => {
  const typed = ['a', 'ab', 'abc'].reduce((history, text) => record(history, text, 'ask'), startHistory(''));
  expect(undo(typed).now).toBe('');
  expect(undo(record(typed, 'other', 'say')).now).toBe('abc');
  expect(undo(record(undo(record(typed, 'x', null)), 'abcd', 'ask')).now).toBe('abc');
});

it('forgets what was undone once something else is done', () => {
  const undone = undo(record(startHistory('a'), 'b'));
  expect(redo(undone).now).toBe('b');
  expect(redo(record(undone, 'c')).now).toBe('c');
});

it('stays where there is nothing to undo or do again', () => {
  const history = startHistory('a');
  expect(undo(history)).toBe(history);
  expect(redo(history)).toBe(history);
  expect(record(history, 'a')).toBe(history);
});

it('goes back over the newest states only', () => {
  let history = startHistory(0);
  for (let now = 1; now <= MOST_STATES + 10; now += 1) history = record(history, now);
  for (let count = 0; count <= MOST_STATES; count += 1) history = undo(history);
  expect(history.now).toBe(10);
});
