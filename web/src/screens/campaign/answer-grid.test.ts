import { expect, it } from 'vitest';
import { answerGrid, isTelling } from './answer-grid.ts';

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

it('tells something from three days or fifty calls on', () => {
  const day = (name: string, calls: number) => ({ day: name, hour: 9, calls, answered: 0 });
  expect(isTelling([])).toBe(false);
  expect(isTelling([day('mon', 20), day('tue', 29)])).toBe(false);
  expect(isTelling([day('mon', 20), day('tue', 30)])).toBe(true);
  expect(isTelling([day('mon', 1), day('tue', 1), day('sun', 1)])).toBe(true);
});
