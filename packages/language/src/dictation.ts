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

const tables = new Map<string, ReadonlyMap<string, string>>();

/** Words and their digits in a language, with the English ones, which callers mix in. */
function digitWords(language: Language): ReadonlyMap<string, string> {
  const base = language.slice(0, 2);
  const known = tables.get(base);
  if (known !== undefined) return known;
  const made = new Map<string, string>();
  for (const list of [MORE_DIGITS['en'] ?? '', MORE_DIGITS[base] ?? '']) {
    for (const entry of wordsIn(list)) {
      const [word = '', digits = ''] = entry.split('=');
      made.set(word.normalize('NFC'), digits);
    }
  }
  for (const [word, value] of phrasesOf(language).numbers) {
    if (value < 20 && !word.includes(' ')) made.set(word.normalize('NFC'), `${value}`);
  }
  tables.set(base, made);
  return made;
}

/** Lower-case words; a plus sign is a word, and so is each digit word of a script without spaces. */
function tokensOf(text: string, words: ReadonlyMap<string, string>): string[] {
  const plain = asciiDigits(text.normalize('NFC').toLowerCase()).replaceAll('+', ' plus ');
  const tokens = plain.split(/[^\p{L}\p{M}\p{N}]+/u).filter((token) => token !== '');
  return tokens.flatMap((token) => (UNSPACED.test(token) ? splitDigits(token, words) : [token]));
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

/** What the last words dictate; empty when they dictate nothing. */
export function dictated(text: string, language: Language): Dictated {
  const words = digitWords(language);
  const tokens = tokensOf(text, words);
  let from = tokens.length;
  while (from > 0 && isPart(tokens[from - 1] ?? '', words)) from--;
  let digits = '';
  let letters = '';
  let pieces = 0;
  let repeat = 1;
  for (let i = from; i < tokens.length; i++) {
    const token = tokens[i] ?? '';
    const times = REPEATS.get(token);
    if (times !== undefined) {
      repeat = times;
      continue;
    }
    const isLetter = /^[a-z]$/.test(token);
    const said = isLetter ? token : digitsOf(tokens, i, words);
    if (said === '') continue;
    pieces++;
    if (isLetter) letters += token.repeat(repeat);
    else digits += said.repeat(said.length === 1 ? repeat : 1);
    repeat = 1;
  }
  return {
    digits,
    letters,
    hasPlus: tokens.slice(from).some((token) => PLUS.has(token)),
    inPieces: pieces > 1,
  };
}

const isPart = (token: string, words: ReadonlyMap<string, string>): boolean =>
  /^(?:\d+|[a-z])$/.test(token) ||
  words.has(token) ||
  TENS.includes(token) ||
  REPEATS.has(token) ||
  JOINERS.has(token) ||
  PLUS.has(token);

/** The digits of one token: "ninety eight" is 98, and its second word then adds nothing. */
function digitsOf(tokens: readonly string[], i: number, words: ReadonlyMap<string, string>): string {
  const token = tokens[i] ?? '';
  if (/^\d+$/.test(token)) return token;
  const ten = TENS.indexOf(token);
  const unit = (at: number): string | null => {
    const digits = words.get(tokens[at] ?? '') ?? '';
    return /^[1-9]$/.test(digits) ? digits : null;
  };
  if (ten >= 0) return `${ten + 2}${unit(i + 1) ?? '0'}`;
  if (TENS.includes(tokens[i - 1] ?? '') && unit(i) !== null) return '';
  return words.get(token) ?? '';
}

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

/** "Your six digit code", "the last 4 digits". */
function countIn(line: string, language: Language): number | null {
  const written = NUMBER_OF.exec(line)?.[1];
  if (written !== undefined) return Number(written);
  const words = digitWords(language);
  const tokens = tokensOf(line, words);
  const at = tokens.findIndex((token) => DIGIT_WORD.test(token));
  const count = Number(words.get(tokens[at - 1] ?? '') ?? 0);
  return at > 0 && count >= 2 ? count : null;
}
