import { dictatedSoFar, type DictationSoFar, type Language } from '@callwright/language';

/** The longest run of digits in a text, spoken one by one in the language or in English, or written. */
export function digitsSaid(
  text: string,
  language: Language,
): { readonly digits: string; readonly hasPlus: boolean } {
  const plain = joinedNumbers(text.slice(0, 300));
  let before: DictationSoFar | null = null;
  let found = { digits: '', hasPlus: false };
  // A dictation ends where other words follow: each beginning of the text is read.
  for (const end of endsOf(plain)) {
    const read: DictationSoFar = dictatedSoFar(plain.slice(0, end), language, before);
    before = read;
    const { digits, hasPlus } = read.dictated;
    if (digits.length >= found.digits.length && digits !== '')
      found = { digits, hasPlus: hasPlus || /\+\s*$/.test(plain.slice(0, plain.indexOf(digits[0]!))) };
  }
  return found;
}

/** Blanks, dashes and brackets between written digits go: "(555) 010-4477". */
const joinedNumbers = (text: string): string =>
  text.replaceAll(/(?<=\d)[\s().-]{1,3}(?=\d)/g, '').replaceAll(/[()]/g, ' ');

function endsOf(text: string): number[] {
  const ends = [...text.matchAll(/\s|(?<=[\p{Script=Han}\p{Script=Myanmar}])/gu)].map(({ index }) => index);
  return [...new Set([...ends, text.length])].filter((end) => end > 0);
}

/** Whether digits pass the check of card numbers (ISO/IEC 7812, Luhn), 13 to 19 long. */
export function isCardNumber(digits: string): boolean {
  if (!/^\d{13,19}$/.test(digits)) return false;
  let sum = 0;
  for (const [at, digit] of digits.split('').toReversed().entries()) {
    const doubled = Number(digit) * (at % 2 === 1 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Words for the end and the beginning of a number, by locale of the phrases; English ones count everywhere. */
const ENDS: Readonly<Record<string, RegExp>> = {
  en: /\b(?:end|last|final)\b/iu,
  hi: /आखिर|आख़िर|अंत/u,
  mr: /शेवट/u,
  ta: /கடைசி|இறுதி/u,
  te: /చివర/u,
  bn: /শেষ/u,
  kn: /ಕೊನೆ/u,
  gu: /છેલ્લ|અંત/u,
  pa: /ਅਖੀਰ|ਅੰਤ/u,
  or: /ଶେଷ/u,
  ms: /\b(?:akhir|hujung|belakang)/iu,
  zh: /最后|末尾|后面/u,
  my: /နောက်ဆုံး/u,
  ar: /الأخير|النهاية|آخر/u,
};
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  en: /\b(?:beginning|start|first)\b/iu,
  hi: /शुरू|पहले/u,
  mr: /सुरुवात|पहिल/u,
  ta: /முதல்|தொடக்க/u,
  te: /మొదట/u,
  bn: /শুরু|প্রথম/u,
  kn: /ಮೊದಲ|ಆರಂಭ/u,
  gu: /શરૂ|પહેલ/u,
  pa: /ਸ਼ੁਰੂ|ਪਹਿਲ/u,
  or: /ଆରମ୍ଭ|ପ୍ରଥମ/u,
  ms: /\b(?:awal|mula|depan)/iu,
  zh: /开头|前面/u,
  my: /အစ/u,
  ar: /البداية|الأول/u,
};

/** A number of which the caller corrects a part: "no, four five at the end". Null: the words name no part. */
export function withPart(value: string, text: string, language: Language, locale: string): string | null {
  const { digits } = digitsSaid(text, language);
  if (digits === '' || digits.length >= value.length) return null;
  const names = (words: Readonly<Record<string, RegExp>>): boolean =>
    words['en']!.test(text) || words[locale]?.test(text) === true;
  if (names(ENDS)) return value.slice(0, -digits.length) + digits;
  return names(BEGINNINGS) && !value.startsWith('+') ? digits + value.slice(digits.length) : null;
}
