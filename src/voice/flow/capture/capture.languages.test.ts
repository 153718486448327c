import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '@callwright/language';
import type { CaptureKind } from '../document.ts';
import { wordingOf } from '../wording.ts';
import { capture } from './capture.ts';

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
  ])('in %s: %s', (language, text, value) => {
    expect(valueOf('number', text, language)).toBe(value);
  });
});
