import { hasPhrase, words } from '../text.ts';

type Part = 'morning' | 'noon' | 'afternoon' | 'evening' | 'night';
type Words = readonly (readonly [Part, readonly string[]])[];

/** How the words for a part of the day begin, by locale; one that begins like another comes before it. */
const PARTS: Readonly<Record<string, Words>> = {
  hi: [
    ['morning', ['सुबह', 'सवेरे', 'subah']],
    ['afternoon', ['दोपहर', 'dopahar', 'dopahr']],
    ['evening', ['शाम', 'shaam', 'sham']],
    ['night', ['रात', 'raat']],
  ],
  mr: [
    ['morning', ['सकाळ']],
    ['afternoon', ['दुपार']],
    ['evening', ['संध्याकाळ', 'सायंकाळ']],
    ['night', ['रात्र']],
  ],
  ta: [
    ['morning', ['காலை']],
    ['afternoon', ['மதிய', 'பிற்பகல்']],
    ['evening', ['மாலை', 'சாயங்கால']],
    ['night', ['இரவு', 'ராத்திரி']],
  ],
  te: [
    ['morning', ['ఉదయ', 'పొద్దున']],
    ['afternoon', ['మధ్యాహ్న']],
    ['evening', ['సాయంత్ర', 'సాయంకాల']],
    ['night', ['రాత్రి']],
  ],
  kn: [
    ['morning', ['ಬೆಳಿಗ್ಗೆ', 'ಬೆಳಗ್ಗೆ']],
    ['afternoon', ['ಮಧ್ಯಾಹ್ನ']],
    ['evening', ['ಸಂಜೆ', 'ಸಾಯಂಕಾಲ']],
    ['night', ['ರಾತ್ರಿ']],
  ],
  bn: [
    ['morning', ['সকাল']],
    ['afternoon', ['দুপুর', 'বিকেল', 'বিকাল']],
    ['evening', ['সন্ধ্যা', 'সন্ধে']],
    ['night', ['রাত']],
  ],
  gu: [
    ['morning', ['સવાર']],
    ['afternoon', ['બપોર']],
    ['evening', ['સાંજ']],
    ['night', ['રાત']],
  ],
  pa: [
    ['morning', ['ਸਵੇਰ']],
    ['afternoon', ['ਦੁਪਹਿਰ']],
    ['evening', ['ਸ਼ਾਮ']],
    ['night', ['ਰਾਤ']],
  ],
  or: [
    ['morning', ['ସକାଳ']],
    ['afternoon', ['ଅପରାହ୍ନ', 'ଦ୍ୱିପ୍ରହର', 'ଖରାବେଳ']],
    ['evening', ['ସନ୍ଧ୍ୟା']],
    ['night', ['ରାତି', 'ରାତ୍ରି']],
  ],
  ms: [
    ['morning', ['pagi']],
    ['noon', ['tengah hari']],
    ['evening', ['petang']],
    ['night', ['malam']],
  ],
  zh: [
    ['morning', ['早上', '上午', '早晨']],
    ['noon', ['中午']],
    ['afternoon', ['下午']],
    ['evening', ['傍晚']],
    ['night', ['晚上', '今晚', '夜']],
  ],
  my: [
    ['morning', ['မနက်']],
    ['noon', ['နေ့လယ်']],
    ['evening', ['ညနေ']],
    ['night', ['ည']],
  ],
  ar: [
    ['morning', ['صباح', 'الصباح', 'الصبح']],
    ['noon', ['ظهر', 'الظهر']],
    ['afternoon', ['العصر', 'عصر', 'بعد الظهر']],
    ['evening', ['مساء', 'المساء']],
    ['night', ['ليل', 'الليل', 'بالليل']],
  ],
};

const SPACELESS = /[\p{Script=Han}\p{Script=Myanmar}]/u;

/** The English word for the part of the day that a line in `normal` form names. */
export function dayPartIn(line: string, locale: string): Part | null {
  const tokens = words(line);
  const found = PARTS[locale]?.find(([, stems]) =>
    stems
      .map((stem) => stem.normalize('NFKC'))
      .some((stem) =>
        SPACELESS.test(stem) || stem.includes(' ')
          ? line.includes(stem)
          : tokens.some((token) => token.startsWith(stem)),
      ),
  );
  return found?.[0] ?? null;
}

/** Words that turn a number of hours or minutes into a time from now, by locale. */
const FROM_NOW: Readonly<Record<string, { after: string; hour: string; minute: string }>> = {
  hi: { after: 'बाद|में|baad|mein', hour: 'घंट|घण्ट|ghant', minute: 'मिनट|minat|minute' },
  mr: { after: 'तासान|नंतर|मिनिटांन', hour: 'तास', minute: 'मिनिट' },
  ta: { after: 'கழித்து|பிறகு|நேரத்தில்|நிமிடத்தில்', hour: 'மணி', minute: 'நிமிட' },
  te: { after: 'తర్వాత|తరువాత|గంటల్లో|గంటలో|నిమిషాల్లో', hour: 'గంట', minute: 'నిమిష' },
  kn: { after: 'ನಂತರ|ಬಿಟ್ಟು|ಆದಮೇಲೆ', hour: 'ಗಂಟೆ', minute: 'ನಿಮಿಷ' },
  bn: { after: 'পর|পরে|মধ্যে', hour: 'ঘণ্টা|ঘন্টা', minute: 'মিনিট' },
  gu: { after: 'પછી|બાદ|માં', hour: 'કલાક', minute: 'મિનિટ' },
  pa: { after: 'ਬਾਅਦ|ਵਿੱਚ', hour: 'ਘੰਟ', minute: 'ਮਿੰਟ' },
  or: { after: 'ପରେ', hour: 'ଘଣ୍ଟା', minute: 'ମିନିଟ' },
  ms: { after: 'dalam|selepas|lagi', hour: 'jam', minute: 'minit' },
  zh: { after: '后|後|内', hour: '小时|钟头', minute: '分钟' },
  my: { after: 'အကြာ|နောက်|ပြီး', hour: 'နာရီ', minute: 'မိနစ်' },
  ar: { after: 'بعد|خلال', hour: '(?<!ال)ساع', minute: 'دقيق|دقائق' },
};

/** "In two hours", with its number: the unit; null where the line names no time from now. */
export function unitFromNow(line: string, locale: string): 'hour' | 'minute' | null {
  const said = FROM_NOW[locale];
  if (said === undefined || !new RegExp(said.after, 'u').test(line)) return null;
  if (new RegExp(said.minute.normalize('NFKC'), 'u').test(line)) return 'minute';
  return new RegExp(said.hour.normalize('NFKC'), 'u').test(line) ? 'hour' : null;
}

/** The line without the first of `phrases` in it; null where none is. */
export function without(line: string, phrases: readonly string[]): string | null {
  const found = phrases.toSorted((a, b) => b.length - a.length).find((phrase) => hasPhrase(line, phrase));
  return found === undefined ? null : line.replace(found, ' ');
}
