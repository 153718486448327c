import { assert, property, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTokens, textOf, type Tokens } from './tokens.ts';

const piece = (text: string): number[] => {
  const bytes = [...new TextEncoder().encode(text)];
  return bytes.length < 128
    ? [bytes.length, ...bytes]
    : [128 + (bytes.length % 128), bytes.length >> 7, ...bytes];
};
const file = (...texts: string[]): Uint8Array => Uint8Array.from(texts.flatMap(piece));

function readOrRefuse(bytes: Uint8Array): Tokens | RangeError {
  try {
    return readTokens(bytes);
  } catch (error) {
    if (error instanceof RangeError) return error;
    throw error;
  }
}

describe('the pieces of words', () => {
  it('become text, with a space before each word', () => {
    const tokens = readTokens(
      file('<unk>', '<s>', '</s>', '\u2581Yes', ',', '\u2581Jos', '<0xC3>', '<0xA9>'),
    );
    expect(textOf([1, 3, 4, 5, 6, 7, 2], tokens)).toBe('Yes, José');
  });

  it('are read with lengths above 127', () => {
    const long = 'x'.repeat(300);
    expect(textOf([0], readTokens(file(long)))).toBe(long);
  });

  it('are refused where the file ends within one', () => {
    expect(() => readTokens(Uint8Array.of(3, 65))).toThrow(RangeError);
  });

  it('are read from any bytes, or refused', () => {
    assert(
      property(uint8Array({ maxLength: 400 }), (bytes) => {
        const found = readOrRefuse(bytes);
        expect(found instanceof RangeError || found.every((token) => token.length <= bytes.length)).toBe(
          true,
        );
      }),
    );
  });
});
