import { describe, expect, it } from 'vitest';
import { toQuery, toStored } from './search-form.ts';

describe('what the database searches by', () => {
  it('weighs questions and headings more than the text', () => {
    expect(toStored({ heading: 'Fees', question: 'How much?', body: 'Ten fees.' })).toMatchObject({
      asked: 'how much',
      search: "'how':1A 'much':2A 'fee':3B,5 'ten':4",
    });
  });

  it('asks for any term, longer ones by their beginning', () => {
    expect(toQuery("What's the refund fee & 'x'?")).toEqual({
      tsquery: "'refund':* | 'fee' | 'x'",
      asked: 'whats the refund fee x',
    });
    expect(toQuery('?!')).toBeNull();
  });
});
