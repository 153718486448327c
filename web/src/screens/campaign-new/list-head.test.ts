import { describe, expect, it } from 'vitest';
import { guessColumns } from './guess-columns.ts';
import { foreignKind, readListHead } from './list-head.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the preview of a contact list', () => {
  it('reads quoted cells, other delimiters and blank lines', () => {
    expect(readListHead(bytes('Name;"Phone; mobile"\r\n\r\n"Asha ""A"" Rao";+1\n'), true)).toEqual({
      text: { encoding: 'UTF-8', delimiter: 'semicolon' },
      header: ['Name', 'Phone; mobile'],
      rows: [['Asha "A" Rao', '+1']],
    });
  });

  it('leaves out a row that the part cuts off', () => {
    expect(readListHead(bytes('a,b\n1,2\n3,'), false).rows).toEqual([['1', '2']]);
    expect(readListHead(bytes('a,b\n1,2\n3,'), true).rows).toEqual([
      ['1', '2'],
      ['3', ''],
    ]);
  });

  it('reads UTF-16, a byte order mark and Windows-1252', () => {
    const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from('é,b\n', 'utf16le')]);
    expect(readListHead(utf16, true).header).toEqual(['é', 'b']);
    expect(readListHead(bytes('\uFEFFa,b\n'), true).header).toEqual(['a', 'b']);
    expect(readListHead(new Uint8Array([0xe9, 0x2c, 0x62]), true).header).toEqual(['é', 'b']);
  });
});

describe('the guess of the columns', () => {
  it('prefers the own name of a variable to usual names, and leaves unknown ones open', () => {
    expect(
      guessColumns(
        ['mobile_number', 'callee_name', 'due_date'],
        ['Phone', 'Mobile Number', 'First name', 'Due date'],
      ),
    ).toEqual({ mobile_number: 'Mobile Number', callee_name: 'First name', due_date: 'Due date' });
    expect(guessColumns(['mobile_number', 'order'], ['x'])).toEqual({});
  });
});

it('knows a workbook and a PDF by their first bytes, and takes text for a list', () => {
  const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
  expect(foreignKind(bytes('PK\u0003\u0004 not really'))).toContain('.xlsx');
  expect(foreignKind(bytes('\u00d0\u00cf\u0011\u00e0'))).toContain('.xls');
  expect(foreignKind(bytes('%PDF-1.7'))).toBe('a PDF');
  expect(foreignKind(bytes('PK,name\n+14155550123,Asha'))).toBeNull();
  expect(foreignKind(new Uint8Array())).toBeNull();
});
