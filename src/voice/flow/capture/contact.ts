import { words, type Language } from '@callwright/language';
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';
import { digitsSaid } from './digits.ts';

/** A phone number in E.164 form; one without a country code is of the language's country. Null: there is none in the text. */
export function phoneIn(text: string, language: Language): string | null {
  const region = language.slice(-2) as CountryCode;
  const { digits, hasPlus } = digitsSaid(text, language);
  const read = (number: string): string | null => {
    const parsed = parsePhoneNumberFromString(number, region);
    return parsed?.isValid() === true ? parsed.number : null;
  };
  if (digits.length < 6) return null;
  return read(hasPlus ? `+${digits}` : digits) ?? read(`+${digits}`);
}

/** Words for the signs of an address. */
const SIGNS: ReadonlyMap<string, string> = new Map(
  [
    ['@', '@ at arroba एट ऐट অ্যাট ஆட் அட் అట్ ಅಟ್ ઍટ એટ ਐਟ ଆଟ୍ di 艾特 آت'],
    ['.', '. dot point period titik डॉट ডট டாட் డాట్ ಡಾಟ್ ડોટ ਡਾਟ ଡଟ୍ 点 ဒေါ့ دوت نقطة'],
    ['_', '_ underscore'],
    ['-', '- dash hyphen minus'],
    ['+', '+ plus'],
  ].flatMap(([sign = '', list = '']) => list.split(' ').map((word) => [word, sign] as const)),
);
const DIGITS = 'zero one two three four five six seven eight nine'.split(' ');
/** Words before an address that are no part of it. */
const LEAD = new Set(
  "is its it's address email e-mail mail emel emelnya saya alamat ya to at my the it sure ok okay yes well so um uh".split(
    ' ',
  ),
);
const LOCAL = /^[a-z0-9._+-]{1,64}$/u;
const LABEL = /^[a-z0-9-]{1,63}$/u;
const TOP = /^[a-z]{2,24}$/u;

/** An e-mail address, written or spoken ("john dot smith at gmail dot com"), in lower case; null: none. */
export function emailIn(text: string): string | null {
  const said = withSigns(text.slice(0, 300).toLowerCase());
  const at = said.lastIndexOf('@');
  if (at === -1) return null;
  const after = said.slice(at + 1).split(' ');
  // A company's name may be said in several words: "my shop dot com".
  const ending = after.findIndex((word) => word.includes('.'));
  const host = withoutEnds(after.slice(0, ending + 1).join(''));
  const before = said.slice(0, at).split(' ');
  // The word at the sign is the address's own, whatever it is.
  const own = before.slice(before.slice(0, -1).findLastIndex((word) => LEAD.has(word)) + 1);
  const latin = own.slice(own.findLastIndex((word) => !LOCAL.test(word)) + 1);
  const local = [latin.join(''), own.at(-1) ?? ''].map(withoutEnds).find((part) => LOCAL.test(part));
  return local === undefined || !isHost(host) ? null : `${local}@${host}`;
}

/** The text with signs in place of their words, joined to what stands beside them; digits for their words. */
function withSigns(text: string): string {
  const spaced = text.replaceAll('点', ' 点 ').replaceAll('艾特', ' 艾特 ');
  let out = '';
  for (const word of spaced.split(/[\s,]+/u)) {
    const digit = DIGITS.indexOf(word);
    const sign = SIGNS.get(word);
    const joins = sign !== undefined || /[@._+-]$/u.test(out);
    out += (joins || out === '' ? '' : ' ') + (sign ?? (digit === -1 ? word : String(digit)));
  }
  return out;
}

const withoutEnds = (part: string): string =>
  part.replace(/^[.-]{1,3}/u, '').replace(/(?<![.?!-])[.?!-]{1,3}$/u, '');

function isHost(host: string): boolean {
  const labels = host.split('.');
  return labels.length >= 2 && labels.every((label) => LABEL.test(label)) && TOP.test(labels.at(-1) ?? '');
}

const ALPHABET =
  'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu'.split(
    ' ',
  );
const AS_IN = new Set(['as', 'for', 'like']);

/** What the caller spelled letter by letter ("s as in sam, double t"), in capitals; a typed word counts as spelled. */
export function spelledIn(text: string, isTyped: boolean): string | null {
  const tokens = words(text.slice(0, 300).replaceAll('-', ' '));
  let out = '';
  let repeat = 1;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (AS_IN.has(token)) {
      at += tokens[at + 1] === 'in' ? 2 : 1;
      continue;
    }
    const sign = signOf(token);
    if (token === 'double' || token === 'triple') repeat = token === 'double' ? 2 : 3;
    else if (sign !== null) {
      out += sign.repeat(repeat);
      repeat = 1;
    }
  }
  if (out.length >= 2) return out.toUpperCase();
  const [only = ''] = tokens;
  return isTyped && tokens.length === 1 && only.length >= 2 ? only.toUpperCase() : null;
}

function signOf(token: string): string | null {
  if (/^[\p{L}\p{N}]$/u.test(token)) return token;
  if (ALPHABET.includes(token)) return token[0]!;
  const digit = DIGITS.indexOf(token);
  return digit === -1 ? null : String(digit);
}

const GB_POSTCODE = /(?<![a-z0-9])[a-z]{1,2}\d[a-z\d]?\d[a-z]{2}(?![a-z0-9])/iu;
const POSTCODE_DIGITS: Readonly<Record<string, number>> = { IN: 6, US: 5, AU: 4, MY: 5, CN: 6, MM: 5, AE: 5 };

/** A postcode of the language's country: digits, or as in Britain letters and digits in capitals. */
export function postcodeIn(text: string, language: Language): string | null {
  const region = language.slice(-2);
  if (region !== 'GB') {
    const { digits } = digitsSaid(text, language);
    return digits.length === POSTCODE_DIGITS[region] ? digits : null;
  }
  const written = text.replaceAll(/(?<=[a-z\d])\s+(?=\d[a-z]{2}\b)/giu, '');
  const code = (
    GB_POSTCODE.exec(written)?.[0] ?? GB_POSTCODE.exec(spelledIn(text, false) ?? '')?.[0]
  )?.toUpperCase();
  return code === undefined ? null : `${code.slice(0, -3)} ${code.slice(-3)}`;
}

/** The number of an account or contract: at least four digits, with letters where it was written so. */
export function accountIn(text: string, language: Language, isTyped: boolean): string | null {
  const { digits } = digitsSaid(text, language);
  const plain = text.trim().replaceAll(/[\s-]/g, '').toUpperCase();
  if (isTyped && /^[A-Z0-9]{4,34}$/.test(plain) && /\d{4}/.test(plain)) return plain;
  return digits.length >= 4 && digits.length <= 34 ? digits : null;
}

/** A postal address as it was said: three words, two with a number, or six signs of a script without blanks. */
export function addressIn(text: string): string | null {
  const plain = text.trim().slice(0, 300);
  const count = words(plain).length;
  const isLong = /\p{Script=Han}|\p{Script=Myanmar}/u.test(plain) && plain.length >= 6;
  return isLong || count >= 3 || (count === 2 && /\p{N}/u.test(plain)) ? plain : null;
}
