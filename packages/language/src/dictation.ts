import type { Language } from './languages.ts';
import { phrasesOf } from './phrases.ts';
import { asciiDigits } from './text.ts';

/** What the caller dictates at the end of their words: digits, or letters one by one. */
export interface Dictated {
  readonly digits: string;
  readonly letters: string;
  /** The number began with a country code. */
  readonly hasPlus: boolean;
  /** Several pieces, not one number that a recogniser wrote whole. */
  readonly inPieces: boolean;
}

/** How many digits the answer to a question has. */
export interface DigitsWanted {
  readonly least: number;
  readonly most: number;
  /** Country code that callers may say first; null: none. */
  readonly countryCode: string | null;
}

const wordsIn = (list: string): readonly string[] => list.split(' ');

/** Zero and other digit words that the phrase tables do not list, by base language: `word=digits`. */
const MORE_DIGITS: Readonly<Record<string, string>> = {
  en: 'zero=0 oh=0 nought=0 nil=0 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 thirteen=13 fourteen=14 fifteen=15 sixteen=16 seventeen=17 eighteen=18 nineteen=19',
  hi: 'ज़ीरो=0 जीरो=0 वन=1 टू=2 थ्री=3 फोर=4 फ़ोर=4 फाइव=5 फ़ाइव=5 सिक्स=6 सेवन=7 एट=8 नाइन=9 shunya=0 do=2 chaar=4 cheh=6 chhah=6 nau=9 das=10',
  mr: 'शून्य=0 झिरो=0 पाँच=5 don=2 teen=3 char=4 pach=5 saha=6 saat=7 aath=8 nau=9',
  ta: 'பூஜ்யம்=0 பூஜ்ஜியம்=0 சைபர்=0 ஜீரோ=0 ஒண்ணு=1 ரெண்டு=2 மூணு=3 நாலு=4 அஞ்சு=5 onnu=1 rendu=2 moonu=3 naalu=4 anju=5 aaru=6 ezhu=7 ettu=8 onbadhu=9',
  te: 'సున్నా=0 జీరో=0 okati=1 rendu=2 moodu=3 naalugu=4 aidu=5 aaru=6 edu=7 enimidi=8 tommidi=9',
  bn: 'শূন্য=0 জিরো=0 ek=1 dui=2 tin=3 char=4 panch=5 choy=6 sat=7 aat=8 noy=9',
  kn: 'ಸೊನ್ನೆ=0 ಶೂನ್ಯ=0 ಜೀರೋ=0 ondu=1 eradu=2 mooru=3 naalku=4 aidu=5 aaru=6 elu=7 entu=8 ombattu=9',
  gu: 'શૂન્ય=0 ઝીરો=0 મીંડું=0 ek=1 be=2 tran=3 char=4 paanch=5 saat=7 aath=8 nav=9',
  pa: 'ਸਿਫ਼ਰ=0 ਸਿਫਰ=0 ਜ਼ੀਰੋ=0 ਇਕ=1 ਨੌ=9 ik=1 do=2 tin=3 char=4 panj=5 che=6 satt=7 atth=8 nau=9',
  od: 'ଶୂନ=0 ଶୂନ୍ୟ=0 ଜିରୋ=0 eka=1 dui=2 tini=3 chari=4 pancha=5 chha=6 sata=7 atha=8 naa=9',
  ms: 'kosong=0 sifar=0',
  zh: '零=0 〇=0 幺=1',
  my: 'သုည=0 တစ်=1 ခုနှစ်=7',
  ar: 'صفر=0 اثنين=2 تلاتة=3 ثلاث=3 أربع=4 اربعة=4 خمس=5 ست=6 سبع=7 تمانية=8 ثماني=8 تسع=9',
};
const TENS = wordsIn('twenty thirty forty fifty sixty seventy eighty ninety');
const REPEATS: ReadonlyMap<string, number> = new Map([
  ...wordsIn('double डबल டபுள் డబుల్ ডবল ডাবল ಡಬಲ್ ડબલ ਡਬਲ ଡବଲ dua-kali').map((word) => [word, 2] as const),
  ...wordsIn('triple ट्रिपल டிரிபிள் ట్రిపుల్ ট্রিপল ಟ್ರಿಪಲ್ ટ્રિપલ ਟ੍ਰਿਪਲ ଟ୍ରିପଲ').map((word) => [word, 3] as const),
]);
/** Between digits and letters; they neither end a number nor belong to it. */
const JOINERS: ReadonlySet<string> = new Set(
  wordsIn('and then um uh uhm er dash hyphen space capital small और फिर aur phir dan 然后'),
);
const PLUS: ReadonlySet<string> = new Set(wordsIn('plus प्लस பிளஸ் ప్లస్ প্লাস ಪ್ಲಸ್ પ્લસ ਪਲੱਸ ପ୍ଲସ tambah زائد 加'));
const UNSPACED = /[\p{Script=Han}\p{Script=Myanmar}]/u;

