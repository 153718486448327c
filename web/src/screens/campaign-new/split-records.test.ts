import { array, assert, property, stringMatching } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitRecords } from './split-records.ts';

const texts = (text: string, delimiter = ',') =>
  splitRecords(text, delimiter).map((cells) => cells.map((cell) => cell.text));

describe('the cells of a list', () => {
  it('end at delimiters and line ends, and quotes keep both', () => {
    expect(texts('a,"b, c"\r\n"x ""y""\nz",\n')).toEqual([
      ['a', 'b, c'],
      ['x "y"\nz', ''],
    ]);
    expect(texts('1;2', ';')).toEqual([['1', '2']]);
    expect(texts('1,')).toEqual([['1', '']]);
    expect(texts('')).toEqual([]);
    expect(texts('a\n\nb')).toEqual([['a'], [''], ['b']]);
  });

  it('keep a quote that does not begin them, and text after the closing quote', () => {
    expect(texts('5" pipe,"a"b')).toEqual([['5" pipe', 'ab']]);
    expect(texts('"","b"')).toEqual([['', 'b']]);
  });

  it('are the values that were written, and stand where they say', () => {
    const value = stringMatching(/^[a-z", \n]{0,6}$/);
    assert(
      property(array(array(value, { minLength: 2, maxLength: 4 }), { maxLength: 5 }), (rows) => {
        const written = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
        const text = rows.map((row) => `${row.map(written).join(',')}\r\n`).join('');
        const records = splitRecords(text, ',');
        expect(records.map((cells) => cells.map((cell) => cell.text))).toEqual(rows);
        for (const cell of records.flat()) expect(text.slice(cell.from, cell.to)).toBe(written(cell.text));
      }),
    );
  });
});
