import { calleeVariables } from '../../../shared/callee-variables.ts';
import type { RowProblem } from '../../../store/json/contact-import.ts';
import type { Template } from '../../../store/json/template.ts';
import { valueOf } from '../../../shared/variables.ts';
import { templateProblems } from '../../whatsapp/template.ts';
import type { ContactColumns } from './contact-columns.ts';
import { readContactNumber, type NumberRules } from '../../calls/contact-number.ts';
import type { CsvRecord } from './csv-reader.ts';
import type { FileEncoding } from './text-encoding.ts';

/** One callee of a list. */
export interface Contact {
  readonly row: number;
  readonly number: string;
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
}

export interface RowRules extends NumberRules {
  /** Encoding of the file; cells with bytes invalid in it are refused. */
  readonly encoding: FileEncoding;
  /** Variables that every contact needs a value for. */
  readonly needed: readonly string[];
  /** The message that the contact's values fill; null: contacts are called. */
  readonly template: Template | null;
}

/** Limits in characters, the same as for individual calls. */
const LONGEST_VALUE = 1000;
const LONGEST_NAME = 200;
const SHOWN_VALUE = 200;
const cellCount = (cells: number, columns: number): string =>
  `the row has ${cells} cells, the header has ${columns}`;
/** Matches the reason of a row with too few or too many cells; captures the row's cell count. */
export const CELL_COUNT = /^the row has (\d+) cells, the header has \d+$/;

type RowRead = { readonly contact: Contact } | { readonly problems: readonly RowProblem[] };

/** Turns one record into a contact, or returns every problem with it. Pure. */
export function readContactRow(record: CsvRecord, columns: ContactColumns, rules: RowRules): RowRead {
  const { cells } = record;
  const { header } = columns;
  const row = record.index;
  const problem = (
    column: string,
    value: string,
    reason: string,
    suggestion: string | null = null,
  ): RowProblem => ({
    row,
    column,
    value: shownValue(value),
    reason,
    suggestion,
  });
  if (record.malformed !== null) {
    const { cell: at, why } = record.malformed;
    const column = header[at] ?? `column ${at + 1}`;
    return { problems: [problem(column, cells[at] ?? '', why)] };
  }
  if (cells.length !== header.length) {
    const isLong = cells.length > header.length;
    const column = isLong ? `column ${header.length + 1}` : (header[cells.length] ?? '');
    const value = isLong ? cells.slice(header.length).join(' | ') : '';
    return { problems: [problem(column, value, cellCount(cells.length, header.length))] };
  }
  const problems: RowProblem[] = [];
  const take = (at: number, longest: number): string => {
    const value = (cells[at] ?? '').trim();
    const reason = whyUnstorable(value, longest, rules.encoding);
    if (reason !== null) problems.push(problem(header[at] ?? '', value, reason));
    return value;
  };
  const numberText = cells[columns.number] ?? '';
  const read = readContactNumber(numberText, rules);
  if (!read.ok)
    problems.push(problem(header[columns.number] ?? '', numberText, read.reason, read.suggestion));
  const name = columns.name === null ? '' : take(columns.name, LONGEST_NAME);
  const args = calleeVariables({ name });
  for (const variable of columns.variables) setOwn(args, variable.name, take(variable.at, LONGEST_VALUE));
  const columnOf = new Map(columns.variables.map((variable) => [variable.name, header[variable.at] ?? '']));
  if (columns.name !== null) columnOf.set('callee_name', header[columns.name] ?? '');
  for (const variable of rules.needed) {
    const column = columnOf.get(variable);
    if (column === undefined || valueOf(args, variable) !== null) continue;
    problems.push(problem(column, '', `is empty, and the agent says it: {{${variable}}} has no fallback`));
  }
  if (problems.length > 0 || !read.ok) return { problems };
  args['mobile_number'] = read.e164;
  const unfit = rules.template === null ? [] : templateProblems(rules.template, args);
  if (unfit.length > 0) {
    return {
      problems: unfit.map(({ variable, reason }) =>
        problem(columnOf.get(variable) ?? variable, args[variable] ?? '', reason),
      ),
    };
  }
  return { contact: { row, number: read.e164, name, args } };
}

function whyUnstorable(value: string, longest: number, encoding: FileEncoding): string | null {
  if (value.includes('\0')) return 'holds a NUL character';
  if (encoding.hasBadBytes && value.includes('\uFFFD')) {
    return `holds bytes that are not ${encoding.name === 'utf-8' ? 'UTF-8' : 'UTF-16'}`;
  }
  // A string never has more code points than UTF-16 units, so most values need no counting.
  return value.length > longest && Array.from(value).length > longest
    ? `must be at most ${longest} characters long`
    : null;
}

/** Uses defineProperty because a column may be called `__proto__`. */
function setOwn(args: Record<string, string>, name: string, value: string): void {
  Object.defineProperty(args, name, { value, enumerable: true, configurable: true, writable: true });
}

/** A short copy that PostgreSQL can store and that does not keep the whole file text alive in memory. */
const shownValue = (text: string): string =>
  Buffer.from(text.slice(0, SHOWN_VALUE).replaceAll('\0', '\uFFFD')).toString();
