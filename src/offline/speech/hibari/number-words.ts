const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES = ['', 'thousand', 'million', 'billion', 'trillion'];
const ORDINALS: ReadonlyMap<string, string> = new Map([
  ['one', 'first'],
  ['two', 'second'],
  ['three', 'third'],
  ['five', 'fifth'],
  ['eight', 'eighth'],
  ['nine', 'ninth'],
  ['twelve', 'twelfth'],
]);

/** Numbers from here on are read digit by digit. */
export const LARGEST_NUMBER = 1e15;

const digitWords = (digits: string): string[] => digits.split('').map((digit) => ONES[Number(digit)] ?? '');

function belowHundred(value: number): string[] {
  const tens = TENS[Math.floor(value / 10)] ?? '';
  const ones = value < 20 ? value : value % 10;
  return value < 20 ? [ONES[ones] ?? ''] : ones === 0 ? [tens] : [tens, ONES[ones] ?? ''];
}

function belowThousand(value: number): string[] {
  const rest = value % 100;
  if (value < 100) return belowHundred(value);
  const hundreds = [ONES[Math.floor(value / 100)] ?? '', 'hundred'];
  return rest === 0 ? hundreds : [...hundreds, ...belowHundred(rest)];
}

/** "1234" → one thousand two hundred thirty four. */
export function cardinal(value: number): string[] {
  if (value >= LARGEST_NUMBER) return digitWords(String(BigInt(value)));
  const words: string[] = [];
  for (let scale = SCALES.length - 1; scale >= 0; scale--) {
    const group = Math.floor(value / 1000 ** scale) % 1000;
    if (group === 0) continue;
    words.push(...belowThousand(group), ...(scale === 0 ? [] : [SCALES[scale] ?? '']));
  }
  return words.length === 0 ? ['zero'] : words;
}

/** "23" → twenty third. */
export function ordinal(value: number): string[] {
  const words = cardinal(value);
  const last = words.at(-1) ?? '';
  const ending = last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`;
  return [...words.slice(0, -1), ORDINALS.get(last) ?? ending];
}

/** "1905" → nineteen oh five; "2005" → two thousand five. */
export function year(value: number): string[] {
  const [high, low] = [Math.floor(value / 100), value % 100];
  if (high === 0 || (high % 10 === 0 && low < 10)) return cardinal(value);
  if (low === 0) return [...cardinal(high), 'hundred'];
  return [...cardinal(high), ...(low < 10 ? ['oh'] : []), ...cardinal(low)];
}

/** "3.140" → three point one four. */
export function decimal(digits: string): string[] {
  const [whole = '', fraction = ''] = digits.split('.');
  const kept = fraction.replace(/(?<!0)0+$/, '');
  return [...cardinal(Number(whole)), ...(kept === '' ? [] : ['point', ...digitWords(kept)])];
}
