import type { RowProblem } from '../../../store/json/contact-import.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvReader } from './csv-reader.ts';
import {
  cellsBeforeRefusal,
  columnsBeforeRefusal,
  listedHeader,
  rejectsHeader,
  rejectsLine,
} from './rejects-csv.ts';

const HEADER = ['Phone', 'Name', 'Note'];
const problem = (reason: string): RowProblem => ({
  row: 7,
  column: 'Phone',
  value: '=x',
  reason,
  suggestion: '+1',
});
const wrongCount = (cells: number): string => `the row has ${cells} cells, the header has ${HEADER.length}`;

/** Parses a CSV of refused rows. */
function parsed(text: string): (readonly string[])[] {
  const reader = new CsvReader(',');
  return [...reader.push(text), ...reader.end()].map((record) => record.cells);
}

describe('the CSV of refused rows', () => {
  it('keeps every cell under its own header and uncut, surplus cells at the end', () => {
    const long = 'x'.repeat(5000);
    const lines = [
      rejectsHeader(HEADER),
      rejectsLine(HEADER, ['1', long, 'n', 'one more', '=two', 'x'.repeat(900)], [problem(wrongCount(6))]),
      rejectsLine(HEADER, ['1'], [problem(wrongCount(1))]),
    ];
    expect(parsed(lines.join(''))).toEqual([
      ['Phone', 'Name', 'Note', 'Row', 'Column', 'Value', 'Reason', 'Suggestion'],
      ['1', long, 'n', '7', 'Phone', "'=x", wrongCount(6), '+1', 'one more', "'=two", 'x'.repeat(900)].map(
        (cell) => (cell === '+1' ? "'+1" : cell),
      ),
      ['1', '', '', '7', 'Phone', "'=x", wrongCount(1), "'+1"],
    ]);
  });

  it('is recognised by its header, also after a spreadsheet padded it', () => {
    const [header = []] = parsed(rejectsHeader(HEADER));
    expect(columnsBeforeRefusal(header)).toBe(3);
    expect(columnsBeforeRefusal([...header, '', ' '])).toBe(3);
    expect(columnsBeforeRefusal([...header, 'More'])).toBeNull();
    expect(columnsBeforeRefusal(HEADER)).toBeNull();
    expect(columnsBeforeRefusal(header.slice(3))).toBeNull();
    const signed = ['+Phone', '=Name', "'=Note"];
    expect(listedHeader(parsed(rejectsHeader(signed))[0] ?? [])).toEqual(signed);
    expect(listedHeader(["'=Note"])).toEqual(["'=Note"]);
  });

  it('restores every row unchanged', () => {
    const cell = fc.string({
      unit: fc.constantFrom('"', ',', '\n', '\r', ' ', ';', '=', '+', "'", 'ä', '1'),
    });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), cell, (some, last) => {
        // Trailing blank cells may be a spreadsheet's padding.
        const cells = some.length > HEADER.length ? [...some, `${last}.`] : some;
        const why = cells.length === HEADER.length ? 'is no phone number' : wrongCount(cells.length);
        const [read = []] = parsed(rejectsLine(HEADER, cells, [problem(why)]));
        expect(cellsBeforeRefusal(read, HEADER.length)).toEqual(cells);
        expect(cellsBeforeRefusal([...read, '', ''], HEADER.length)).toEqual(cells);
      }),
    );
  });

  it('keeps a short row short until a cell is filled in or the reason is deleted', () => {
    const [cells = []] = parsed(rejectsLine(HEADER, ['1', 'A'], [problem(wrongCount(2))]));
    expect(cellsBeforeRefusal(cells, 3)).toEqual(['1', 'A']);
    expect(cellsBeforeRefusal(cells.with(2, 'note'), 3)).toEqual(['1', 'A', 'note']);
    expect(cellsBeforeRefusal(cells.with(6, ''), 3)).toEqual(['1', 'A', '']);
  });
});