/** The digit words of a language. */
interface DigitWords {
  readonly digits: ReadonlyMap<string, string>;
  /** Those of scripts without spaces, by their last character, and the length of the longest. */
  readonly byEnd: ReadonlyMap<string, readonly string[]>;
  readonly longest: number;
}

const tables = new Map<string, DigitWords>();

/** Words and their digits in a language, with the English ones, which callers mix in. */
function digitWords(language: Language): DigitWords {
  const base = language.slice(0, 2);
  const known = tables.get(base);
  if (known !== undefined) return known;
  const digits = new Map<string, string>();
  for (const list of [MORE_DIGITS['en'] ?? '', MORE_DIGITS[base] ?? '']) {
    for (const entry of wordsIn(list)) {
      const [word = '', said = ''] = entry.split('=');
      digits.set(word.normalize('NFC'), said);
    }
  }
  for (const [word, value] of phrasesOf(language).numbers) {
    if (value < 20 && !word.includes(' ')) digits.set(word.normalize('NFC'), `${value}`);
  }
  const unspaced = [...digits.keys()].filter((word) => UNSPACED.test(word));
  const byEnd = new Map<string, string[]>();
  for (const word of unspaced) byEnd.set(word.slice(-1), [...(byEnd.get(word.slice(-1)) ?? []), word]);
  const longest = Math.max(1, ...unspaced.map(({ length }) => length));
  const made = { digits, byEnd, longest };
  tables.set(base, made);
  return made;
}

/** Lower-case words; a plus sign is a word. */
function tokensOf(text: string): string[] {
  const plain = asciiDigits(text.normalize('NFC').toLowerCase()).replaceAll('+', ' plus ');
  return plain.split(/[^\p{L}\p{M}\p{N}]+/u).filter((token) => token !== '');
}

/** What was dictated up to a token. */
interface Reading {
  readonly digits: string;
  readonly letters: string;
  readonly pieces: number;
  /** "Double" and "triple": how often the next digit or letter counts. */
  readonly repeat: number;
  readonly hasPlus: boolean;
  /** The digit of tens whose unit may follow: "ninety", and then "eight". */
  readonly tens: string | null;
}

const NOTHING: Reading = { digits: '', letters: '', pieces: 0, repeat: 1, hasPlus: false, tens: null };

const digitsOf = ({ digits, tens }: Reading): string => (tens === null ? digits : `${digits}${tens}0`);

/** Reads one token; one that is no part of a dictation begins anew. */
function readToken(before: Reading, token: string, words: DigitWords): Reading {
  if (!isPart(token, words)) return NOTHING;
  const said = words.digits.get(token) ?? '';
  if (before.tens !== null && /^[1-9]$/.test(said))
    return { ...before, digits: `${before.digits}${before.tens}${said}`, tens: null };
  const hasPlus = before.hasPlus || PLUS.has(token);
  const reading = { ...before, digits: digitsOf(before), tens: null, hasPlus };
  const times = REPEATS.get(token);
  if (times !== undefined) return { ...reading, repeat: times };
  const { digits, letters, repeat } = reading;
  const next = { ...reading, pieces: reading.pieces + 1, repeat: 1 };
  if (/^[a-z]$/.test(token)) return { ...next, letters: letters + token.repeat(repeat) };
  if (TENS.includes(token)) return { ...next, tens: `${TENS.indexOf(token) + 2}` };
  const written = /^\d+$/.test(token) ? token : said;
  if (written === '') return reading;
  return { ...next, digits: digits + written.repeat(written.length === 1 ? repeat : 1) };
}

/** No word that is part of a dictation is longer. */
const LONGEST_WORD = 24;

/** The last token of a text, which may go on. */
interface Open {
  readonly token: string;
  /** A run of a script without spaces: its digit words are tokens if they stand at its end. */
  readonly isRun: boolean;
  /** What is dictated up to its last characters, the last one first. */
  readonly ends: readonly Reading[];
}

/** What was dictated before the open token, and that token. */
interface Progress {
  readonly reading: Reading;
  readonly open: Open | null;
}

const closed = ({ reading, open }: Progress): Reading => open?.ends[0] ?? reading;

function openToken(before: Reading, token: string, words: DigitWords): Open {
  if (UNSPACED.test(token)) return readRun(before, { token: '', isRun: true, ends: [before] }, token, words);
  return { token, isRun: false, ends: [readToken(before, token, words)] };
}

