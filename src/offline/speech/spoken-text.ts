/** Longest text for an engine, in characters; longer text is cut at a word. */
export const MAX_SPOKEN_CHARACTERS = 2000;

/** A longer sentence, in characters, is also split at commas. */
const LONG_CLAUSE = 140;

/**
 * Sanitises text for an engine: removes control characters, tags, phoneme brackets, markdown marks and emoji, collapses
 * spaces, caps it at `MAX_SPOKEN_CHARACTERS`. Keeps the joiners that Indic scripts need. Empty when nothing speakable is
 * left.
 */
export function spokenText(text: string): string {
  const clean = text
    .slice(0, MAX_SPOKEN_CHARACTERS * 2)
    .toWellFormed()
    .replace(/<\/?[a-zA-Z!?][^<>]{0,200}>/g, ' ')
    .replace(/(^|[\s"'(])\*(?=$|[\s"'.,)])/g, '$1 star ')
    .replace(/[\p{Extended_Pictographic}\u{1F1E6}-\u{1F1FF}]|\uFE0F|\u20E3/gu, (match) =>
      /[©®™]/.test(match) ? match : ' ',
    )
    .replace(/[\p{Cc}\u202A-\u202E\u2060-\u206F\uFEFF\uFFFC-\uFFFD\p{Co}\p{Cn}]/gu, ' ')
    .replace(/[[\]{}<>|`*_~^\\]/g, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  if (!/[\p{L}\p{N}]/u.test(clean)) return '';
  if (clean.length <= MAX_SPOKEN_CHARACTERS) return clean;
  const cut = clean.slice(0, MAX_SPOKEN_CHARACTERS).toWellFormed().replaceAll('\uFFFD', '');
  const space = cut.lastIndexOf(' ');
  return space > MAX_SPOKEN_CHARACTERS / 2 ? cut.slice(0, space) : cut;
}

const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/[‘’ʼ′]/g, "'"],
  [/[“”„«»″]/g, '"'],
  [/(?<!\s)\s*[—–]\s*/g, ', '],
  [/…/g, '...'],
  [/₹\s?/g, 'rupees '],
  [/€\s?/g, 'euros '],
  [/£\s?/g, 'pounds '],
  [/°/g, ' degrees '],
  [/[©®™]/g, ''],
];

/** The text in ASCII for an English-only engine, or null when it holds letters of another script. */
export function asciiText(text: string): string | null {
  let plain = text;
  for (const [pattern, replacement] of PLAIN) plain = plain.replace(pattern, replacement);
  plain = plain.normalize('NFKD').replace(/\p{M}/gu, '');
  const rest = plain.replace(/[ -~]/g, '');
  if (/[\p{L}\p{N}]/u.test(rest)) return null;
  return plain
    .replace(/[^ -~]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const SPEAKABLE = /[\p{L}\p{N}]/u;

/**
 * Splits text for engines that produce no sound before the whole text is synthesised: at sentence ends, and in long
 * sentences at commas, so that the first clause is ready early.
 */
export function speechClauses(text: string): string[] {
  const clauses: string[] = [];
  for (const sentence of text.split(/(?<=[.!?।]["')]?)\s+(?=[^\s])/)) {
    let open = '';
    const parts = sentence.length > LONG_CLAUSE ? sentence.split(/(?<=[,;:])\s+/) : [sentence];
    for (const part of parts) {
      if (open !== '' && open.length + part.length > LONG_CLAUSE) {
        clauses.push(open);
        open = part;
      } else open = open === '' ? part : `${open} ${part}`;
    }
    if (open !== '') clauses.push(open);
  }
  return joinFragments(clauses.filter((clause) => SPEAKABLE.test(clause)));
}

/** Shortest and longest opening, in characters. */
const OPENING = { min: 6, max: 60 } as const;

/**
 * The opening of a sentence up to its first comma ("Hello Anna,"), and the rest; null without one. A short opening is
 * synthesised in a fraction of the sentence's time, and the rest is often the same for every callee.
 */
export function opening(sentence: string): readonly [string, string] | null {
  const comma = /[,;:]\s/.exec(sentence)?.index ?? -1;
  const [head, rest] = [sentence.slice(0, comma + 1), sentence.slice(comma + 1).trim()];
  const fits = head.length >= OPENING.min && head.length <= OPENING.max;
  return comma > 0 && fits && SPEAKABLE.test(head) && SPEAKABLE.test(rest) ? [head, rest] : null;
}

/** Joins short clauses with the next one, so that abbreviations ("Mr. Smith", "p.m. on") do not stand alone. */
function joinFragments(clauses: readonly string[]): string[] {
  const joined: string[] = [];
  let open = '';
  for (const clause of clauses) {
    open = open === '' ? clause : `${open} ${clause}`;
    if (open.length >= 25) {
      joined.push(open);
      open = '';
    }
  }
  if (open !== '') {
    const last = joined.pop();
    joined.push(last === undefined ? open : `${last} ${open}`);
  }
  return joined;
}
