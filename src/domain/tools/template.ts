import { toUse, valueOf, VARIABLE } from '../../shared/variables.ts';

/**
 * Substitutes variables in one pass: values are not expanded again. A variable without a value becomes its fallback, or
 * empty: a request is data, not speech.
 */
export const substitute = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replaceAll(VARIABLE, (...match: string[]) => {
    const { name, fallback } = toUse(match);
    return valueOf(variables, name) ?? fallback ?? '';
  });

const PART = /\[(\d{1,4})\]|([^.[\]]+)/gu;
const MAX_VALUE_CHARS = 1000;

/** The value at a path such as `data.slots[0].time`, as text; null if absent. */
export function textAt(value: unknown, path: string): string | null {
  let at: unknown = value;
  for (const [, index, key] of path.matchAll(PART)) {
    const part = index ?? key ?? '';
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return null;
    at = (at as Record<string, unknown>)[part];
  }
  if (at === null || at === undefined) return null;
  const text = typeof at === 'string' ? at : JSON.stringify(at);
  return text.slice(0, MAX_VALUE_CHARS);
}
