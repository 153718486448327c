/** Characters of a text that count. */
export const MOST_CHARS = 2000;

/** Normalises text for comparison: lower case, no punctuation, ASCII digits, single spaces. Drops what exceeds `most`. */
export function normal(text: string, most = MOST_CHARS): string {
  return asciiDigits(text.slice(0, most))
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’'`]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}\s%]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const phrases = new Map<string, string>();

/** `normal` of a constant of a phrase table, computed once. */
export function normalPhrase(phrase: string): string {
  let form = phrases.get(phrase);
  if (form === undefined) {
    form = normal(phrase);
    phrases.set(phrase, form);
  }
  return form;
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

/** Whether `text` contains `phrase` as whole words, both in `normal` form; in scripts without spaces, anywhere. */
export function hasPhrase(text: string, phrase: string): boolean {
  if (phrase === '') return false;
  if (/[\p{Script=Han}\p{Script=Myanmar}]/u.test(phrase)) return text.includes(phrase);
  return ` ${text} `.includes(` ${phrase} `);
}

/** Whether one line of the text matches the patterns one after another; the pattern `a.*b` would take quadratic time. */
export const inOrder = (text: string, ...patterns: readonly RegExp[]): boolean =>
  text.split(/[\n\r\u2028\u2029]/).some((line) => {
    let rest = line;
    return patterns.every((pattern) => {
      const match = pattern.exec(rest);
      if (match !== null) rest = rest.slice(match.index + match[0].length);
      return match !== null;
    });
  });

const ABBREVIATION =
  /(?:\b(?:dr|mr|mrs|ms|st|no|vs|etc|e\.g|i\.e|inc|ltd|jr|sr|rs|approx|a\.m|p\.m)|\b[A-Z])\.$/i;

/** Splits a line into sentences; abbreviations and decimals do not end one, quoted text stays in one piece. */
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