/** Reads more of a run, which began after `before`. */
function readRun(before: Reading, begun: Open, more: string, words: DigitWords): Open {
  const token = begun.token + more;
  const from = begun.isRun ? begun.token.length : 0;
  let ends: readonly Reading[] = begun.isRun ? begun.ends : [before];
  for (let end = from + 1; end <= token.length; end++) {
    const sign = token[end - 1] ?? '';
    const word = words.byEnd.get(sign)?.find((one) => token.endsWith(one, end)) ?? /\d/.exec(sign)?.[0];
    const reading =
      word !== undefined
        ? readToken(ends[word.length - 1] ?? NOTHING, word, words)
        : end <= LONGEST_WORD
          ? readToken(before, token.slice(0, end), words)
          : NOTHING;
    ends = [reading, ...ends.slice(0, words.longest - 1)];
  }
  return { token, isRun: true, ends };
}

/** `isWithin`: the text goes on within the open token. */
function read(before: Progress, text: string, words: DigitWords, isWithin = false): Progress {
  let { reading, open } = before;
  for (const [i, token] of tokensOf(text).entries()) {
    if (i === 0 && isWithin && open !== null) {
      const whole = open.token + token;
      // Kana and Thai have no digit words: with them the token stays a word.
      open = UNSPACED.test(whole) ? readRun(reading, open, token, words) : openToken(reading, whole, words);
    } else {
      reading = closed({ reading, open });
      open = openToken(reading, token, words);
    }
  }
  if (text === '' || /[\p{L}\p{M}\p{N}]$/u.test(text.slice(-2))) return { reading, open };
  return { reading: closed({ reading, open }), open: null };
}

/** What the last words of a text dictate, and where a longer text goes on. */
export interface DictationSoFar {
  readonly dictated: Dictated;
  readonly language: Language;
  readonly text: string;
  readonly progress: Progress;
  /** The characters up to the last blank, and what they dictate. */
  readonly chars: number;
  readonly reading: Reading;
}

/** A letter of a script without spaces, which its neighbours leave as it is. */
const UNSPACED_LETTER =
  /^(?=\p{Lo})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Myanmar}\p{Script=Thai}]/u;

/** Reads a text from where an earlier one ended that it begins with. */
export function dictatedSoFar(
  text: string,
  language: Language,
  before: DictationSoFar | null,
): DictationSoFar {
  const known = before?.language === language && text.startsWith(before.text) ? before : null;
  const end = known?.text.length ?? 0;
  if (known !== null && text.length === end) return known;
  const words = digitWords(language);
  const isWithin = UNSPACED_LETTER.test(text.slice(end, end + 2));
  const isFromEnd = known !== null && (isWithin || text[end] === ' ');
  const from = isFromEnd ? end : (known?.chars ?? 0);
  const begun = isFromEnd ? known.progress : { reading: known?.reading ?? NOTHING, open: null };
  const blank = text.lastIndexOf(' ');
  const isBlank = blank >= from;
  const toBlank = isBlank ? read(begun, text.slice(from, blank), words, isWithin) : begun;
  const chars = isBlank ? blank : (known?.chars ?? 0);
  const reading = isBlank ? closed(toBlank) : (known?.reading ?? NOTHING);
  const progress = isBlank
    ? read({ reading, open: null }, text.slice(blank), words)
    : read(begun, text.slice(from), words, isWithin);
  const last = closed(progress);
  const { letters, hasPlus, pieces } = last;
  const dictated = { digits: digitsOf(last), letters, hasPlus, inPieces: pieces > 1 };
  return { dictated, language, text, progress, chars, reading };
}

const isPart = (token: string, { digits }: DigitWords): boolean =>
  /^(?:\d+|[a-z])$/.test(token) ||
  digits.has(token) ||
  TENS.includes(token) ||
  REPEATS.has(token) ||
  JOINERS.has(token) ||
  PLUS.has(token);

/** National number and country code, by region. */
const PHONES: Readonly<Record<string, DigitsWanted>> = {
  IN: { least: 10, most: 10, countryCode: '91' },
  US: { least: 10, most: 10, countryCode: '1' },
  GB: { least: 10, most: 11, countryCode: '44' },
  AU: { least: 9, most: 10, countryCode: '61' },
  MY: { least: 9, most: 11, countryCode: '60' },
  CN: { least: 11, most: 11, countryCode: '86' },
  MM: { least: 8, most: 11, countryCode: '95' },
  AE: { least: 9, most: 10, countryCode: '971' },
};
const POSTCODES: Readonly<Record<string, number>> = { IN: 6, US: 5, AU: 4, MY: 5, CN: 6, MM: 5, AE: 5 };

