import { expect, it } from 'vitest';
import { formatLanguage, formatSeconds } from './format.tsx';

it('names Odia, whose code in the interface is none of the standard', () => {
  expect(formatLanguage('od-IN')).toBe(formatLanguage('or-IN'));
  expect(formatLanguage('od-IN')).toMatch(/Odia/);
});

it('names languages in the short words of the reader', () => {
  expect(formatLanguage('en-US')).toBe('US English');
  expect(formatLanguage('en-IN')).toBe('English (India)');
});

it('counts whole seconds as players do', () => {
  expect([17.6, 59.99, 60, 0, null].map(formatSeconds)).toEqual(['0:17', '0:59', '1:00', '0:00', '–']);
});
