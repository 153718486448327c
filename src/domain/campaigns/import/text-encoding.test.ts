import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EncodingFinder, type FileEncoding } from './text-encoding.ts';

/** What is found of bytes that come in pieces of `size`. */
function found(bytes: Buffer, size: number): FileEncoding {
  const finder = new EncodingFinder();
  for (let at = 0; at < bytes.length; at += size) finder.push(bytes.subarray(at, at + size));
  return finder.end();
}
const size = fc.integer({ min: 1, max: 40 });
const MARK = '\uFEFF';
const utf16 = (text: string, name: string): Buffer => {
  const little = Buffer.from(text, 'utf16le');
  return name === 'utf-16le' ? little : little.swap16();
};
const order = fc.constantFrom('utf-16le', 'utf-16be');

describe('UTF-16', () => {
  it('is broken where a surrogate has no partner, and nowhere else', () => {
    const units = fc.array(fc.constantFrom('a', 'म', '\uD83D', '\uDE00', '😀', '\uDBFF', '\uDC00', '\n'));
    fc.assert(
      fc.property(units, order, size, (parts, name, cut) => {
        const text = parts.join('');
        expect(found(utf16(MARK + text, name), cut)).toEqual({ name, hasBadBytes: !text.isWellFormed() });
      }),
    );
  });

  it('is broken where half a unit is missing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), order, size, (text, name, cut) => {
        const bytes = utf16(MARK + text, name);
        expect(found(bytes.subarray(0, -1), cut)).toEqual({ name, hasBadBytes: true });
        expect(found(bytes, cut)).toEqual({ name, hasBadBytes: false });
      }),
    );
  });
});