const NUMBER_OF = /(\d{1,2})[\s-]*(?:digit|अंक|இலக்க|అంకె|সংখ্যা|ಅಂಕಿ|અંક|ਅੰਕ|ଅଙ୍କ|位|လုံး|أرقام|رقم)/u;
const DIGIT_WORD = /^(?:digit|अंक|இலக்க|అంకె|সংখ্যা|ಅಂಕಿ|અંક|ਅੰਕ|ଅଙ୍କ|أرقام)/u;
const CARD =
  /\b(?:credit|debit|card)\b[^.?!]{0,20}\bnumber\b|\bcard no\b|कार्ड|கார்டு|కార్డు|కార్డ్|কার্ড|ಕಾರ್ಡ್|કાર્ડ|ਕਾਰਡ|କାର୍ଡ|\bnombor kad\b|卡号|ကတ်|البطاقة/u;
const POSTCODE =
  /\b(?:pin ?code|zip|postcode|postal code|poskod)\b|पिन कोड|पिनकोड|பின்கோடு|పిన్ కోడ్|পিন কোড|ಪಿನ್ ಕೋಡ್|પિન કોડ|ਪਿੰਨ ਕੋਡ|ପିନ୍ କୋଡ|邮编|邮政编码/u;
const CODE =
  /\botp\b|\b(?:verification|security|one time|access) (?:code|password|pin)\b|\bpin\b|ओटीपी|ஓடிபி|ఓటీపీ|ওটিপি|ಒಟಿಪಿ|ઓટીપી|ਓਟੀਪੀ|ଓଟିପି|验证码|رمز التحقق/u;
const PHONE =
  /\b(?:phone|mobile|telephone|contact|whatsapp|cell|callback|telefon)\b|मोबाइल|मोबाईल|फोन|फ़ोन|மொபைல்|தொலைபேசி|போன்|మొబైల్|ఫోన్|মোবাইল|ফোন|ಮೊಬೈಲ್|ಫೋನ್|મોબાઇલ|ફોન|ਮੋਬਾਈਲ|ਫ਼ੋਨ|ਫੋਨ|ମୋବାଇଲ|ଫୋନ|手机|电话|ဖုန်း|هاتف|جوال|موبايل/u;
const OTHER_NUMBER =
  /\b(?:account|order|policy|tracking|booking|reference|ticket|id|aadhaar|customer|registration|passport)\b[^.?!]{0,20}\b(?:number|no|code|id)\b|\bdigits\b/u;
const MAX_LINE = 1000;

/** How many digits the agent's line asks for; null: it asks for no number, or for one of unknown length (`least` 0). */
export function digitsWanted(question: string, language: Language): DigitsWanted | null {
  const line = asciiDigits(question.slice(-MAX_LINE).normalize('NFC').toLowerCase());
  const region = language.slice(-2);
  const count = countIn(line, language);
  if (count !== null) return { least: count, most: count, countryCode: null };
  if (CARD.test(line)) return { least: 15, most: 16, countryCode: null };
  const post = POSTCODES[region];
  if (POSTCODE.test(line) && post !== undefined) return { least: post, most: post, countryCode: null };
  if (CODE.test(line)) return { least: 4, most: 6, countryCode: null };
  if (PHONE.test(line)) return PHONES[region] ?? null;
  return OTHER_NUMBER.test(line) ? { least: 0, most: 0, countryCode: null } : null;
}

/** Splits off the digit words at the end of an unspaced run. */
function splitDigits(run: string, words: ReadonlyMap<string, string>): string[] {
  const parts: string[] = [];
  let rest = run;
  while (rest !== '') {
    const end = [...words.keys()].find((word) => UNSPACED.test(word) && rest.endsWith(word));
    const part = end ?? /\d$/u.exec(rest)?.[0];
    if (part === undefined) break;
    parts.unshift(part);
    rest = rest.slice(0, -part.length);
  }
  return rest === '' ? parts : [rest, ...parts];
}

/** "Your six digit code", "the last 4 digits". */
function countIn(line: string, language: Language): number | null {
  const written = NUMBER_OF.exec(line)?.[1];
  if (written !== undefined) return Number(written);
  const { digits } = digitWords(language);
  const tokens = tokensOf(line).flatMap((token) =>
    UNSPACED.test(token) ? splitDigits(token, digits) : [token],
  );
  const at = tokens.findIndex((token) => DIGIT_WORD.test(token));
  const count = Number(digits.get(tokens[at - 1] ?? '') ?? 0);
  return at > 0 && count >= 2 ? count : null;
}
