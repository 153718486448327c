import type { Language } from '../languages.ts';

/** Money as people name it: the unit, and its hundredth; [one, several] where they differ. */
export interface CurrencyWords {
  readonly unit: readonly [string, string];
  readonly part: readonly [string, string] | null;
}
export type Currency = 'INR' | 'USD' | 'GBP' | 'EUR' | 'AUD' | 'AED' | 'MYR' | 'CNY' | 'MMK';

/** How numbers, money, dates and times are said in one written language. Digits below a thousand are left to the voice. */
export interface SpokenWords {
  /** For month names (Intl). */
  readonly locale: string;
  /** Names of powers of ten, largest first; a number is split at them. */
  readonly scales: readonly (readonly [value: number, word: string])[];
  /** Between a digit and a word; empty in Chinese. */
  readonly gap: '' | ' ';
  readonly point: string;
  readonly percent: string;
  /** Joins unit and hundredth ("rupees and 50 paise"). */
  readonly and: string;
  readonly currencies: Readonly<Record<Currency, CurrencyWords>>;
  /** Templates of a time of day on the hour, and with minutes; {part}, {h}, {m} are filled. */
  readonly clock: { readonly hour: string; readonly minute: string };
  /** Names of the parts of the day as they stand in those templates. */
  readonly parts: {
    readonly morning: string;
    readonly afternoon: string;
    readonly evening: string;
    readonly night: string;
  };
  /** Template of a date; {d}, {month} and {y} are filled. Without a year, `short`. */
  readonly date: { readonly full: string; readonly short: string };
}

const one = (unit: string, part: string | null): CurrencyWords => ({
  unit: [unit, unit],
  part: part === null ? null : [part, part],
});
const two = (unit: readonly [string, string], part: readonly [string, string] | null): CurrencyWords => ({
  unit,
  part,
});

/** Currency words in the order of `Currency`, hundredths after a slash. */
function currencies(names: readonly string[]): Record<Currency, CurrencyWords> {
  const [INR, USD, GBP, EUR, AUD, AED, MYR, CNY, MMK] = names.map((name) => {
    const [unit = '', part] = name.split('/');
    return one(unit, part ?? null);
  });
  const none = one('', null);
  return {
    INR: INR ?? none,
    USD: USD ?? none,
    GBP: GBP ?? none,
    EUR: EUR ?? none,
    AUD: AUD ?? none,
    AED: AED ?? none,
    MYR: MYR ?? none,
    CNY: CNY ?? none,
    MMK: MMK ?? none,
  };
}

const indian = (thousand: string, lakh: string, crore: string): SpokenWords['scales'] => [
  [10_000_000, crore],
  [100_000, lakh],
  [1_000, thousand],
];

const ENGLISH: SpokenWords = {
  locale: 'en',
  scales: [
    [1_000_000_000, 'billion'],
    [1_000_000, 'million'],
    [1_000, 'thousand'],
  ],
  gap: ' ',
  point: 'point',
  percent: 'percent',
  and: 'and',
  currencies: {
    INR: two(['rupee', 'rupees'], ['paisa', 'paise']),
    USD: two(['dollar', 'dollars'], ['cent', 'cents']),
    GBP: two(['pound', 'pounds'], ['penny', 'pence']),
    EUR: two(['euro', 'euros'], ['cent', 'cents']),
    AUD: two(['dollar', 'dollars'], ['cent', 'cents']),
    AED: two(['dirham', 'dirhams'], ['fils', 'fils']),
    MYR: two(['ringgit', 'ringgit'], ['sen', 'sen']),
    CNY: two(['yuan', 'yuan'], null),
    MMK: two(['kyat', 'kyats'], null),
  },
  clock: { hour: '{h} {part}', minute: '{h}:{m} {part}' },
  parts: { morning: 'AM', afternoon: 'PM', evening: 'PM', night: 'PM' },
  date: { full: '{month} {d}, {y}', short: '{month} {d}' },
};

/** Everywhere but in America the day comes first. */
const BRITISH: SpokenWords = { ...ENGLISH, date: { full: '{d} of {month} {y}', short: '{d} of {month}' } };

