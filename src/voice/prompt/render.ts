import { VARIABLE } from './find-variables.ts';

/** Longest value of a variable, in characters. */
export const LONGEST_VALUE = 1_000;

/**
 * Puts values in place of variables, in one pass: what a value contains is never looked at again. Unknown
 * variables become nothing and are reported. Values are data: one line, no control characters, capped.
 */
export function render(
  text: string,
  values: Readonly<Record<string, string>>,
): { text: string; unknown: string[] } {
  const unknown = new Set<string>();
  const rendered = text.replace(VARIABLE, (_whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value !== undefined) return cleanValue(value);
    unknown.add(name);
    return '';
  });
  return { text: rendered, unknown: [...unknown] };
}

/**
 * A value as it may stand in a prompt: line breaks and control or invisible characters cannot forge a section
 * or a role, joiners that Indic scripts need stay.
 */
export function cleanValue(value: string): string {
  const cut = Array.from(value.slice(0, LONGEST_VALUE * 2))
    .slice(0, LONGEST_VALUE)
    .join('');
  return cut
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/(?![\u200C\u200D])[\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .trim();
}
