import { fill, t } from './words.ts';

/** Sentences of the service, with places such as `{count}` for values, and what the pages say instead. */
export type SentenceForms = readonly (readonly [service: string, page: string])[];
type WordValue = (value: string, place: string) => string;

/** Places that take a number alone; any other takes what stands there. */
const NUMBERS: ReadonlySet<string> = new Set(['count', 'least', 'most', 'seconds', 'status', 'times']);
const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** The expression that reads the values of a sentence. Pure. */
export const formOf = (sentence: string): string =>
  sentence
    .split(/\{(\w+)\}/)
    .map((part, index) =>
      index % 2 === 0 ? escaped(part) : `(?<${part}>${NUMBERS.has(part) ? String.raw`-?\d[\d.,]*` : '.+?'})`,
    )
    .join('');

const compiled = new Map<string, RegExp>();
function expression(source: string): RegExp {
  const known = compiled.get(source) ?? new RegExp(source, 's');
  compiled.set(source, known);
  return known;
}

/** Finds the sentence that `start` and the end of the message enclose; `at`: where it begins. */
function read(
  forms: SentenceForms,
  message: string,
  start: string,
  wordValue: WordValue,
): { readonly at: number; readonly text: string } | null {
  for (const [service, page] of forms) {
    const found = expression(`${start}${formOf(service)}$`).exec(message);
    if (found === null) continue;
    const values = Object.entries(found.groups ?? {}).map(([place, value]) => [
      place,
      wordValue(value, place),
    ]);
    return { at: found.index, text: fill(t(page), Object.fromEntries(values) as Record<string, string>) };
  }
  return null;
}

const asItIs: WordValue = (value) => value;

/** What the pages say for a message; null: none of the sentences is it. */
export const pageSentence = (
  forms: SentenceForms,
  message: string,
  wordValue: WordValue = asItIs,
): string | null => read(forms, message, '^', wordValue)?.text ?? null;

/** The sentence at the end of a message, such as the rule behind the name of a field; null: none of the sentences. */
export const pageEnding = (
  forms: SentenceForms,
  message: string,
  wordValue: WordValue = asItIs,
): { readonly at: number; readonly text: string } | null =>
  read(forms, message, String.raw`(?<=^|\s)`, wordValue);
