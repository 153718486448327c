/** A prompt variable: `@{{name}}` or `{{name}}` (interface, Agent create request). */
export const VARIABLE = /@?\{\{\s*([\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_ .-]{0,62}[\p{L}\p{M}\p{N}_])?)\s*\}\}/gu;

/** Names of the variables in a text, each once, in order of appearance. */
export function findVariables(text: string): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map((match) => match[1] ?? ''))];
}
