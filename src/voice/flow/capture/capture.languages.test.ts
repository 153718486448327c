import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '@callwright/language';
import type { CaptureKind } from '../document.ts';
import { wordingOf } from '../wording.ts';
import { capture } from './capture.ts';
import numberWords from './number-words.json' with { type: 'json' };

/** Friday 27 November 2026, noon. */
const NOON = Date.UTC(2026, 10, 27, 12);
const DAY_MS = 86_400_000;
const valueOf = (kind: CaptureKind, text: string, language: Language): unknown => {
  const wanted = { kind, values: [], digits: null, isSensitive: false };
  const found = capture(wanted, { text, by: 'speech' }, wordingOf(language), { now: NOON, zone: 'UTC' });
  return found.type === 'value' ? found.value : found.type;
};
/** Odia has another code in Intl. */
const localeOf = (language: Language): string => (language === 'od-IN' ? 'or-IN' : language);
const baseOf = (language: Language): string => language.slice(0, 2);

/** Yes, no and tomorrow, as people of each language say them. */
const WORDS: Readonly<Record<string, readonly [yes: string, no: string, tomorrow: string]>> = {
  en: ['yes', 'no', 'tomorrow'],
  hi: ['हाँ', 'नहीं', 'कल'],
  ta: ['ஆமாம்', 'இல்லை', 'நாளை'],
  te: ['అవును', 'లేదు', 'రేపు'],
  bn: ['হ্যাঁ', 'না', 'আগামীকাল'],
  mr: ['होय', 'नाही', 'उद्या'],
  kn: ['ಹೌದು', 'ಇಲ್ಲ', 'ನಾಳೆ'],
  ms: ['ya', 'tidak', 'esok'],
  zh: ['是的', '不是', '明天'],
  od: ['ହଁ', 'ନା', 'କାଲି'],
  pa: ['ਹਾਂ ਜੀ', 'ਨਹੀਂ', 'ਕੱਲ੍ਹ'],
  my: ['ဟုတ်ကဲ့', 'မဟုတ်ဘူး', 'မနက်ဖြန်'],
  gu: ['હા', 'ના', 'આવતીકાલે'],
  ar: ['نعم', 'لا', 'غدا'],
};
/** Zero of the digits that the language writes beside 0 to 9. */
const ZEROS: Readonly<Record<string, string>> = {
  hi: '०',
  mr: '०',
  bn: '০',
  ta: '௦',
  te: '౦',
  kn: '೦',
  gu: '૦',
  pa: '੦',
  od: '୦',
  my: '၀',
  ar: '٠',
};

