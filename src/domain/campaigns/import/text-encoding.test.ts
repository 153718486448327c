import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EncodingFinder, type FileEncoding } from './text-encoding.ts';

/** Detects the encoding of bytes fed in pieces of `size`. */
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
  it('is ill-formed exactly where a surrogate is unpaired', () => {
    const units = fc.array(fc.constantFrom('a', 'म', '\uD83D', '\uDE00', '😀', '\uDBFF', '\uDC00', '\n'));
    fc.assert(
      fc.property(units, order, size, (parts, name, cut) => {
        const text = parts.join('');
        expect(found(utf16(MARK + text, name), cut)).toEqual({ name, hasBadBytes: !text.isWellFormed() });
      }),
    );
  });

  it('is recognised by its header without a byte order mark', () => {
    const header = fc.constantFrom(
      'Mobile Number',
      'Mobile Number,नाम',
      '\r\nsep=;\r\nPhone;Note',
      '"Phone"\t"a"',
    );
    const rows = fc.string({ unit: fc.constantFrom('1', ',', 'म', 'ऊ', '😀', '\0', '\r\n') });
    fc.assert(
      fc.property(header, rows, order, size, (first, rest, name, cut) => {
        const bytes = utf16(`${first}\n${rest}`, name);
        expect(found(bytes, cut)).toEqual({ name, hasBadBytes: false });
      }),
    );
  });

  it('is not assumed for UTF-8 or Windows-1252 with occasional NULs', () => {
    const cell = fc.string({ unit: fc.constantFrom('\0', 'a', '1', ',', '\n'), maxLength: 60 });
    const header = fc.constantFrom('Mobile Number,name', 'Mobile\0Number,name', 'Ph\0one,na\0\0me');
    fc.assert(
      fc.property(header, cell, size, (first, rest, cut) => {
        const text = `${first}\n${rest}`;
        expect(found(Buffer.from(text), cut).name).toBe('utf-8');
        expect(found(Buffer.from(`${text}ü,ü`, 'latin1'), cut).name).toBe('windows-1252');
      }),
    );
  });

  it('is ill-formed when half a code unit is missing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), order, size, (text, name, cut) => {
        const bytes = utf16(MARK + text, name);
        expect(found(bytes.subarray(0, -1), cut)).toEqual({ name, hasBadBytes: true });
        expect(found(bytes, cut)).toEqual({ name, hasBadBytes: false });
      }),
    );
  });
});
