/** A variable in a tool's text, written as in a prompt. */
const VARIABLE = /@?\{\{\s*([^{}]+?)\s*\}\}/gu;

/** Puts values in place of variables, once: what a value contains is not looked at again. Unknown ones are empty. */
export const fillIn = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replaceAll(VARIABLE, (_whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? '') : '',
  );

const PART = /\[(\d{1,4})\]|([^.[\]]+)/gu;
const LONGEST_VALUE = 1000;

/** What stands at `data.slots[0].time` of a JSON value, as text; null where nothing does. */
export function textAt(value: unknown, path: string): string | null {
  let at: unknown = value;
  for (const [, index, key] of path.matchAll(PART)) {
    const part = index ?? key ?? '';
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return null;
    at = (at as Record<string, unknown>)[part];
  }
  if (at === null || at === undefined) return null;
  const text = typeof at === 'string' ? at : JSON.stringify(at);
  return text.slice(0, LONGEST_VALUE);
}
