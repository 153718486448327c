import type { Language } from '../languages.ts';

/** Phrases for a time with the instant that each one means at NOW, on the wall clock of ZONE. For tests. */
export const ZONE = 'Asia/Kolkata';
/** Monday 5 January 2026, 15:30 in Kolkata. */
export const NOW = Date.UTC(2026, 0, 5, 10);
export const local = (at: number | null): string | null =>
  at === null ? null : new Date(at + 5.5 * 3_600_000).toISOString().slice(0, 16);

/** As a model or an API client writes them. */
export const WRITTEN: readonly (readonly [phrase: string, at: string])[] = [
  ['2026-01-07T16:00', '2026-01-07T16:00'],
  ['2026-01-07 16:00:00', '2026-01-07T16:00'],
  ['2026-01-07T10:30:00Z', '2026-01-07T16:00'],
  ['2026-01-07T12:30+02:00', '2026-01-07T16:00'],
  ['2026-01-07', '2026-01-07T10:00'],
  ['tomorrow at 3 pm', '2026-01-06T15:00'],
  ['tomorrow', '2026-01-06T10:00'],
  ['tomorrow at 4', '2026-01-06T16:00'],
  ['tomorrow morning', '2026-01-06T10:00'],
  ["day after tomorrow at 9 o'clock", '2026-01-07T09:00'],
  ['Wednesday at 11:30 am', '2026-01-07T11:30'],
  ['next Tuesday in the evening', '2026-01-06T18:00'],
  ['Monday', '2026-01-12T10:00'],
  ['in 2 hours', '2026-01-05T17:30'],
  ['in half an hour', '2026-01-05T16:00'],
  ['in three days', '2026-01-08T10:00'],
  ['at 5 pm', '2026-01-05T17:00'],
  ['at 9 am', '2026-01-06T09:00'],
  ['half past six', '2026-01-05T18:30'],
  ['January 20 at noon', '2026-01-20T12:00'],
  ['5th of February', '2026-02-05T10:00'],
  ['the 3rd at 10:00', '2026-02-03T10:00'],
  ['tonight', '2026-01-05T20:00'],
  ['today', '2026-01-05T17:30'],
  ['six in the evening', '2026-01-05T18:00'],
  ['in ten minutes', '2026-01-05T15:40'],
  ['in twenty five minutes', '2026-01-05T15:55'],
  ['an hour from now', '2026-01-05T16:30'],
  ['in a couple of hours', '2026-01-05T17:30'],
  ['this weekend', '2026-01-10T10:00'],
  ['end of the week', '2026-01-09T10:00'],
  ['next month', '2026-02-01T10:00'],
  ['midnight', '2026-01-06T00:00'],
  ['at 11 in the night', '2026-01-05T23:00'],
  ['at 12 in the night', '2026-01-06T00:00'],
  ['at 11 in the afternoon', '2026-01-06T11:00'],
  ['any time', '2026-01-05T17:30'],
  ['tomorrow any time', '2026-01-06T10:00'],
];

/** Name no time within the next 90 days. */
export const TIMELESS: readonly string[] = [
  '',
  'later',
  '2025-01-01T10:00',
  '2027-06-01T10:00',
  '2026-02-31T10:00',
  'never',
];

/** Phrases on which separate parsers once disagreed. */
export const DISPUTED: readonly (readonly [phrase: string, at: string])[] = [
  ['at nine tonight', '2026-01-05T21:00'],
  ['tomorrow at four', '2026-01-06T16:00'],
  ['tomorrow ten thirty', '2026-01-06T10:30'],
  ['Monday at 5 pm', '2026-01-12T17:00'],
  ['in three days at 5 pm', '2026-01-08T17:00'],
  ['a week from now', '2026-01-12T10:00'],
  ['January 20 at 3 pm', '2026-01-20T15:00'],
  ['the 12th at 11', '2026-01-12T11:00'],
  ['12/2 at 10:30', '2026-02-12T10:30'],
  ['fri at 3', '2026-01-09T15:00'],
  ['tomorrow at 12 at night', '2026-01-07T00:00'],
  ['midnight tomorrow', '2026-01-07T00:00'],
  ['next week at 3 pm', '2026-01-12T15:00'],
];

/** As callers answer, and how the agent repeats them. */
export const ANSWERED: readonly (readonly [phrase: string, at: string, repeated: string])[] = [
  ['in two hours', '2026-01-05T17:30', 'in two hours'],
  ['after an hour', '2026-01-05T16:30', 'after an hour'],
  ['in ten minutes', '2026-01-05T15:40', 'in ten minutes'],
  ['half an hour from now', '2026-01-05T16:00', 'half an hour from now'],
  ['in three days', '2026-01-08T10:00', 'in three days'],
  ['this weekend', '2026-01-10T10:00', 'this weekend'],
  ['end of the week', '2026-01-09T10:00', 'end of the week'],
  ['any time', '2026-01-05T17:30', 'any day'],
  ['midnight', '2026-01-06T00:00', 'midnight'],
  ['at nine tonight', '2026-01-05T21:00', 'tonight at 9'],
];

