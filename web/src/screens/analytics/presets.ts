import { dayBefore } from '../../parts/workspace-days.ts';
import { usualFirstDay, type AnalyticsFilters } from './filters.ts';

/** Ranges of days up to today that one press chooses. */
export const PRESETS = [
  ['1', 'Today'],
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const;
type Preset = (typeof PRESETS)[number][0];

/** The range that the filters are; empty: another one. */
export function presetOf({ from, to }: AnalyticsFilters, today: string): Preset | '' {
  if (to !== undefined && to !== today) return '';
  const first = from ?? usualFirstDay(today);
  return PRESETS.find(([days]) => dayBefore(today, Number(days) - 1) === first)?.[0] ?? '';
}

/** The filters with a range; the usual one needs no place in the address. */
export function withPreset(
  { from: _from, to: _to, ...others }: AnalyticsFilters,
  days: Preset | '',
  today: string,
): AnalyticsFilters {
  const first = dayBefore(today, Number(days) - 1);
  return days === '' || first === usualFirstDay(today) ? others : { ...others, from: first };
}
