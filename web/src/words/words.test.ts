import { describe, expect, it } from 'vitest';
import { fill, t } from './words.ts';

describe('a text of the dashboard', () => {
  it('is English without a catalogue', () => {
    expect(t('Home')).toBe('Home');
    expect(t('{done} of {all} done', { done: 1, all: 5 })).toBe('1 of 5 done');
  });

  it('has its values wherever its language puts them', () => {
    expect(fill('{all} में से {done} पूरे', { done: 1, all: 5 })).toBe('5 में से 1 पूरे');
    expect(fill('{a} {b}', { a: '{b}', b: 2 })).toBe('{b} 2');
    expect(fill('{unknown}', {})).toBe('{unknown}');
  });
});
