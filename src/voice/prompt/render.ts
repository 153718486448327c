import { toUse, valueOf, VARIABLE } from '../../shared/variables.ts';

/** Longest value of a variable, in characters. */
export const MAX_VALUE_CHARS = 1_000;

/**
 * Replaces variables by their values in one pass: variables inside values are not rendered. A variable without a value
 * becomes its fallback, else `unknownWords`, and is reported. Values are data: one line, no control characters, capped;
 * `show` may format them otherwise.
 */
export function render(
  text: string,
  values: Readonly<Record<string, string>>,
  show: (value: string, name: string) => string = cleanValue,
  unknownWords: (name: string) => string = () => '',
): { text: string; unknown: string[] } {
  const unknown = new Set<string>();
  const rendered = text.replace(VARIABLE, (...match: string[]) => {
    const { name, fallback } = toUse(match);
    const value = valueOf(values, name);
    if (value !== null) return show(value, name);
    if (fallback !== null) return cleanValue(fallback);
    unknown.add(name);
    return unknownWords(name);
  });
  return { text: rendered, unknown: [...unknown] };
}

/**
 * A value as a language model gets it inside its instructions: between marks that no value contains, so that a caller's
 * name or a row of a contact list cannot pass for an instruction.
 */
export const markedValue = (value: string): string => `«${cleanValue(value).replaceAll(/[«»]/gu, "'")}»`;

/** The text without these marks, which a model may copy. */
export const withoutMarks = (text: string): string => text.replaceAll(/[«»]/gu, '');

/**
 * Sanitises a value for a prompt: removes line breaks and control or invisible characters, which could forge a section
 * or a role; keeps the joiners of Indic scripts.
 */
export function cleanValue(value: string): string {
  const cut = Array.from(value.slice(0, MAX_VALUE_CHARS * 2))
    .slice(0, MAX_VALUE_CHARS)
    .join('');
  return cut
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/(?![\u200C\u200D])[\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .trim();
}
