import { csvField } from '../../calls/history-csv.ts';
import type { RowProblem } from './contact-row.ts';

const OWN_COLUMNS = ['Row', 'Column', 'Value', 'Reason', 'Suggestion'];
const line = (cells: readonly string[]): string => `${cells.map(csvField).join(',')}\r\n`;

/** First line of the file of refused rows: the list's own columns, then why. */
export const rejectsHeader = (header: readonly string[]): string => line([...header, ...OWN_COLUMNS]);

/** One refused row as it came, with everything that is wrong with it. */
export function rejectsLine(
  header: readonly string[],
  cells: readonly string[],
  problems: readonly RowProblem[],
): string {
  const own = header.map((_, at) => (cells[at] ?? '').replaceAll('\0', ''));
  const each = (pick: (problem: RowProblem) => string): string => problems.map(pick).join('; ');
  return line([
    ...own,
    String(problems[0]?.row ?? ''),
    each((p) => p.column),
    each((p) => p.value),
    each((p) => p.reason),
    each((p) => p.suggestion ?? '').replace(/^[; ]+$/, ''),
  ]);
}
