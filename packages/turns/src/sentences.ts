/** Reply text that is not yet a complete sentence. */
export interface SentenceBuffer {
  readonly text: string;
  /** No piece was emitted yet: the first one may be a clause, so that speech starts early. */
  readonly first: boolean;
}

export const NO_TEXT: SentenceBuffer = { text: '', first: true };

/** Shortest first clause, and the longest piece before one is cut at a clause or a space. */
const FIRST_CLAUSE_CHARS = 25;
const LONGEST_CHARS = 240;
/** Sentence-ending marks. */
const MOST_MARKS = 12;

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Myanmar}\p{Script=Thai}]/u;
/** End marks that need a following space, end marks that do not, and closing marks after an end. */
const SPACED_END = '.!?…؟۔';
const PLAIN_END = '।॥。！？｡။';
const CLOSER = '"\'”’»)]」』）';
const CLAUSE = ',;:—،؛';
const PLAIN_CLAUSE = '，、；：၊';

const ABBREVIATIONS = new Set(
  'mr mrs ms dr prof st sr jr smt shri no nos vs etc inc ltd pvt co dept approx ext tel min hr hrs rs fig eg ie e.g i.e'.split(
    ' ',
  ),
);

/** Appends `delta` and returns the sentences that are now complete. */
export function pushText(
  buffer: SentenceBuffer,
  delta: string,
): { buffer: SentenceBuffer; sentences: string[] } {
  let text = buffer.text + delta;
  let first = buffer.first;
  const sentences: string[] = [];
  for (;;) {
    const cut = cutAt(text, first);
    if (cut === null) break;
    const sentence = tidy(text.slice(0, cut));
    text = text.slice(cut);
    if (sentence === '') continue;
    sentences.push(sentence);
    first = false;
  }
  return { buffer: { text, first }, sentences };
}

/** The rest at the end of the text; null: nothing speakable. */
export function restOfText(buffer: SentenceBuffer): string | null {
  const rest = tidy(buffer.text);
  return rest === '' ? null : rest;
}

/** Joins spoken pieces with a space, except in scripts without spaces. */
export function joinText(pieces: readonly string[]): string {
  let out = '';
  for (const piece of pieces) {
    if (piece === '') continue;
    const seamless = out !== '' && isWide(out.at(-1)) && isWide(piece[0]);
    out += out === '' || seamless ? piece : ` ${piece}`;
  }
  return out;
}

const isWide = (char: string | undefined): boolean =>
  char !== undefined && (WIDE.test(char) || '。！？，、；：၊။'.includes(char));

/** End of the first piece of `text`; null while it may still grow. */
function cutAt(text: string, first: boolean): number | null {
  for (let i = 0; i < Math.min(text.length, LONGEST_CHARS); i++) {
    const char = text[i] ?? '';
    if (char === '\n') return i + 1;
    if (SPACED_END.includes(char) || PLAIN_END.includes(char)) {
      const end = endOfMarks(text, i + 1);
      const next = text[end];
      if (next === undefined) return null;
      const plain = PLAIN_END.includes(char);
      if ((plain || isSpace(next)) && !isAbbreviation(text, i, end)) return end;
      i = end - 1;
      continue;
    }
    if (first && isClauseEnd(text, i)) return i + 1;
  }
  return text.length > LONGEST_CHARS ? longCut(text) : null;
}

function isClauseEnd(text: string, i: number): boolean {
  const char = text[i] ?? '';
  if (PLAIN_CLAUSE.includes(char)) return i + 1 >= FIRST_CLAUSE_CHARS / 2;
  if (!CLAUSE.includes(char) || i + 1 < FIRST_CLAUSE_CHARS) return false;
  const next = text[i + 1];
  return next !== undefined && isSpace(next);
}

/** The last clause or space before the limit, else the limit. */
function longCut(text: string): number {
  for (const wanted of [CLAUSE + PLAIN_CLAUSE, ' ']) {
    for (let i = LONGEST_CHARS - 1; i > LONGEST_CHARS / 3; i--) {
      if (wanted.includes(text[i] ?? '\0')) return i + 1;
    }
  }
  const low = text.charCodeAt(LONGEST_CHARS);
  return low >= 0xdc00 && low <= 0xdfff ? LONGEST_CHARS - 1 : LONGEST_CHARS;
}

function endOfMarks(text: string, from: number): number {
  let i = from;
  while (
    i < text.length &&
    i < from + MOST_MARKS &&
    (SPACED_END + PLAIN_END + CLOSER).includes(text[i] ?? '')
  )
    i++;
  return i;
}

/** A full stop after "Dr", a single letter or a list number does not end a sentence. */
function isAbbreviation(text: string, dot: number, end: number): boolean {
  if (text[dot] !== '.' || end !== dot + 1) return false;
  const word = wordBefore(text, dot).toLowerCase();
  if (ABBREVIATIONS.has(word) || /^(?:\p{L}\.)*\p{L}$/u.test(word)) return word !== 'i';
  return /^\p{Nd}{1,2}$/u.test(word) && text.slice(0, dot - word.length).trim() === '';
}

/** The letters, digits and full stops directly before `end`, at most 100. */
function wordBefore(text: string, end: number): string {
  const chars = Array.from(text.slice(Math.max(0, end - 100), end));
  const at = chars.findLastIndex((char) => !/[\p{L}\p{M}\p{N}.]/u.test(char));
  return chars.slice(at + 1).join('');
}

const isSpace = (char: string): boolean => /\s/u.test(char);

/** One line without emphasis marks; null without a letter or digit. */
function tidy(text: string): string {
  const plain = text
    .replaceAll(/\*\*|__|`/gu, '')
    .replace(/^\s*(?:#{1,6}|[-•])\s+/u, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return /[\p{L}\p{N}*#]/u.test(plain) ? plain : '';
}
