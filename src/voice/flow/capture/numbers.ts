import { numberIn, type PhraseTable } from '@callwright/language';
import whole from './number-words.json' with { type: 'json' };

/** Tens and powers of ten, by locale of the phrases, for languages that put numbers together from words: `word=value`. */
const WORDS: Readonly<Record<string, string>> = {
  // Languages with a word for each number below 100; by AI4Bharat, indic-numtowords 1.1.0 (MIT).
  ...whole,
  ms: 'belas=+10 puluh=*10 ratus=*100 ribu=*1000 sepuluh=10 sebelas=11 seratus=100 seribu=1000',
  ar: 'عشرون=20 عشرين=20 ثلاثون=30 ثلاثين=30 أربعون=40 أربعين=40 خمسون=50 خمسين=50 ستون=60 ستين=60 سبعون=70 سبعين=70 ثمانون=80 ثمانين=80 تسعون=90 تسعين=90 مئة=*100 مائة=*100 ألف=*1000',
  ta: 'இருபது=20 இருபத்தி=20 இருபத்து=20 முப்பது=30 முப்பத்தி=30 முப்பத்து=30 நாற்பது=40 நாற்பத்தி=40 நாற்பத்து=40 ஐம்பது=50 ஐம்பத்தி=50 ஐம்பத்து=50 அறுபது=60 அறுபத்தி=60 அறுபத்து=60 எழுபது=70 எழுபத்தி=70 எழுபத்து=70 எண்பது=80 எண்பத்தி=80 எண்பத்து=80 தொண்ணூறு=90 தொண்ணூற்றி=90 தொண்ணூற்று=90 நூறு=*100 நூற்றி=*100 ஆயிரம்=*1000',
  te: 'ఇరవై=20 ముప్పై=30 నలభై=40 యాభై=50 అరవై=60 డెబ్బై=70 ఎనభై=80 తొంభై=90 వంద=*100 వందల=*100 వెయ్యి=*1000 వేల=*1000',
  kn: 'ಇಪ್ಪತ್ತು=20 ಮೂವತ್ತು=30 ನಲವತ್ತು=40 ಐವತ್ತು=50 ಅರವತ್ತು=60 ಎಪ್ಪತ್ತು=70 ಎಂಬತ್ತು=80 ತೊಂಬತ್ತು=90 ನೂರು=*100 ಸಾವಿರ=*1000',
};
/** Scripts that write numbers without blanks: digits, and powers of ten. */
const SIGNS: Readonly<Record<string, string>> = {
  zh: '零=0 〇=0 一=1 二=2 两=2 三=3 四=4 五=5 六=6 七=7 八=8 九=9 十=*10 百=*100 千=*1000 万=*10000',
  my: 'သုည=0 တစ်=1 နှစ်=2 သုံး=3 လေး=4 ငါး=5 ခြောက်=6 ခုနစ်=7 ခုနှစ်=7 ရှစ်=8 ကိုး=9 ဆယ့်=*10 ဆယ်=*10 ရာ့=*100 ရာ=*100 ထောင်=*1000',
};

/** A word for a value, or for a factor of what came before it. */
type Part = { readonly value: number } | { readonly factor: number } | { readonly plus: number };

/** A text in one spelling: recognisers differ in joiners that show nothing. */
const letters = (text: string): string => text.normalize('NFC').replaceAll(/[\u200c\u200d]/g, '');

function partsOf(list: string): Map<string, Part> {
  return new Map(
    list.split(' ').map((entry) => {
      const [word = '', said = ''] = entry.split('=');
      const amount = Number(said.replace(/^[*+]/, ''));
      const part = said.startsWith('*')
        ? { factor: amount }
        : said.startsWith('+')
          ? { plus: amount }
          : { value: amount };
      return [letters(word), part];
    }),
  );
}