export const SPOKEN_WORDS: Readonly<Record<Language, SpokenWords>> = {
  'en-US': ENGLISH,
  'en-GB': BRITISH,
  'en-AU': BRITISH,
  'en-IN': { ...BRITISH, scales: indian('thousand', 'lakh', 'crore') },
  'hi-IN': {
    locale: 'hi',
    scales: indian('हज़ार', 'लाख', 'करोड़'),
    gap: ' ',
    point: 'दशमलव',
    percent: 'प्रतिशत',
    and: '',
    currencies: currencies([
      'रुपये/पैसे',
      'डॉलर/सेंट',
      'पाउंड/पेंस',
      'यूरो/सेंट',
      'डॉलर/सेंट',
      'दिरहम',
      'रिंगिट',
      'युआन',
      'क्यात',
    ]),
    clock: { hour: '{part} {h} बजे', minute: '{part} {h} बजकर {m} मिनट' },
    parts: { morning: 'सुबह', afternoon: 'दोपहर', evening: 'शाम', night: 'रात' },
    date: { full: '{d} {month} {y}', short: '{d} {month}' },
  },
  'mr-IN': {
    locale: 'mr',
    scales: indian('हजार', 'लाख', 'कोटी'),
    gap: ' ',
    point: 'दशांश',
    percent: 'टक्के',
    and: '',
    currencies: currencies([
      'रुपये/पैसे',
      'डॉलर/सेंट',
      'पाउंड/पेन्स',
      'युरो/सेंट',
      'डॉलर/सेंट',
      'दिरहम',
      'रिंगिट',
      'युआन',
      'क्यात',
    ]),
    clock: { hour: '{part} {h} वाजता', minute: '{part} {h} वाजून {m} मिनिटांनी' },
    parts: { morning: 'सकाळी', afternoon: 'दुपारी', evening: 'संध्याकाळी', night: 'रात्री' },
    date: { full: '{d} {month} {y}', short: '{d} {month}' },
  },
  'bn-IN': {
    locale: 'bn',
    scales: indian('হাজার', 'লাখ', 'কোটি'),
    gap: ' ',
    point: 'দশমিক',
    percent: 'শতাংশ',
    and: '',
    currencies: currencies([
      'টাকা/পয়সা',
      'ডলার/সেন্ট',
      'পাউন্ড/পেন্স',
      'ইউরো/সেন্ট',
      'ডলার/সেন্ট',
      'দিরহাম',
      'রিঙ্গিত',
      'ইউয়ান',
      'কিয়াত',
    ]),
    clock: { hour: '{part} {h}টা', minute: '{part} {h}টা {m} মিনিট' },
    parts: { morning: 'সকাল', afternoon: 'দুপুর', evening: 'সন্ধ্যা', night: 'রাত' },
    date: { full: '{d} {month} {y}', short: '{d} {month}' },
  },
  'gu-IN': {
    locale: 'gu',
    scales: indian('હજાર', 'લાખ', 'કરોડ'),
    gap: ' ',
    point: 'દશાંશ',
    percent: 'ટકા',
    and: '',
    currencies: currencies([
      'રૂપિયા/પૈસા',
      'ડૉલર/સેન્ટ',
      'પાઉન્ડ/પેન્સ',
      'યુરો/સેન્ટ',
      'ડૉલર/સેન્ટ',
      'દિરહામ',
      'રિંગિટ',
      'યુઆન',
      'ક્યાત',
    ]),
    clock: { hour: '{part} {h} વાગ્યે', minute: '{part} {h} વાગીને {m} મિનિટે' },
    parts: { morning: 'સવારે', afternoon: 'બપોરે', evening: 'સાંજે', night: 'રાત્રે' },
    date: { full: '{d} {month} {y}', short: '{d} {month}' },
  },
  'pa-IN': {
    locale: 'pa',
    scales: indian('ਹਜ਼ਾਰ', 'ਲੱਖ', 'ਕਰੋੜ'),
    gap: ' ',
    point: 'ਦਸ਼ਮਲਵ',
    percent: 'ਫ਼ੀਸਦੀ',
    and: '',
    currencies: currencies([
      'ਰੁਪਏ/ਪੈਸੇ',
      'ਡਾਲਰ/ਸੈਂਟ',
      'ਪੌਂਡ/ਪੈਂਸ',
      'ਯੂਰੋ/ਸੈਂਟ',
      'ਡਾਲਰ/ਸੈਂਟ',
      'ਦਿਰਹਾਮ',
      'ਰਿੰਗਿਟ',
      'ਯੁਆਨ',
      'ਕਿਆਤ',
    ]),
    clock: { hour: '{part} {h} ਵਜੇ', minute: '{part} {h} ਵੱਜ ਕੇ {m} ਮਿੰਟ' },
    parts: { morning: 'ਸਵੇਰੇ', afternoon: 'ਦੁਪਹਿਰ', evening: 'ਸ਼ਾਮ', night: 'ਰਾਤ' },
    date: { full: '{d} {month} {y}', short: '{d} {month}' },
  },
  'od-IN': {
    locale: 'or',
    scales: indian('ହଜାର', 'ଲକ୍ଷ', 'କୋଟି'),
    gap: ' ',
    point: 'ଦଶମିକ',
    percent: 'ପ୍ରତିଶତ',
    and: '',
    currencies: currencies([
      'ଟଙ୍କା/ପଇସା',
      'ଡଲାର/ସେଣ୍ଟ',
      'ପାଉଣ୍ଡ/ପେନ୍ସ',
      'ୟୁରୋ/ସେଣ୍ଟ',
      'ଡଲାର/ସେଣ୍ଟ',
      'ଦିରହାମ',
      'ରିଙ୍ଗିଟ',
      'ୟୁଆନ',
      'କ୍ୟାଟ',
    ]),
    clock: { hour: '{part} {h}ଟା', minute: '{part} {h}ଟା {m} ମିନିଟ' },
    parts: { morning: 'ସକାଳ', afternoon: 'ଅପରାହ୍ନ', evening: 'ସନ୍ଧ୍ୟା', night: 'ରାତି' },
    date: { full: '{d} {month} {y}', short: '{d} {month}' },
  },
  'ta-IN': {
    locale: 'ta',
    scales: indian('ஆயிரம்', 'லட்சம்', 'கோடி'),
    gap: ' ',
    point: 'புள்ளி',
    percent: 'சதவீதம்',
    and: '',
    currencies: currencies([
      'ரூபாய்/பைசா',
      'டாலர்/சென்ட்',
      'பவுண்டு/பென்ஸ்',
      'யூரோ/சென்ட்',
      'டாலர்/சென்ட்',
      'திர்ஹாம்',
      'ரிங்கிட்',
      'யுவான்',
      'கியாட்',
    ]),
    clock: { hour: '{part} {h} மணி', minute: '{part} {h} மணி {m} நிமிடம்' },
    parts: { morning: 'காலை', afternoon: 'மதியம்', evening: 'மாலை', night: 'இரவு' },
    date: { full: '{d} {month} {y}', short: '{d} {month}' },
  },
  'te-IN': {
    locale: 'te',
    scales: indian('వేల', 'లక్షల', 'కోట్ల'),
    gap: ' ',
    point: 'పాయింట్',
    percent: 'శాతం',
    and: '',
    currencies: currencies([
      'రూపాయలు/పైసలు',
      'డాలర్లు/సెంట్లు',
      'పౌండ్లు/పెన్స్',
      'యూరోలు/సెంట్లు',
      'డాలర్లు/సెంట్లు',
      'దిర్హమ్‌లు',
      'రింగిట్లు',
      'యువాన్లు',
      'క్యాట్లు',
    ]),
    clock: { hour: '{part} {h} గంటలకు', minute: '{part} {h} గంటల {m} నిమిషాలకు' },
    parts: { morning: 'ఉదయం', afternoon: 'మధ్యాహ్నం', evening: 'సాయంత్రం', night: 'రాత్రి' },
    date: { full: '{d} {month} {y}', short: '{d} {month}' },
  },
  'kn-IN': {
    locale: 'kn',
    scales: indian('ಸಾವಿರ', 'ಲಕ್ಷ', 'ಕೋಟಿ'),
    gap: ' ',
    point: 'ದಶಮಾಂಶ',
    percent: 'ಪ್ರತಿಶತ',
    and: '',
    currencies: currencies([
      'ರೂಪಾಯಿ/ಪೈಸೆ',
      'ಡಾಲರ್/ಸೆಂಟ್',
      'ಪೌಂಡ್/ಪೆನ್ಸ್',
      'ಯೂರೋ/ಸೆಂಟ್',
      'ಡಾಲರ್/ಸೆಂಟ್',
      'ದಿರ್ಹಮ್',
      'ರಿಂಗಿಟ್',
      'ಯುವಾನ್',
      'ಕ್ಯಾಟ್',
    ]),
    clock: { hour: '{part} {h} ಗಂಟೆ', minute: '{part} {h} ಗಂಟೆ {m} ನಿಮಿಷ' },
    parts: { morning: 'ಬೆಳಿಗ್ಗೆ', afternoon: 'ಮಧ್ಯಾಹ್ನ', evening: 'ಸಂಜೆ', night: 'ರಾತ್ರಿ' },
    date: { full: '{d} {month} {y}', short: '{d} {month}' },
  },
  'ms-MY': {
    locale: 'ms',
    scales: [
      [1_000_000_000, 'bilion'],
      [1_000_000, 'juta'],
      [1_000, 'ribu'],
    ],
    gap: ' ',
    point: 'perpuluhan',
    percent: 'peratus',
    and: '',
    currencies: currencies([
      'rupee/paise',
      'dolar/sen',
      'paun/pence',
      'euro/sen',
      'dolar/sen',
      'dirham',
      'ringgit/sen',
      'yuan',
      'kyat',
    ]),
    clock: { hour: 'pukul {h} {part}', minute: 'pukul {h} {m} minit {part}' },
    parts: { morning: 'pagi', afternoon: 'tengah hari', evening: 'petang', night: 'malam' },
    date: { full: '{d} {month} {y}', short: '{d} {month}' },
  },
  'zh-CN': {
    locale: 'zh',
    scales: [
      [100_000_000, '亿'],
      [10_000, '万'],
    ],
    gap: '',
    point: '点',
    percent: '百分之',
    and: '',
    currencies: currencies(['卢比', '美元', '英镑', '欧元', '澳元', '迪拉姆', '林吉特', '元', '缅元']),
    clock: { hour: '{part}{h}点', minute: '{part}{h}点{m}分' },
    parts: { morning: '上午', afternoon: '下午', evening: '晚上', night: '晚上' },
    date: { full: '{y}年{month}{d}日', short: '{month}{d}日' },
  },
  'my-MM': {
    locale: 'my',
    scales: [
      [1_000_000, 'သန်း'],
      [100_000, 'သိန်း'],
      [10_000, 'သောင်း'],
      [1_000, 'ထောင်'],
    ],
    gap: ' ',
    point: 'ဒသမ',
    percent: 'ရာခိုင်နှုန်း',
    and: '',
    currencies: currencies(['ရူပီး', 'ဒေါ်လာ/ဆင့်', 'ပေါင်', 'ယူရို', 'ဒေါ်လာ/ဆင့်', 'ဒီရမ်', 'ရင်းဂစ်', 'ယွမ်', 'ကျပ်']),
    clock: { hour: '{part} {h} နာရီ', minute: '{part} {h} နာရီ {m} မိနစ်' },
    parts: { morning: 'မနက်', afternoon: 'နေ့လယ်', evening: 'ညနေ', night: 'ည' },
    date: { full: '{y} {month} {d} ရက်', short: '{month} {d} ရက်' },
  },
  'ar-AE': {
    locale: 'ar',
    scales: [
      [1_000_000_000, 'مليار'],
      [1_000_000, 'مليون'],
      [1_000, 'ألف'],
    ],
    gap: ' ',
    point: 'فاصلة',
    percent: 'بالمئة',
    and: 'و',
    currencies: currencies([
      'روبية/بيسة',
      'دولار/سنت',
      'جنيه/بنس',
      'يورو/سنت',
      'دولار/سنت',
      'درهم/فلس',
      'رينغيت',
      'يوان',
      'كيات',
    ]),
    clock: { hour: 'الساعة {h} {part}', minute: 'الساعة {h} و {m} دقيقة {part}' },
    parts: { morning: 'صباحا', afternoon: 'ظهرا', evening: 'مساء', night: 'ليلا' },
    date: { full: '{d} {month} {y}', short: '{d} {month}' },
  },
};
