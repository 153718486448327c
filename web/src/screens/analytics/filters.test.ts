import { expect, it } from 'vitest';
import { analyticsFilters, presetOf, toQuery, withPreset } from './filters.ts';

const TODAY = '2026-03-31';

it('reads only filters from an address', () => {
  expect(
    analyticsFilters({ from: '2026-03-01', to: 'today', agent: '', campaign: 'c', page: 2, version: 'v' }),
  ).toEqual({
    from: '2026-03-01',
    campaign: 'c',
    version: 'v',
  });
});

it('asks for the last 30 days without a day, and for everything before a last day alone', () => {
  expect(toQuery({}, TODAY)).toEqual({ start_date: '2026-03-02' });
  expect(toQuery({ to: '2026-01-31', agent: 'a' }, TODAY)).toEqual({ end_date: '2026-01-31', agent_id: 'a' });
});

it('knows the ranges up to today that one press chooses', () => {
  expect(presetOf({}, TODAY)).toBe('30');
  expect(presetOf({ from: '2026-03-25' }, TODAY)).toBe('7');
  expect(presetOf({ from: TODAY, to: TODAY }, TODAY)).toBe('1');
  expect(presetOf({ from: '2026-03-24' }, TODAY)).toBe('');
  expect(presetOf({ from: '2026-03-25', to: '2026-03-30' }, TODAY)).toBe('');
  const of = { from: '2026-01-01', to: '2026-02-01', agent: 'a' };
  expect(withPreset(of, '7', TODAY)).toEqual({ from: '2026-03-25', agent: 'a' });
  expect(withPreset(of, '30', TODAY)).toEqual({ agent: 'a' });
});
