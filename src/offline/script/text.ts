/** Prompts and caller lines are untrusted input: every length is bounded. */
const MAX_SPOKEN = 600;
const MAX_LINE = 2000;
const MAX_INDENT = 40;

/** Strips markup, control characters and unrendered variables from prompt text; keeps line breaks. */
export function plainText(source: string, cap = 40_000): string {
  return source
    .slice(0, cap)
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}\u200b\ufeff\ufffd]/gu, (control) =>
      control === '\n' || control === '\t' ? control : ' ',
    )
    .replace(/@?\{\{[^{}\n]{0,200}\}\}/g, '')
    .replace(/\*\*|__|`+/g, '')
    .replace(/(^|\s)\*(\S[^*\n]*\S|\S)\*(?=\s|$|[.,!?])/g, '$1$2')
    .split('\n')
    .map(oneSpaced)
    .join('\n');
}

/**
 * Shortens what the patterns of this folder would scan again and again: each run of blanks inside a line becomes one,
 * each run of more than three equal marks three, and a line ends after `MAX_LINE` characters.
 */
function oneSpaced(line: string): string {
  const text = line.trimEnd();
  const indent = text.length - text.trimStart().length;
  const rest = text
    .slice(indent)
    .replace(/\s+/g, ' ')
    .replace(/([^\p{L}\p{N}\s])\1{3,}/gu, '$1$1$1');
  return text.slice(0, Math.min(indent, MAX_INDENT)) + rest.slice(0, MAX_LINE);
}

/** Formats one spoken sentence: single spaces, first letter capital, closing mark. Empty when there are no words. */
export function spoken(text: string): string {
  const words = text
    .replace(/[<>{}[\]|\\^~#*_=]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(?<!\s)\s+([,.!?;:])/g, '$1')
    .replace(/^[\s,.;:!?)\-–—]+/, '')
    .trim()
    .slice(0, MAX_SPOKEN)
    .trim();
  if (!/[\p{L}\p{N}]/u.test(words)) return '';
  const capital = capitalise(words.replace(/(?<![\s,;:(\-–—])[\s,;:(\-–—]+$/, ''));
  return /[.!?。！？।؟॥…။]["'”’)]?$/u.test(capital) ? capital : `${capital}.`;
}

export const capitalise = (text: string): string => {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
};

/** Fills the `{key}` placeholders of a line. */
export const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template
    .replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '')
    .replace(/\s{2,}/g, ' ')
    .trim();

export const isLatin = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin * 2 >= letters;
};
