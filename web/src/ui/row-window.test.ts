import { expect, it } from 'vitest';
import { rowWindow } from './row-window.ts';

it('draws the rows near the screen, and keeps the height of the table', () => {
  const { from, to, beforePx, afterPx } = rowWindow(1_000, 50, -20_000, 800);
  // Rows 400 to 416 are on the screen.
  expect([from, to]).toEqual([380, 440]);
  expect(beforePx + (to - from) * 50 + afterPx).toBe(50_000);
});

it('begins at the first row and ends at the last', () => {
  expect(rowWindow(200, 50, 300, 800)).toEqual({ from: 0, to: 40, beforePx: 0, afterPx: 8_000 });
  expect(rowWindow(200, 50, -9_200, 800)).toEqual({ from: 160, to: 200, beforePx: 8_000, afterPx: 0 });
  // Scrolled past the table, such as after a filter that left fewer rows.
  expect(rowWindow(200, 50, -50_000, 800)).toMatchObject({ from: 160, to: 200 });
});

it('moves in steps, so that few pixels change nothing', () => {
  expect(rowWindow(1_000, 50, -20_150, 800)).toEqual(rowWindow(1_000, 50, -20_000, 800));
});
