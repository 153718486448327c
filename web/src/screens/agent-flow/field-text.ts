import { linesOf } from '../../ui/lines.ts';

/** How a value of several parts is written in a text field, and read from it. An empty text is no value. */
export interface TextForm {
  readonly write: (value: unknown) => string;
  readonly read: (text: string) => unknown;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text a line. */
export const LINES: TextForm = {
  write: (value) => (Array.isArray(value) ? value.map(String).join('\n') : ''),
  read: linesOf,
};

/** A name and its expression a line: `name = expression`. */
export const PAIRS: TextForm = {
  write: (value) =>
    isRecord(value)
      ? Object.entries(value)
          .map(([name, expression]) => `${name} = ${String(expression)}`)
          .join('\n')
      : '',
  read: (text) =>
    Object.fromEntries(
      linesOf(text).map((line) => {
        const [name = '', ...expression] = line.split('=');
        return [name.trim(), expression.join('=').trim()];
      }),
    ),
};

/** An answer a line, its phrases behind bars: `yes | it does | sure`. */
export const ANSWERS: TextForm = {
  write: (value) =>
    Array.isArray(value)
      ? value
          .filter(isRecord)
          .map(({ name, phrases }) =>
            [String(name), ...(Array.isArray(phrases) ? phrases.map(String) : [])].join(' | '),
          )
          .join('\n')
      : '',
  read: (text) =>
    linesOf(text).map((line) => {
      const [name = '', ...phrases] = line.split('|').map((part) => part.trim());
      const given = phrases.filter((phrase) => phrase !== '');
      return given.length === 0 ? { name } : { name, phrases: given };
    }),
};

/** What an emptied field leaves: nothing, or an empty value that the check names. */
export function keptValue(value: unknown, isNeeded: boolean): unknown {
  const isEmpty =
    value === '' ||
    value === false ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return isEmpty && !isNeeded ? undefined : value;
}

/** Ends of an expression that a field offers: the variable that its last word may become. */
export function completions(expression: string, variables: readonly string[]): readonly string[] {
  const word = /[a-z0-9_]*$/i.exec(expression)?.[0] ?? '';
  const head = expression.slice(0, expression.length - word.length);
  return variables.filter((name) => name !== word && name.startsWith(word)).map((name) => head + name);
}
