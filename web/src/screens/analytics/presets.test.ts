import { expect, it } from 'vitest';
import { presetOf, withPreset } from './presets.ts';

const TODAY = '2026-03-31';

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
