import { describe, expect, it } from 'vitest';
import { createSeal } from './seal.ts';

describe('a seal', () => {
  const seal = createSeal('a long random key of the installation');

  it('decrypts to the original and encrypts differently each time', () => {
    const secret = 'pässword ☎';
    expect(seal.open(seal.seal(secret))).toBe(secret);
    expect(seal.seal(secret)).not.toBe(seal.seal(secret));
    expect(seal.seal(secret)).not.toContain('word');
  });

  it('rejects another key and modified text', () => {
    const sealed = seal.seal('secret');
    expect(createSeal('another key').open(sealed)).toBeNull();
    expect(seal.open(`${sealed.slice(0, -2)}AA`)).toBeNull();
    expect(seal.open('secret')).toBeNull();
    expect(seal.open('sealed:v1:short')).toBeNull();
  });
});
