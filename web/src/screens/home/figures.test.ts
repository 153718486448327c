import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayBefore } from '../../parts/workspace-days.ts';
import { changeOf, earliestDay, figuresOf, firstDay } from './figures.ts';

const TODAY = '2026-11-28';
const day = (date: string, calls: number, attempts = calls, answered = 0) => ({
  date,
  total_calls: calls,
  total_attempts: attempts,
  answered_attempts: answered,
});

describe('the figures of home', () => {
  it('are those of today beside the same weekday of the week before', () => {
    const figures = figuresOf([day('2026-11-21', 40), day('2026-11-28', 50, 60, 30)], 'today', TODAY);
    expect(figures).toMatchObject({ calls: 50, attempts: 60, answered: 30, before: { calls: 40 } });
    expect(figures.course).toHaveLength(14);
    expect(figures.course.at(-1)).toEqual({ date: '2026-11-28', calls: 50, share: 0.5 });
  });

  it('sum up the days of a week and of the week before', () => {
    const figures = figuresOf(
      [day('2026-11-21', 4), day('2026-11-22', 1), day('2026-11-28', 2)],
      'week',
      TODAY,
    );
    expect([figures.calls, figures.before.calls]).toEqual([3, 4]);
    expect(firstDay('week', TODAY)).toBe('2026-11-22');
  });

  it('count each day of two months once, in this range or the one before', () => {
    const ago = fc.integer({ min: 0, max: 59 });
    fc.assert(
      fc.property(fc.uniqueArray(ago, { maxLength: 60 }), (agos) => {
        const days = agos.map((each) => day(dayBefore(TODAY, each), 1));
        const { calls, before } = figuresOf(days, 'month', TODAY);
        expect(calls + before.calls).toBe(agos.length);
        expect(days.every(({ date }) => date >= earliestDay(TODAY))).toBe(true);
      }),
    );
  });

  it('compare with nothing where nothing was before', () => {
    expect(changeOf(5, 0)).toBeNull();
    expect(changeOf(5, 4)).toBe(0.25);
  });
});
