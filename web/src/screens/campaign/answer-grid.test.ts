import { expect, it } from 'vitest';
import { answerGrid } from './answer-grid.ts';

it('has the hours in which any day has a call, and the best share', () => {
  const grid = answerGrid([
    { day: 'mon', hour: 9, calls: 10, answered: 3 },
    { day: 'tue', hour: 12, calls: 4, answered: 2 },
    { day: 'wed', hour: 9, calls: 1, answered: 0 },
  ]);
  expect(grid.hours).toEqual([9, 12]);
  expect(grid.best).toBe(0.5);
  expect(grid.at('tue', 12)).toMatchObject({ calls: 4 });
  expect(grid.at('tue', 9)).toBeUndefined();
  expect(answerGrid([])).toMatchObject({ hours: [], best: 0 });
});
