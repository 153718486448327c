import { describe, expect, it } from 'vitest';
import { pageEnding, pageSentence } from './sentence-forms.ts';

const FORMS = [
  ['{who} waits {seconds} s', '{who} waits for {seconds} seconds'],
  ['must be at most {count} (see a.b)', 'must be at most {count}'],
] as const;

describe('a sentence of the service', () => {
  it('gives its values to the sentence of the page', () => {
    expect(pageSentence(FORMS, 'Ida\nLou waits 20 s')).toBe('Ida\nLou waits for 20 seconds');
    expect(pageSentence(FORMS, 'Ida waits 20 s', (value, place) => `${place} ${value}`)).toBe(
      'who Ida waits for seconds 20 seconds',
    );
  });

  it('is another one where a number is none, or signs differ', () => {
    expect(pageSentence(FORMS, 'Ida waits long s')).toBeNull();
    expect(pageEnding(FORMS, 'limit must be at most 5 (see a-b)')).toBeNull();
  });

  it('may stand behind the name of a field', () => {
    expect(pageEnding(FORMS, 'limit must be at most 5 (see a.b)')).toEqual({
      at: 6,
      text: 'must be at most 5',
    });
    expect(pageEnding(FORMS, 'mustmust be at most 5 (see a.b)')).toBeNull();
  });
});
