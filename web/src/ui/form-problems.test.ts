import { describe, expect, it } from 'vitest';
import { problemOf } from './form-problems.ts';

const field = (over: Partial<Parameters<typeof problemOf>[0]>) =>
  problemOf({ name: 'x', value: '', required: true, type: 'text', minLength: -1, ...over });

describe('a field of the sign-in', () => {
  it('names a value that is missing, and takes an optional one', () => {
    expect(field({ value: '  ' })).toBe('Fill this in.');
    expect(field({ required: false })).toBeUndefined();
  });

  it('names an address without its parts, and a short password', () => {
    expect(field({ type: 'email', value: 'owner' })).toContain('name@example.com');
    expect(field({ type: 'email', value: 'owner@example.com' })).toBeUndefined();
    expect(field({ value: 'short', minLength: 10 })).toBe('Write at least 10 characters.');
    expect(field({ value: 'long enough', minLength: 10 })).toBeUndefined();
  });
});