export const IN_OTHER_LANGUAGES: readonly (readonly [language: Language, phrase: string, at: string])[] = [
  ['hi-IN', 'दो घंटे बाद', '2026-01-05T17:30'],
  ['hi-IN', 'दस मिनट में', '2026-01-05T15:40'],
  ['hi-IN', 'kal shaam 8 baje', '2026-01-06T20:00'],
  ['hi-IN', 'कल सुबह 7 बजे', '2026-01-06T07:00'],
  ['hi-IN', 'बुधवार शाम', '2026-01-07T18:00'],
  ['hi-IN', 'tomorrow at 5 pm', '2026-01-06T17:00'],
  ['ta-IN', '2 மணி நேரம் கழித்து', '2026-01-05T17:30'],
  ['te-IN', '2 గంటల తర్వాత', '2026-01-05T17:30'],
  ['zh-CN', '两个小时后', '2026-01-05T17:30'],
  ['ms-MY', 'dalam 2 jam', '2026-01-05T17:30'],
  ['ar-AE', 'بعد 2 ساعات', '2026-01-05T17:30'],
];

/** Tomorrow, the day after, morning, evening, night, and 8 o'clock in each language. */
const WORDS: Readonly<Record<Language, readonly [string, string, string, string, string, string]>> = {
  'en-US': ['tomorrow', 'day after tomorrow', 'in the morning', 'in the evening', 'at night', "at 8 o'clock"],
  'en-GB': ['tomorrow', 'day after tomorrow', 'in the morning', 'in the evening', 'at night', 'at 8'],
  'en-AU': ['tomorrow', 'day after tomorrow', 'in the morning', 'in the evening', 'at night', 'at eight'],
  'en-IN': ['tomorrow', 'day after tomorrow', 'in the morning', 'in the evening', 'at night', "at 8 o'clock"],
  'hi-IN': ['कल', 'परसों', 'सुबह', 'शाम', 'रात', '8 बजे'],
  'mr-IN': ['उद्या', 'परवा', 'सकाळी', 'संध्याकाळी', 'रात्री', '8 वाजता'],
  'ta-IN': ['நாளை', 'நாளை மறுநாள்', 'காலை', 'மாலை', 'இரவு', '8 மணிக்கு'],
  'te-IN': ['రేపు', 'ఎల్లుండి', 'ఉదయం', 'సాయంత్రం', 'రాత్రి', '8 గంటలకు'],
  'kn-IN': ['ನಾಳೆ', 'ನಾಡಿದ್ದು', 'ಬೆಳಿಗ್ಗೆ', 'ಸಂಜೆ', 'ರಾತ್ರಿ', '8 ಗಂಟೆಗೆ'],
  'bn-IN': ['কাল', 'পরশু', 'সকালে', 'সন্ধ্যায়', 'রাতে', '৮টায়'],
  'gu-IN': ['કાલે', 'પરમ દિવસે', 'સવારે', 'સાંજે', 'રાત્રે', '8 વાગ્યે'],
  'pa-IN': ['ਕੱਲ੍ਹ', 'ਪਰਸੋਂ', 'ਸਵੇਰੇ', 'ਸ਼ਾਮ', 'ਰਾਤ', '8 ਵਜੇ'],
  'od-IN': ['କାଲି', 'ପଅରଦିନ', 'ସକାଳେ', 'ସନ୍ଧ୍ୟା', 'ରାତି', '8 ଟାରେ'],
  'ms-MY': ['esok', 'lusa', 'pagi', 'petang', 'malam', 'pukul 8'],
  'zh-CN': ['明天', '后天', '早上', '傍晚', '晚上', '8点'],
  'my-MM': ['မနက်ဖြန်', 'သန်ဘက်ခါ', 'မနက်', 'ညနေ', 'ည', '၈ နာရီ'],
  'ar-AE': ['غداً', 'بعد غد', 'صباحا', 'مساء', 'ليلا', 'الساعة 8'],
};

/** Day and time in the words of a language. */
export function daysAndTimes(
  language: Language,
): readonly (readonly [words: readonly string[], at: string])[] {
  const [tomorrow, dayAfter, morning, evening, night, atEight] = WORDS[language];
  return [
    [[tomorrow], '2026-01-06T10:00'],
    [[dayAfter], '2026-01-07T10:00'],
    [[tomorrow, morning], '2026-01-06T10:00'],
    [[tomorrow, evening], '2026-01-06T18:00'],
    [[tomorrow, night], '2026-01-06T20:00'],
    [[dayAfter, evening], '2026-01-07T18:00'],
    [[tomorrow, morning, atEight], '2026-01-06T08:00'],
    [[tomorrow, evening, atEight], '2026-01-06T20:00'],
    [[tomorrow, night, atEight], '2026-01-06T20:00'],
    [[evening], '2026-01-05T18:00'],
    [[night, atEight], '2026-01-05T20:00'],
  ];
}