const known = new Map<string, Map<string, Part>>();
/** The number words of a language, those of its phrases below 20 included. */
function wordsOf({ locale, numbers }: PhraseTable): Map<string, Part> {
  const before = known.get(locale);
  if (before !== undefined) return before;
  const own = numbers.flatMap(([word, value]) =>
    value < 20 && !word.includes(' ') ? [[letters(word), { value }] as const] : [],
  );
  const made = new Map<string, Part>([...own, ...partsOf(WORDS[locale] ?? SIGNS[locale] ?? '')]);
  known.set(locale, made);
  return made;
}

/** Whether numbers of the language are put together by rules; of another one only those are read that its phrases list. */
export const composesNumbers = ({ locale }: PhraseTable): boolean =>
  WORDS[locale] !== undefined || SIGNS[locale] !== undefined;

/** The first number of a text in such a language, in its words or those of English, or in digits; null: none. */
export function numberSaid(text: string, table: PhraseTable): number | null {
  const plain = plainDigits(letters(text.slice(0, 300)));
  const parts = wordsOf(table);
  const tokens =
    SIGNS[table.locale] === undefined
      ? plain.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u)
      : signsIn(plain, parts);
  const from = tokens.findIndex((token) => partOf(token, parts) !== undefined);
  const written = numberIn(SIGNS[table.locale] === undefined ? plain : plain.replaceAll(WRITTEN, ' $& '));
  if (from === -1 || written !== null) return written;
  const end = tokens.findIndex((token, at) => at > from && partOf(token, parts) === undefined);
  return sumOf(
    tokens.slice(from, end === -1 ? tokens.length : end).map((token) => partOf(token, parts)!),
    table.locale === 'ar',
  );
}

const WRITTEN = /\d[\d,.]*/gu;

/** A word, also behind the Arabic "and". */
const partOf = (token: string, parts: ReadonlyMap<string, Part>): Part | undefined =>
  parts.get(token) ?? (token.startsWith('و') ? parts.get(token.slice(1)) : undefined);

/** The signs of a text without blanks, the longest first; what lies between is a token. */
function signsIn(text: string, parts: ReadonlyMap<string, Part>): string[] {
  const signs = [...parts.keys()].toSorted((a, b) => b.length - a.length);
  const tokens: string[] = [];
  for (let at = 0; at < text.length;) {
    const sign = signs.find((each) => text.startsWith(each, at)) ?? text[at]!;
    if (sign.trim() !== '') tokens.push(sign);
    at += sign.length;
  }
  return tokens;
}

/**
 * "Two, times ten, five" is 25; several digits without a factor are one number: "一二" is 12. In Arabic the unit comes first.
 * Null: the words make no number.
 */
function sumOf(parts: readonly Part[], isArabic: boolean): number | null {
  const digits = parts.flatMap((part) => ('value' in part && part.value < 10 ? [part.value] : []));
  if (digits.length === parts.length && digits.length > 1) return Number(digits.join(''));
  let [total, current] = [0, 0];
  for (const part of parts) {
    if ('value' in part) {
      const isTensBehindUnit = isArabic && current % 100 < 10 && part.value % 10 === 0;
      // Behind a unit another number begins.
      if (current % 10 !== 0 && part.value < 100 && !isTensBehindUnit) return null;
      current += part.value;
    } else if ('plus' in part) current += part.plus;
    else if (part.factor >= 1000) {
      total += Math.max(1, current) * part.factor;
      current = 0;
    } else {
      const unit = current % 10;
      const isWhole = unit === 0 && current > 0;
      current = isWhole ? current * part.factor : current - unit + Math.max(1, unit) * part.factor;
    }
  }
  return total + current;
}

/** Digits of any script as 0 to 9. */
const plainDigits = (text: string): string =>
  text.replaceAll(/\p{Nd}/gu, (sign) => {
    const code = sign.codePointAt(0)!;
    let zero = code;
    while (code - zero < 9 && IS_DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String(code - zero);
  });
const IS_DIGIT = /^\p{Nd}$/u;
