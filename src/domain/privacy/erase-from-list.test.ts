import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rejectsHeader, rejectsLine } from '../campaigns/import/rejects-csv.ts';
import { withoutRows } from './erase-from-list.ts';

const HEADER = ['Phone', 'Name', 'Note'];
const line = (row: number, cells: readonly string[]): string =>
  rejectsLine(HEADER, cells, [
    { row, column: 'Phone', value: cells[0] ?? '', reason: 'is wrong', suggestion: null },
  ]);

describe('withoutRows', () => {
  const isTheirs = (row: string, isHeader: boolean): boolean => !isHeader && row.includes('them');

  it('removes whole rows, with line ends inside quotes, and returns their numbers', () => {
    const text = [
      rejectsHeader(HEADER),
      line(2, ['1', 'them', 'a "quote",\r\nand another line']),
      line(5, ['2', 'somebody', 'two\nlines']),
      line(70_000, ['3', 'x', 'on\nthe second line: them']),
      line(70_001, ['=4', '', '']),
      line(70_002, ['5', 'x', '', 'beyond', 'them']),
    ];
    const left = withoutRows(text.join(''), HEADER.length, isTheirs, true);
    expect(left).toEqual({ text: [text[0], text[2], text[4]].join(''), dropped: [2, 70_000, 70_002] });
  });

  it('keeps the header of the first piece only', () => {
    const header = rejectsHeader(['them']);
    expect(withoutRows(header, 1, isTheirs, true)).toEqual({ text: header, dropped: [] });
    expect(withoutRows(line(1, ['them', '', '']), HEADER.length, isTheirs, false)).toEqual({
      text: '',
      dropped: [1],
    });
  });

  it('leaves every other row byte-identical', () => {
    const cell = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', ' ', '=', 'ä', 'x', "'") });
    const cells = fc.tuple(cell, cell, cell, fc.boolean());
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 12 }), (rows) => {
        const written = rows.map(([a, b, c, theirs], at) => line(at + 1, [a, b, theirs ? `${c}them` : c]));
        const left = withoutRows(rejectsHeader(HEADER) + written.join(''), HEADER.length, isTheirs, true);
        const kept = written.filter((_, at) => rows[at]?.[3] === false);
        expect(left.text).toBe(rejectsHeader(HEADER) + kept.join(''));
        expect(left.dropped).toEqual(rows.flatMap(([, , , theirs], at) => (theirs ? [at + 1] : [])));
      }),
    );
  });
});