describe.each(LANGUAGES)('values in %s', (language) => {
  it('are yes, no and tomorrow', () => {
    const [yes, no, tomorrow] = WORDS[baseOf(language)]!;
    expect(valueOf('yes_no', yes, language)).toBe(true);
    expect(valueOf('consent', no, language)).toBe(false);
    expect(valueOf('date', tomorrow, language)).toBe('2026-11-28');
  });

  it('are days by their weekday or by day and month', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 360 }), (week, year) => {
        const [near, far] = [new Date(NOON + week * DAY_MS), new Date(NOON + year * DAY_MS)];
        const name = (day: Date, options: Intl.DateTimeFormatOptions): string =>
          new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone: 'UTC' }).format(day);
        expect(valueOf('date', name(near, { weekday: 'long' }), language)).toBe(
          near.toISOString().slice(0, 10),
        );
        const written = name(far, { day: 'numeric', month: 'long', numberingSystem: 'latn' });
        expect(valueOf('date', written, language)).toBe(far.toISOString().slice(0, 10));
      }),
      { numRuns: 25 },
    );
  });

  it('are times and numbers in digits, also in those of its script', () => {
    const zero = (ZEROS[baseOf(language)] ?? '0').codePointAt(0)!;
    const inScript = (text: string): string =>
      text.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
    fc.assert(
      fc.property(
        fc.integer({ min: 8, max: 23 }),
        fc.nat(59),
        fc.integer({ min: 10, max: 9999 }),
        (hour, minute, count) => {
          const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
          expect(valueOf('time', time, language)).toBe(time);
          for (const text of [String(count), inScript(String(count))]) {
            expect(valueOf('number', text, language)).toBe(count);
            expect(valueOf('money', text, language)).toBe(count);
            expect(valueOf('digits', text, language)).toBe(String(count));
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('numbers that a language puts together', () => {
  it.each(Object.entries(numberWords))('in %s have a word for each value below 100', (locale, list) => {
    const language = LANGUAGES.find((each) => wordingOf(each).table.locale === locale)!;
    const words = list.split(' ').map((entry) => entry.split('=') as [string, string]);
    for (let value = 20; value < 100; value += 1) {
      const own = words.filter(([, said]) => said === String(value));
      expect([value, own.length > 0]).toEqual([value, true]);
      for (const [word] of own) expect([word, valueOf('number', word, language)]).toEqual([word, value]);
    }
  });

  it.each<[Language, string, number]>([
    ['ms-MY', 'dua puluh lima orang', 25],
    ['ms-MY', 'seratus dua puluh', 120],
    ['ms-MY', 'lima belas', 15],
    ['ar-AE', 'خمسة وعشرون', 25],
    ['ar-AE', 'مئة وخمسة وعشرون', 125],
    ['ta-IN', 'இருபத்தி ஐந்து', 25],
    ['te-IN', 'ఇరవై ఐదు', 25],
    ['kn-IN', 'ಇಪ್ಪತ್ತು ಐದು', 25],
    ['zh-CN', '我要二百五十三个', 253],
    ['zh-CN', '三千五百', 3500],
    ['zh-CN', '两个人', 2],
    ['my-MM', 'နှစ်ဆယ့်ငါး', 25],
    ['hi-IN', 'पच्चीस', 25],
    ['hi-IN', 'अड़तालीस', 48],
    ['hi-IN', 'तिहत्तर', 73],
    ['hi-IN', 'निन्यानवे', 99],
    ['hi-IN', 'एक सौ', 100],
    ['hi-IN', 'एक सौ पच्चीस', 125],
    ['hi-IN', 'दो सौ', 200],
    ['hi-IN', 'दो सौ पचास', 250],
    ['hi-IN', 'नौ सौ निन्यानवे', 999],
    ['hi-IN', 'एक हज़ार', 1000],
    ['hi-IN', 'एक हज़ार पाँच सौ', 1500],
    ['hi-IN', 'दो हज़ार तीन सौ पैंतालीस', 2345],
    ['hi-IN', 'बारह हज़ार तीन सौ पैंतालीस', 12345],
    ['hi-IN', 'दो लाख पचास हज़ार', 250000],
    ['mr-IN', 'पंचवीस', 25],
    ['mr-IN', 'अठ्ठेचाळीस', 48],
    ['mr-IN', 'त्र्याहत्तर', 73],
    ['mr-IN', 'नव्याण्णव', 99],
    ['mr-IN', 'शंभर', 100],
    ['mr-IN', 'एकशे पंचवीस', 125],
    ['mr-IN', 'दोनशे', 200],
    ['mr-IN', 'दोनशे पन्नास', 250],
    ['mr-IN', 'नऊशे नव्याण्णव', 999],
    ['mr-IN', 'एक हज़ार', 1000],
    ['mr-IN', 'एक हज़ार पाचशे', 1500],
    ['mr-IN', 'दोन हज़ार तीनशे पंचेचाळीस', 2345],
    ['mr-IN', 'बारा हज़ार तीनशे पंचेचाळीस', 12345],
    ['mr-IN', 'दोन लाख पन्नास हज़ार', 250000],
    ['bn-IN', 'পঁচিশ', 25],
    ['bn-IN', 'আটচল্লিশ', 48],
    ['bn-IN', 'তিয়াত্তর', 73],
    ['bn-IN', 'নিরানব্বই', 99],
    ['bn-IN', 'একশো', 100],
    ['bn-IN', 'একশো পঁচিশ', 125],
    ['bn-IN', 'দুশো', 200],
    ['bn-IN', 'দুশো পঞ্চাশ', 250],
    ['bn-IN', 'নশো নিরানব্বই', 999],
    ['bn-IN', 'এক হাজার', 1000],
    ['bn-IN', 'এক হাজার পাঁচশো', 1500],
    ['bn-IN', 'দুই হাজার তিনশো পঁয়তাল্লিশ', 2345],
    ['bn-IN', 'বারো হাজার তিনশো পঁয়তাল্লিশ', 12345],
    ['bn-IN', 'দুই লাখ পঞ্চাশ হাজার', 250000],
    ['gu-IN', 'પચ્ચીસ', 25],
    ['gu-IN', 'અડતાલીસ', 48],
    ['gu-IN', 'તોંતેર', 73],
    ['gu-IN', 'નવ્વાણું', 99],
    ['gu-IN', 'એક સો', 100],
    ['gu-IN', 'એક સો પચ્ચીસ', 125],
    ['gu-IN', 'બસો', 200],
    ['gu-IN', 'બસો પચાસ', 250],
    ['gu-IN', 'નવ સો નવ્વાણું', 999],
    ['gu-IN', 'એક હજાર', 1000],
    ['gu-IN', 'એક હજાર પાંચ સો', 1500],
    ['gu-IN', 'બે હજાર ત્રણ સો પિસ્તાલીસ', 2345],
    ['gu-IN', 'બાર હજાર ત્રણ સો પિસ્તાલીસ', 12345],
    ['gu-IN', 'બે લાખ પચાસ હજાર', 250000],
    ['pa-IN', 'ਪੱਚੀ', 25],
    ['pa-IN', 'ਅਠਤਾਲੀ', 48],
    ['pa-IN', 'ਤਹੇਹਰ', 73],
    ['pa-IN', 'ਨੜਿੱਨਵੇ', 99],
    ['pa-IN', 'ਸੌ', 100],
    ['pa-IN', 'ਇੱਕ ਸੌ ਪੱਚੀ', 125],
    ['pa-IN', 'ਦੋ ਸੌ', 200],
    ['pa-IN', 'ਦੋ ਸੌ ਪੰਜਾਹ', 250],
    ['pa-IN', 'ਨੌਂ ਸੌ ਨੜਿੱਨਵੇ', 999],
    ['pa-IN', 'ਇੱਕ ਹਜ਼ਾਰ', 1000],
    ['pa-IN', 'ਇੱਕ ਹਜ਼ਾਰ ਪੰਜ ਸੌ', 1500],
    ['pa-IN', 'ਦੋ ਹਜ਼ਾਰ ਤਿੰਨ ਸੌ ਪਨਤਾਲੀ', 2345],
    ['pa-IN', 'ਬਾਰਾਂ ਹਜ਼ਾਰ ਤਿੰਨ ਸੌ ਪਨਤਾਲੀ', 12345],
    ['pa-IN', 'ਦੋ ਲੱਖ ਪੰਜਾਹ ਹਜ਼ਾਰ', 250000],
    ['od-IN', 'ପଚିଶ', 25],
    ['od-IN', 'ଅଠଚାଳିଶ', 48],
    ['od-IN', 'ତେସ୍ତରି', 73],
    ['od-IN', 'ଅନେଶତ', 99],
    ['od-IN', 'ଶହେ', 100],
    ['od-IN', 'ଶହେ ପଚିଶ', 125],
    ['od-IN', 'ଦୁଇ ଶହ', 200],
    ['od-IN', 'ଦୁଇ ଶହ ପଚାଶ', 250],
    ['od-IN', 'ନଅ ଶହ ଅନେଶତ', 999],
    ['od-IN', 'ଏକ ହଜାର', 1000],
    ['od-IN', 'ଏକ ହଜାର ପାଞ୍ଚ ଶହ', 1500],
    ['od-IN', 'ଦୁଇ ହଜାର ତିନି ଶହ ପଇଁଚାଳିଶ', 2345],
    ['od-IN', 'ବାର ହଜାର ତିନି ଶହ ପଇଁଚାଳିଶ', 12345],
    ['od-IN', 'ଦୁଇ ଲକ୍ଷ ପଚାଶ ହଜାର', 250000],
  ])('in %s: %s', (language, text, value) => {
    expect(valueOf('number', text, language)).toBe(value);
  });
});
