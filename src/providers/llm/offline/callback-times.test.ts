import { describe, expect, it } from 'vitest';
import { callbackTime } from '../../../domain/tools/callback-time.ts';
import { LANGUAGES, type Language } from '../../../shared/languages.ts';
import { callOf } from './test-call.ts';

/** Monday 5 January 2026, 15:30 in Kolkata. */
const NOW = Date.UTC(2026, 0, 5, 10);

/** When the built-in brain has somebody called back who says this, on the clocks of Kolkata; and what it says. */
function askedIn(language: Language, ...lines: readonly string[]): { at: string | null; said: string } {
  const call = callOf({ language, callDirection: 'outbound', script: 'Ask when to call back.' });
  let last = call.hear('yes');
  for (const line of lines) last = call.hear(line);
  const when = last.tools.find(({ name }) => name === 'schedule_callback')?.args['when'];
  const at = callbackTime(String(when), NOW, 'Asia/Kolkata', language);
  return {
    at: at === null ? null : new Date(at + 5.5 * 3_600_000).toISOString().slice(0, 16),
    said: last.text.join(' '),
  };
}

/** In each language: tomorrow, the day after, and morning, evening, night; 8 is the hour, with its word around it. */
const SAID: Readonly<Record<Language, readonly [string, string, string, string, string, string]>> = {
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

describe.each(LANGUAGES)('a time to call back in %s', (language) => {
  const [tomorrow, dayAfter, morning, evening, night, atEight] = SAID[language];
  it.each([
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
  ] as const)('%j', (words, expected) => {
    expect(askedIn(language, words.join(' ')).at).toBe(expected);
  });
  it('that cannot be understood is two hours later', () => {
    expect(askedIn(language, 'banana', 'banana').at).toBe('2026-01-05T17:30');
  });
});

describe('a time to call back', () => {
  it.each([
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
  ])('"%s" is %s', (line, at, said) => {
    const found = askedIn('en-US', line);
    expect(found.at).toBe(at);
    expect(found.said).toContain(said);
  });

  it.each([
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
  ] as const)('in %s "%s" is %s', (language, line, at) => {
    expect(askedIn(language, line).at).toBe(at);
  });

  it('that was not understood is said back as the one that was chosen', () => {
    expect(askedIn('en-US', 'banana', 'banana').said).toContain('in 2 hours');
  });
});
