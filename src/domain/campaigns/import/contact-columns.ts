import type { FieldProblem } from '../../../errors.ts';

/** The columns a contact list must and may have, fixed at upload. */
export interface ColumnRules {
  /** Variable name to column header, as sent. */
  readonly variablesMap: Readonly<Record<string, string>>;
  /** Variables used in the prompt and the first message: each needs a column. */
  readonly promptVariables: readonly string[];
  /** Those of them that every contact needs a value for: the agent says them without a fallback. */
  readonly neededVariables?: readonly string[];
  /** Variables of the template that a campaign of messages sends: each needs a column. */
  readonly templateVariables?: readonly string[];
  /** Variables the agent declares: a column of that name is read, but not required. */
  readonly declaredVariables: readonly string[];
}

/** Column indexes of a contact's values, from 0. */
export interface ContactColumns {
  readonly header: readonly string[];
  readonly number: number;
  readonly name: number | null;
  /** Variables beside the number and the name. */
  readonly variables: readonly { readonly name: string; readonly at: number }[];
}

export type ColumnsFound =
  | { readonly ok: true; readonly columns: ContactColumns }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

const NUMBER_COLUMN = 'Mobile Number';
const MAX_HEADER = 255;
const SHOWN_HEADERS = 20;
export const MAX_COLUMNS = 500;

/** Normalises a header for comparison: letter case, blanks, `_` and `-` do not count. */
const loose = (header: string): string =>
  header
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
const quoted = (header: string): string => JSON.stringify(header.slice(0, MAX_HEADER));

/** Maps the header row to number, name and variables, or returns every problem with it. */
export function findColumns(cells: readonly string[], rules: ColumnRules): ColumnsFound {
  const header = cells.map((cell) => cell.normalize('NFC').trim());
  const problems = [...headerProblems(header)];
  if (problems.length > 0) return { ok: false, problems };
  const mapped = new Map<string, number>();
  for (const [name, column] of Object.entries(rules.variablesMap)) {
    const at = placeOf(header, column);
    if (at === null) {
      problems.push({
        field: `variables_map.${name}`,
        message: `names the column ${quoted(column)}, which the file does not have; it has ${shown(header)}`,
      });
    } else mapped.set(name, at);
  }
  const at = (name: string): number | null => mapped.get(name) ?? placeOf(header, name);
  const isUnmapped = (name: string): boolean => !Object.hasOwn(rules.variablesMap, name);
  const number = mapped.get('mobile_number') ?? placeOf(header, NUMBER_COLUMN);
  if (number === null && isUnmapped('mobile_number')) {
    problems.push({
      field: 'file',
      message: `must have a column "${NUMBER_COLUMN}", or variables_map must map mobile_number to one; it has ${shown(header)}`,
    });
  }
  const { templateVariables = [] } = rules;
  for (const name of [...templateVariables, ...rules.promptVariables]) {
    if (name === 'mobile_number' || !isUnmapped(name) || at(name) !== null) continue;
    const user = templateVariables.includes(name) ? 'template' : 'prompt';
    problems.push({
      field: 'file',
      message: `must have a column "${name}", which the ${user} uses, or variables_map must map ${name} to one`,
    });
  }
  if (problems.length > 0 || number === null) return { ok: false, problems };
  const names = new Set([
    ...Object.keys(rules.variablesMap),
    ...rules.promptVariables,
    ...templateVariables,
    ...rules.declaredVariables,
  ]);
  names.delete('mobile_number');
  names.delete('callee_name');
  const variables = [...names].flatMap((name) => {
    const place = at(name);
    return place === null ? [] : [{ name, at: place }];
  });
  return { ok: true, columns: { header, number, name: at('callee_name'), variables } };
}

function* headerProblems(header: readonly string[]): Generator<FieldProblem, void, undefined> {
  const file = (message: string): FieldProblem => ({ field: 'file', message });
  if (header.length > MAX_COLUMNS) {
    yield file(`must have at most ${MAX_COLUMNS} columns`);
    return;
  }
  if (header.some((name) => name.includes('\0'))) {
    yield file('holds NUL bytes in its header: it is no CSV text; save it as UTF-8');
    return;
  }
  const seen = new Map<string, { name: string; column: number }>();
  for (const [at, name] of header.entries()) {
    const column = at + 1;
    if (name === '') yield file(`has no header in column ${column}`);
    else if (name.length > MAX_HEADER)
      yield file(`has a header of more than ${MAX_HEADER} characters in column ${column}`);
    else {
      const key = loose(name);
      const first = seen.get(key);
      if (first === undefined) seen.set(key, { name, column });
      else {
        const other = first.name === name ? '' : ` (the first as ${quoted(first.name)})`;
        yield file(`has the header ${quoted(name)} twice: in columns ${first.column} and ${column}${other}`);
      }
    }
  }
}

/** Index of the column with this name; `headerProblems` has made sure that there is at most one. */
function placeOf(header: readonly string[], name: string): number | null {
  const key = loose(name);
  const at = header.findIndex((column) => loose(column) === key);
  return at === -1 ? null : at;
}

function shown(header: readonly string[]): string {
  const names = header.slice(0, SHOWN_HEADERS).map(quoted).join(', ');
  return header.length > SHOWN_HEADERS ? `${names} and ${header.length - SHOWN_HEADERS} more` : names;
}
