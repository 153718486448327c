import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayBefore } from '../../parts/workspace-days.ts';
import { callsBefore, daysBefore } from './days-before.ts';

it('are as many days as the range has, right before it', () => {
  expect(daysBefore('2026-03-01', '2026-03-07')).toEqual({
    first: '2026-02-22',
    last: '2026-02-28',
    count: 7,
  });
  expect(daysBefore('2026-03-01', '2026-03-01')).toEqual({
    first: '2026-02-28',
    last: '2026-02-28',
    count: 1,
  });
});

it('are none of a range without a first day, or of one that ends before it begins', () => {
  expect(daysBefore(null, '2026-03-07')).toBeNull();
  expect(daysBefore('2026-03-02', '2026-03-01')).toBeNull();
});

it('stand beside the day at the same place of the range, those without calls as 0', () => {
  const before = daysBefore('2026-03-01', '2026-03-03')!;
  const days = ['2026-03-01', '2026-03-02', '2026-03-03'];
  const daily = [
    { date: '2026-02-26', total_calls: 4 },
    { date: '2026-02-28', total_calls: 2 },
  ];
  expect(callsBefore(days, before, daily)).toEqual([4, 0, 2]);
});

it('give no line where no call ended on them', () => {
  const before = daysBefore('2026-03-01', '2026-03-01')!;
  expect(callsBefore(['2026-03-01'], before, [])).toBeNull();
  // A day of attempts alone: their calls were created earlier.
  expect(callsBefore(['2026-03-01'], before, [{ date: '2026-02-28', total_calls: 0 }])).toBeNull();
});

it('each stand beside one day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), (count) => {
      const last = '2026-11-29';
      const first = dayBefore(last, count - 1);
      const before = daysBefore(first, last)!;
      expect(before.count).toBe(count);
      expect(before.last).toBe(dayBefore(first, 1));
      expect(before.first).toBe(dayBefore(before.last, count - 1));
    }),
  );
});
