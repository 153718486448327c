import { describe, expect, it } from 'vitest';
import { localeOf } from './language.ts';

describe('the locale of times and numbers', () => {
  it('is of the chosen language, in the region that the browser names', () => {
    expect(localeOf('en', ['de-DE', 'en-GB', 'en-US'])).toBe('en-GB');
    expect(localeOf('de', ['de-AT'])).toBe('de-AT');
  });

  it('is the language where the browser names another', () => {
    expect(localeOf('en', ['de-DE'])).toBe('en');
    expect(localeOf('es', ['est-EE'])).toBe('es');
  });
});
