/** Text chores of the script engine. Everything is bounded: prompts and callers are outside input. */
const MAX_SPOKEN = 600;

/** Prompt text without markup, control characters and unrendered variables; lines kept. */
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
    .replace(/[ \t]+$/gm, '');
}

/** One spoken sentence: single spaces, capital first, closing mark. Empty when there are no words. */
export function spoken(text: string): string {
  const words = text
    .replace(/[<>{}[\]|\\^~#*_=]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/\s+([,.!?;:])/g, '$1')
    .replace(/^[\s,.;:!?)\-–—]+/, '')
    .trim()
    .slice(0, MAX_SPOKEN)
    .trim();
  if (!/[\p{L}\p{N}]/u.test(words)) return '';
  const capital = capitalise(words.replace(/[\s,;:(\-–—]+$/, ''));
  return /[.!?。！？।؟॥…။]["'”’)]?$/u.test(capital) ? capital : `${capital}.`;
}

export const capitalise = (text: string): string => {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
};

const ABBREVIATION =
  /(?:\b(?:dr|mr|mrs|ms|st|no|vs|etc|e\.g|i\.e|inc|ltd|jr|sr|rs|approx|a\.m|p\.m)|\b[A-Z])\.$/i;

/** Sentences of one line; abbreviations and decimals do not end one, quoted text stays whole. */
export function sentences(line: string): string[] {
  const out: string[] = [];
  let from = 0;
  let quoted = false;
  const cut = (to: number): void => {
    const sentence = line.slice(from, to).trim();
    if (sentence !== '') out.push(sentence);
    from = to;
    quoted = false;
  };
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === '“') quoted = true;
    else if (character === '”') quoted = false;
    else if (character === '"') quoted = !quoted;
    const afterQuote = (character === '"' || character === '”') && !quoted;
    const end = afterQuote ? line.charAt(at - 1) : character;
    if (quoted && at - from < 500) continue;
    if (/[।॥。！？؟။]/u.test(end)) {
      cut(at + 1);
    } else if (/[.!?]/.test(end)) {
      const rest = line.slice(at + 1, at + 4);
      if (rest !== '' && !/^\s/.test(rest)) continue;
      if (
        afterQuote ? /^\s+[^A-Z]/.test(rest) : ABBREVIATION.test(line.slice(Math.max(from, at - 12), at + 1))
      )
        continue;
      cut(at + 1);
    }
  }
  cut(line.length);
  return out;
}

/** Lower case, no punctuation, ASCII digits, single spaces: the form in which words are compared. */
export function normal(text: string): string {
  return asciiDigits(text.slice(0, 2000))
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’'`]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}\s%]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Digits of every script as 0–9. */
export function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 48;
    if (code < 128) return digit;
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String(code - zero);
  });
}

export const words = (text: string): string[] =>
  normal(text)
    .split(' ')
    .filter((word) => word !== '');

/** Whether `phrase` occurs in `text` as whole words (both in `normal` form); scripts without spaces: anywhere. */
export function hasPhrase(text: string, phrase: string): boolean {
  if (phrase === '') return false;
  if (/[\p{Script=Han}\p{Script=Myanmar}]/u.test(phrase)) return text.includes(phrase);
  return ` ${text} `.includes(` ${phrase} `);
}

/** Fills `{key}` places of a wording. */
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
