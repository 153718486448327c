/**
 * A variable: `@{{name}}` or `{{name}}` (interface, Agent create request), with a fallback `{{name|words}}` for calls
 * without a value.
 */
export const VARIABLE =
  /@?\{\{\s*([\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_ .-]{0,62}[\p{L}\p{M}\p{N}_])?)\s*(?:\|([^{}\r\n]{0,200}))?\}\}/gu;

export interface VariableUse {
  readonly name: string;
  /** The words that stand in for a missing value; null: none, also for an empty fallback. */
  readonly fallback: string | null;
}

/** One use of a variable in a text. */
export const toUse = (match: readonly (string | undefined)[]): VariableUse => {
  const fallback = match[2]?.trim() ?? '';
  return { name: match[1] ?? '', fallback: fallback === '' ? null : fallback };
};

/** Every use of a variable in a text, in order of appearance. */
export const variableUses = (text: string): VariableUse[] => [...text.matchAll(VARIABLE)].map(toUse);

/** Names of the variables in a text, each once, in order of appearance. */
export const findVariables = (text: string): string[] => [
  ...new Set(variableUses(text).map(({ name }) => name)),
];

/** The value of a variable; null without one: a blank value is none. */
export function valueOf(values: Readonly<Record<string, string>>, name: string): string | null {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return value === undefined || value.trim() === '' ? null : value;
}
