import { expect, it } from 'vitest';
import { withEmptyDays } from './days.ts';

const day = (date: string, calls: number) => ({ date, total_calls: calls, answered_calls: 1 });

it('fills days without calls, across the end of a month', () => {
  const days = [day('2026-02-27', 5), day('2026-03-01', 2)];
  expect(withEmptyDays(days, null, '2026-03-02')).toEqual([
    { date: '2026-02-27', calls: 5, answered: 1 },
    { date: '2026-02-28', calls: 0, answered: 0 },
    { date: '2026-03-01', calls: 2, answered: 1 },
    { date: '2026-03-02', calls: 0, answered: 0 },
  ]);
});

it('shows the newest 400 days of a longer period, and none of one that ends before it begins', () => {
  const long = withEmptyDays([day('2026-03-01', 2)], '2020-01-01', '2026-03-01');
  expect([long.length, long[0]?.calls, long.at(-1)?.date]).toEqual([400, 0, '2026-03-01']);
  expect(withEmptyDays([], '2026-03-02', '2026-03-01')).toEqual([]);
});
