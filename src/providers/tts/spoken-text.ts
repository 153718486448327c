/** Longest text given to an engine, in characters; the rest is cut at a word. */
export const MAX_SPOKEN_CHARACTERS = 2000;

/** Characters that a clause may have before it is also split at commas. */
const LONG_CLAUSE = 140;

/**
 * Text as an engine may read it: no control characters, tags, phoneme brackets, markdown marks or pictures,
 * single spaces, capped at `MAX_SPOKEN_CHARACTERS`. Joiners that Indic scripts need stay. Empty when nothing
 * speakable is left.
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
  [/\s*[—–]\s*/g, ', '],
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

/**
 * Splits for engines that give no sound before the whole is made: at sentence ends, and at commas where a
 * sentence is long, so that the first part is ready early.
 */
export function speechClauses(text: string): string[] {
  const clauses: string[] = [];
  for (const sentence of text.split(/(?<=[.!?]["')]?)\s+(?=[^\s])/)) {
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
  return joinFragments(clauses.filter((clause) => /[a-z0-9]/i.test(clause)));
}

/** Abbreviations ("Mr. Smith", "p.m. on") must not stand alone: short pieces join the next one. */
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
