import { expect, it } from 'vitest';
import { dayBefore, dayIn } from './workspace-days.ts';

it('has the day on the clock of the zone', () => {
  const at = Date.parse('2026-03-28T19:00:00Z');
  expect(
    ['UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns'].map((zone) => dayIn(zone, at)),
  ).toEqual(['2026-03-28', '2026-03-29', '2026-03-29', '2026-03-28']);
});

it('counts days back across a change of the clock and the end of a month', () => {
  expect([dayBefore('2026-03-30', 1), dayBefore('2026-03-01', 1), dayBefore('2026-03-30', 0)]).toEqual([
    '2026-03-29',
    '2026-02-28',
    '2026-03-30',
  ]);
});
