import { expect, it } from 'vitest';
import { MEANINGS } from './meanings/de.ts';
import { meaningOf } from './setting-meaning.ts';

it('describes a setting by the table, with its values, and keeps a description that it lacks', () => {
  expect(meaningOf(MEANINGS, 'API key of Sarvam.')).toBe('API-Schlüssel von Sarvam.');
  expect(meaningOf(MEANINGS, 'API key of that chat API.')).toBe('API-Schlüssel dieser Chat-API.');
  expect(meaningOf(MEANINGS, 'A setting of tomorrow.')).toBe('A setting of tomorrow.');
  expect(meaningOf([], 'Roles of this process.')).toBe('Roles of this process.');
});
