import { describe, expect, it } from 'vitest';
import { languageOf, localeOf } from './language.ts';

describe('the language of the pages', () => {
  it('is the one that the reader chose', () => {
    expect(languageOf('es', ['de-DE', 'en'])).toBe('es');
    expect(languageOf('en', ['de-DE'])).toBe('en');
  });

  it('is the first language of the browser that the dashboard speaks, before the reader chooses', () => {
    expect(languageOf(null, ['fr-FR', 'de-AT', 'en'])).toBe('de');
    expect(languageOf(null, ['en-GB', 'hi'])).toBe('en');
    expect(languageOf('xx', ['hi-IN'])).toBe('hi');
  });

  it('is English where the browser names no other that the dashboard speaks', () => {
    expect(languageOf(null, ['fr', 'est-EE'])).toBe('en');
    expect(languageOf(null, [])).toBe('en');
  });
});

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
