import { describe, expect, it } from 'vitest';
import { toQuery, toStored } from './search-form.ts';

describe('the tsvector and tsquery', () => {
  it('weight questions and headings more than the text', () => {
    expect(toStored({ heading: 'Fees', question: 'How much?', body: 'Ten fees.' })).toMatchObject({
      asked: 'how much',
      search: "'how':1A 'much':2A 'fee':3B,5 'ten':4",
    });
  });

  it('match any term, longer ones by prefix', () => {
    expect(toQuery("What's the refund fee & 'x'?")).toEqual({
      tsquery: "'refund':* | 'fee' | 'x'",
      asked: 'whats the refund fee x',
    });
    expect(toQuery('?!')).toBeNull();
  });
});
