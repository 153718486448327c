/** Words that are split, or kept whole, in their own way: text → parts ("don't" → "do", "n't"; "Mr." → "Mr."). */
export type Exceptions = ReadonlyMap<string, readonly string[]>;

const QUOTES = '\'"”“`‘´’‚,„»«「」『』（）〔〕【】《》〈〉';
const MARKS = '…,:;!?¿¡()[]{}<>_#*&。？！，、；：～·';
const ICONS = '™®©°§¶†‡•';
const signs = (text: string): ReadonlySet<string> => new Set(text.split(''));
const PREFIXES = signs(`§%=—–…${MARKS}${QUOTES}${ICONS}`);
const SUFFIXES = signs(`…—–${MARKS}${QUOTES}${ICONS}`);
const CURRENCIES: readonly string[] = ['US$', 'C$', 'A$', ...'$£€¥฿₽₹₩₪₺₴₦₫₱₲₵₸₼₾₿'.split('')];
const POSSESSIVES: ReadonlySet<string> = new Set(["'s", "'S", '’s', '’S']);
const UNITS: ReadonlySet<string> = new Set(
  'km km² km³ m m² m³ dm dm² dm³ cm cm² cm³ mm mm² mm³ ha µm nm yd in ft kg g mg µg t lb oz m/s km/h kmh mph hPa Pa mbar mb MB kb KB gb GB tb TB T G M K %'.split(
    ' ',
  ),
);
const LONGEST_UNIT = 4;
/** After these a full stop is a token of its own. */
const BEFORE_STOP = signs(`%²-+${MARKS}${QUOTES}`);
const INFIX =
  /\.{2,}|[…™®©°§¶†‡•]|(?<=\d)[+\-*^](?=[\d-])|(?<=[a-zß-öø-ÿ'"”“`‘´’‚,„»«])\.(?=[A-ZÀ-ÖØ-Þ'"”“`‘´’‚,„»«])|(?<=\p{L}),(?=\p{L})|(?<=[\p{L}\p{N}])(?:-{1,3}|[–~]|—{1,2})(?=\p{L})|(?<=[\p{L}\p{N}])[:<>=/](?=\p{L})/gu;
const ADDRESS =
  /^(?:(?:https?|ftp):\/\/|www\.)\S+$|^[\w.+-]+@[\w-]+\.[\w.-]+$|^[\w.-]+\.(?:com|org|net|edu|gov|io|co|uk|de|fr|info|biz|us|ca|au|tv|me|ly|ai)(?:\/\S*)?$/i;

export interface Piece {
  readonly text: string;
  /** Whether a blank follows. */
  readonly space: boolean;
}

/**
 * Words and marks of a text by the rules of spaCy for English (MIT): marks at both ends of a word are taken off, then it is
 * split at hyphens and slashes, and the parts of an exception are joined again. Pure.
 */
export function tokenize(text: string, exceptions: Exceptions): Piece[] {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  return words.flatMap((word, i) => {
    const parts = split(word, exceptions);
    const isLast = i + 1 === words.length && !/\s$/u.test(text);
    return parts.map((part, at) => ({ text: part, space: at + 1 === parts.length && !isLast }));
  });
}

function split(word: string, exceptions: Exceptions): readonly string[] {
  const known = exceptions.get(word);
  if (known !== undefined) return known;
  const { before, rest, after } = peeled(word, exceptions);
  const middle = rest === '' ? [] : (exceptions.get(rest) ?? (ADDRESS.test(rest) ? [rest] : inner(rest)));
  const parts = [...before, ...middle, ...after];
  return parts.length > 1 ? rejoined(parts, exceptions) : parts;
}

/** Takes marks off both ends until an exception or no mark is left. */
function peeled(word: string, exceptions: Exceptions): { before: string[]; rest: string; after: string[] } {
  const before: string[] = [];
  const after: string[] = [];
  let rest = word;
  while (rest !== '' && !exceptions.has(rest)) {
    const [prefix, suffix] = [prefixOf(rest), suffixOf(rest.slice(prefixOf(rest)))];
    if (prefix === 0 && suffix === 0) break;
    const withoutPrefix = rest.slice(prefix);
    if (prefix > 0 && withoutPrefix !== '' && exceptions.has(withoutPrefix)) {
      before.push(rest.slice(0, prefix));
      rest = withoutPrefix;
      break;
    }
    const withoutSuffix = rest.slice(0, rest.length - suffix);
    if (suffix > 0 && withoutSuffix !== '' && exceptions.has(withoutSuffix)) {
      after.unshift(rest.slice(rest.length - suffix));
      rest = withoutSuffix;
      break;
    }
    if (prefix > 0) before.push(rest.slice(0, prefix));
    if (suffix > 0) after.unshift(rest.slice(rest.length - suffix));
    rest = rest.slice(prefix, rest.length - suffix);
  }
  return { before, rest, after };
}

const isDigit = (char: string | undefined): boolean => char !== undefined && /^\d$/.test(char);

/** Number of characters of a mark at the beginning. */
function prefixOf(word: string): number {
  const dots = /^\.{2,}/.exec(word)?.[0].length ?? 0;
  if (dots > 0) return dots;
  const [first] = word;
  if (first === undefined) return 0;
  if (PREFIXES.has(first) || (first === '+' && !isDigit(word[1]))) return first.length;
  return CURRENCIES.find((sign) => word.startsWith(sign))?.length ?? 0;
}

/** Number of characters of the longest mark at the end. */
function suffixOf(word: string): number {
  let dots = 0;
  while (word.at(-1 - dots) === '.') dots++;
  if (dots >= 2) return dots;
  const before = (length: number): string | undefined => word.at(-1 - length);
  if (dots === 1) {
    const [one, two] = [before(1), before(2)];
    if (one === undefined) return 0;
    const isInitials = two !== undefined && /^[A-ZÀ-ÖØ-Þ]{2}$/.test(two + one);
    return isInitials || BEFORE_STOP.has(one) || /[\da-zß-öø-ÿ]/.test(one) ? 1 : 0;
  }
  for (let length = LONGEST_UNIT; length > 0; length--) {
    const end = word.slice(-length);
    if (end.length < length) continue;
    if (POSSESSIVES.has(end)) return length;
    if (isDigit(before(length)) && (UNITS.has(end) || CURRENCIES.includes(end) || end === '+')) return length;
  }
  const last = word.at(-1);
  return last !== undefined && SUFFIXES.has(last) ? 1 : 0;
}

/** Splits a word without marks at its ends. */
function inner(word: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const match of word.matchAll(INFIX)) {
    if (match.index === 0) continue;
    if (match.index > start) parts.push(word.slice(start, match.index));
    parts.push(match[0]);
    start = match.index + match[0].length;
  }
  if (start < word.length) parts.push(word.slice(start));
  return parts;
}

/** Joins neighbours that are an exception together ("Sept", "." → "Sept."). */
function rejoined(parts: readonly string[], exceptions: Exceptions): string[] {
  const out: string[] = [];
  let at = 0;
  while (at < parts.length) {
    const length = [3, 2].find(
      (count) => at + count <= parts.length && exceptions.has(parts.slice(at, at + count).join('')),
    );
    const found = length === undefined ? undefined : exceptions.get(parts.slice(at, at + length).join(''));
    out.push(...(found ?? [parts[at] ?? '']));
    at += length ?? 1;
  }
  return out;
}
