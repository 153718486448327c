import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '@callwright/language';
import type { CaptureKind } from '../document.ts';
import { wordingOf } from '../wording.ts';
import { capture, type Captured } from './capture.ts';
import { isCardNumber, withPart } from './digits.ts';

/** Friday 27 November 2026, noon. */
const MOMENT = { now: Date.UTC(2026, 10, 27, 12), zone: 'UTC' };
type By = 'speech' | 'text' | 'keypad';
const read = (
  kind: CaptureKind,
  text: string,
  language: Language = 'en-US',
  by: By = 'speech',
  digits: number | null = null,
): Captured =>
  capture(
    { kind, values: ['red', 'blue'], digits, isSensitive: false },
    { text, by },
    wordingOf(language),
    MOMENT,
  );
const valueOf = (...args: Parameters<typeof read>): unknown => {
  const found = read(...args);
  return found.type === 'value' ? found.value : found.type;
};

describe('what callers say, as values', () => {
  it.each<[CaptureKind, string, unknown, Language?, By?]>([
    ['yes_no', 'yeah sure', true],
    ['consent', 'I do not', false],
    ['choice', 'the blue one please', 'blue'],
    ['choice', '2', 'blue', 'en-US', 'keypad'],
    ['name', 'my name is priya nair', 'Priya Nair'],
    ['spelled', 's as in sam m i double t', 'SMITT'],
    ['spelled', 'sierra mike india tango hotel', 'SMITH'],
    ['spelled', 'Smith', 'SMITH', 'en-US', 'text'],
    ['email', 'it is john dot smith at gmail dot com', 'john.smith@gmail.com'],
    ['email', 'ravi underscore one at my shop dot co dot in', 'ravi_1@myshop.co.in', 'en-IN'],
    ['email', 'Ann@Example.com', 'ann@example.com', 'en-US', 'text'],
    ['email', 'मेरा ईमेल है ravi डॉट kumar एट gmail डॉट com', 'ravi.kumar@gmail.com', 'hi-IN'],
    ['phone', 'four one five five five five two six seven one please', '+14155552671'],
    ['phone', 'plus nine one nine eight seven six five four three two one zero', '+919876543210'],
    ['phone', '9876543210', '+919876543210', 'hi-IN', 'keypad'],
    ['phone', 'one two three four five', 'nothing'],
    ['address', '42 High Street, London', '42 High Street, London'],
    ['postcode', 's w one a one a a', 'SW1A 1AA', 'en-GB'],
    ['postcode', 'five six zero zero zero one', '560001', 'en-IN'],
    ['postcode', 'five six zero', 'nothing', 'en-IN'],
    ['date', 'the day after tomorrow', '2026-11-29'],
    ['date', '2412', '2026-12-24', 'en-GB', 'keypad'],
    ['date', '12242026', '2026-12-24', 'en-US', 'keypad'],
    ['date', 'कल', '2026-11-28', 'hi-IN'],
    ['date', 'Monday, no, Tuesday', '2026-12-01'],
    ['date', 'on Friday, I mean next Monday', '2026-11-30'],
    ['date', 'Monday, no thanks', '2026-11-30'],
    ['number', 'seven, no wait, eight', 8],
    ['choice', 'red, sorry, blue', 'blue'],
    ['date', 'मंगलवार, नहीं, बुधवार', '2026-12-02', 'hi-IN'],
    ['phone', 'no, sorry', 'refused'],
    ['time', 'half past three in the afternoon', '15:30'],
    ['time', 'in the morning', 'nothing'],
    ['date_time', 'Tuesday at ten in the morning', '2026-12-01T10:00'],
    ['date_time', 'on Tuesday', 'nothing'],
    ['number', 'twenty five', 25],
    ['money', 'twenty dollars and fifty cents', 20.5],
    ['money', 'five hundred rupees', 500, 'en-IN'],
    ['money', '$1,200.50', 1200.5, 'en-US', 'text'],
    ['money', '20*50', 20.5, 'en-US', 'keypad'],
    ['digits', 'four seven double one', '4711'],
    ['digits', 'it was four seven one, thanks', '471'],
    ['card', '4111 1111 1111 1111', '4111111111111111', 'en-US', 'text'],
    ['card', '4111 1111 1111 1112', 'nothing', 'en-US', 'text'],
    ['account', 'AB 1234 5678', 'AB12345678', 'en-US', 'text'],
    ['account', 'one two three', 'nothing'],
    ['free', 'the kitchen light flickers', 'the kitchen light flickers'],
    ['phone', 'no', 'refused'],
    ['email', 'no thanks', 'refused'],
  ])('reads %s in "%s" as %s', (kind, text, value, language = 'en-US', by = 'speech') => {
    expect(valueOf(kind, text, language, by)).toBe(value);
  });

  it('wants the number of digits that the question names', () => {
    expect(valueOf('digits', 'four seven one one', 'en-US', 'speech', 4)).toBe('4711');
    expect(valueOf('digits', 'four seven one', 'en-US', 'speech', 4)).toBe('nothing');
  });

  it('takes hidden keys alone for a sensitive value', () => {
    const hidden = { kind: 'card', values: [], digits: null, isSensitive: true } as const;
    const wording = wordingOf('en-US');
    expect(capture(hidden, { text: '4111111111111111', by: 'keypad' }, wording, MOMENT).type).toBe('nothing');
    expect(capture(hidden, { text: '[keys hidden 2]', by: 'keypad' }, wording, MOMENT)).toEqual({
      type: 'value',
      value: '[keys hidden 2]',
      spoken: '',
    });
  });

  it('is total: any line of any language is a value, a refusal or nothing', () => {
    const kinds: CaptureKind[] = [
      'spelled',
      'email',
      'phone',
      'postcode',
      'date',
      'time',
      'date_time',
      'money',
      'digits',
      'card',
      'account',
      'address',
      'name',
      'number',
    ];
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc
        .array(fc.constantFrom('at', 'dot', 'five', '@', '.', '+', 'double', 'एक', '三', '10', 'Tuesday'))
        .map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(
        line,
        fc.constantFrom(...kinds),
        fc.constantFrom(...LANGUAGES),
        fc.constantFrom<By>('speech', 'text', 'keypad'),
        (text, kind, language, by) => {
          expect(['value', 'refused', 'nothing']).toContain(read(kind, text, language, by).type);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

/** Digits as people of each language say them, zero first. */
const DIGITS: Readonly<Record<string, string>> = {
  en: 'zero one two three four five six seven eight nine',
  hi: 'शून्य एक दो तीन चार पाँच छह सात आठ नौ',
  ta: 'பூஜ்யம் ஒன்று இரண்டு மூன்று நான்கு ஐந்து ஆறு ஏழு எட்டு ஒன்பது',
  te: 'సున్నా ఒకటి రెండు మూడు నాలుగు ఐదు ఆరు ఏడు ఎనిమిది తొమ్మిది',
  bn: 'শূন্য এক দুই তিন চার পাঁচ ছয় সাত আট নয়',
  mr: 'शून्य एक दोन तीन चार पाच सहा सात आठ नऊ',
  kn: 'ಸೊನ್ನೆ ಒಂದು ಎರಡು ಮೂರು ನಾಲ್ಕು ಐದು ಆರು ಏಳು ಎಂಟು ಒಂಬತ್ತು',
  gu: 'શૂન્ય એક બે ત્રણ ચાર પાંચ છ સાત આઠ નવ',
  pa: 'ਸਿਫ਼ਰ ਇੱਕ ਦੋ ਤਿੰਨ ਚਾਰ ਪੰਜ ਛੇ ਸੱਤ ਅੱਠ ਨੌਂ',
  od: 'ଶୂନ ଏକ ଦୁଇ ତିନି ଚାରି ପାଞ୍ଚ ଛଅ ସାତ ଆଠ ନଅ',
  ms: 'kosong satu dua tiga empat lima enam tujuh lapan sembilan',
  zh: '零 一 二 三 四 五 六 七 八 九',
  my: 'သုည တစ် နှစ် သုံး လေး ငါး ခြောက် ခုနစ် ရှစ် ကိုး',
  ar: 'صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة',
};

describe('digits that are dictated', () => {
  it.each(LANGUAGES)('are read one by one in %s', (language) => {
    const names = DIGITS[language.slice(0, 2)]!.split(' ');
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 2, maxLength: 16 }), (digits) => {
        const said = digits.map((digit) => names[digit]).join(' ');
        expect(valueOf('digits', said, language)).toBe(digits.join(''));
      }),
      { numRuns: 200 },
    );
  });

  it('pass as a card only with the right check digit', () => {
    const digits = fc.array(fc.nat(9), { minLength: 12, maxLength: 18 });
    fc.assert(
      fc.property(digits, (body) => {
        const right = [...Array(10).keys()].filter((last) => isCardNumber([...body, last].join('')));
        expect(right).toHaveLength(1);
      }),
    );
  });

  it.each<[string, string, Language, string, string | null]>([
    ['4711', 'no, one two at the end', 'en-US', 'en', '4712'],
    ['4711', 'no the first digits are five six', 'en-US', 'en', '5611'],
    ['+14155552671', 'no, seven two at the end', 'en-US', 'en', '+14155552672'],
    ['4711', 'नहीं, आख़िर में एक दो', 'hi-IN', 'hi', '4712'],
    ['4711', '不对，最后是一二', 'zh-CN', 'zh', '4712'],
    ['4711', 'no, five six seven eight', 'en-US', 'en', null],
    ['4711', 'no, one two', 'en-US', 'en', null],
  ])('%s with "%s" becomes the number with its part corrected', (value, text, language, locale, whole) => {
    expect(withPart(value, text, language, locale)).toBe(whole);
  });
});
