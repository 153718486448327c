import type { SpokenWords } from './spoken-words.ts';

/** Larger numbers are read digit by digit. */
const LARGEST = 1e15;

/** A number in digits as people say it: "150000" → "1 lakh 50 thousand" in India. Digits below a thousand stay. */
export function spokenNumber(digits: string, fraction: string, words: SpokenWords): string {
  const value = Number(digits);
  if (value >= LARGEST) return spokenDigits(digits, words);
  const whole = scaled(value, words);
  const decimals = fraction.replace(/(?<!0)0+$/, '');
  return decimals === '' ? whole : [whole, words.point, decimals.split('').join(words.gap)].join(words.gap);
}

function scaled(value: number, words: SpokenWords): string {
  const parts: string[] = [];
  let rest = value;
  for (const [size, name] of words.scales) {
    if (rest < size) continue;
    parts.push(`${scaled(Math.floor(rest / size), words)}${words.gap}${name}`);
    rest %= size;
    // "1万零500": Chinese names the gap.
    if (words.gap === '' && rest > 0 && rest < size / 10) parts.push('零');
  }
  if (rest > 0 || parts.length === 0) parts.push(String(rest));
  return parts.join(words.gap);
}

const HAN = '零幺二三四五六七八九';
const HAN_YEAR = '零一二三四五六七八九';

/** "9876543210" → "9 8 7 6 5, 4 3 2 1 0": one by one, in groups that can be written down. */
export function spokenDigits(digits: string, words: SpokenWords): string {
  const groups = groupsOf(digits);
  if (words.locale === 'zh')
    return groups.map((group) => group.replace(/\d/g, (digit) => HAN[Number(digit)] ?? digit)).join('，');
  return groups.map((group) => group.split('').join(' ')).join(', ');
}

export const spokenYear = (year: string, { locale }: SpokenWords): string =>
  locale === 'zh' ? year.replace(/\d/g, (digit) => HAN_YEAR[Number(digit)] ?? digit) : year;

/** Up to six digits stay together; ten are five and five, others threes with the rest at the end. */
function groupsOf(digits: string): string[] {
  if (digits.length <= 6) return [digits];
  const size = digits.length === 10 ? 5 : digits.length % 4 === 0 ? 4 : 3;
  const groups: string[] = [];
  for (let at = 0; at < digits.length; at += size) groups.push(digits.slice(at, at + size));
  const last = groups.at(-1) ?? '';
  if (groups.length < 2 || last.length > 1) return groups;
  return [...groups.slice(0, -2), `${groups.at(-2) ?? ''}${last}`];
}
