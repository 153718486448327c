/**
 * Last words that leave a phrase open: conjunctions, prepositions, articles and fillers, by base language. English ones
 * apply in every language, because callers mix it in.
 */
const OPEN_ENDINGS: Readonly<Record<string, string>> = {
  en:
    'and or but so because if when while that which who whose the a an my your his her our their to of for from ' +
    'with at in on by about into than then like um umm uh uhh er erm ah hmm well actually basically maybe plus ' +
    'dot underscore hyphen dash is are was were am i im its thats it will would can could should do does did not also until since after before',
  hi:
    'और या लेकिन मगर पर परंतु क्योंकि अगर तो कि जो जब जैसे मतलब यानी वो वह मेरा मेरी मेरे का की के को से में ' +
    'उम अम अं हम्म aur ya lekin magar par kyunki kyonki agar toh to ki jo jab jaise matlab yaani woh mera meri mere ka ke ko se mein main',
  bn: 'এবং আর বা কিন্তু কারণ যদি যে যখন মানে আমার তো উম',
  ta: 'மற்றும் அல்லது ஆனால் ஏனென்றால் அதாவது என் இந்த அந்த ம்ம்',
  te: 'మరియు లేదా కానీ ఎందుకంటే అంటే నా ఈ ఆ అయితే',
  mr: 'आणि किंवा पण कारण जर तर की जे म्हणजे माझा माझी माझे',
  kn: 'ಮತ್ತು ಅಥವಾ ಆದರೆ ಏಕೆಂದರೆ ಅಂದರೆ ನನ್ನ ಈ ಆ',
  gu: 'અને અથવા પણ કારણકે જો તો કે એટલે મારું મારી મારો',
  pa: 'ਅਤੇ ਤੇ ਜਾਂ ਪਰ ਕਿਉਂਕਿ ਜੇ ਕਿ ਮਤਲਬ ਮੇਰਾ ਮੇਰੀ',
  od: 'ଏବଂ ଓ କିମ୍ବା କିନ୍ତୁ କାରଣ ଯଦି ମାନେ ମୋର',
  ms: 'dan atau tapi tetapi kerana sebab kalau jika yang untuk dari dengan saya di ke um',
  zh: '和 或者 但是 可是 因为 如果 那个 这个 就是 然后 所以 嗯 我的',
  my: 'နဲ့ ဒါပေမဲ့ ဘာလို့လဲဆိုတော့ အဲဒါ ကျွန်တော့်',
  ar: 'و أو لكن لأن إذا أن الذي التي يعني من في على إلى مع عن',
};

/** English ones after which a turn may also be over ("Tuesday maybe", "come in"): the wait is shorter. */
const LOOSE =
  'like well actually basically maybe plus not so then in until since after before am ah hmm will would can could should do does did';

/** Those that even a full stop does not end. */
const STRONG = 'and or but because if the a an my your our of और या लेकिन क्योंकि';

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/u));
const endings = new Map(Object.entries(OPEN_ENDINGS).map(([base, words]) => [base, setOf(words)]));
const NONE: ReadonlySet<string> = new Set();

/** Open endings of the language with code `language` ("hi-IN"). */
export const openEndingsOf = (language: string): ReadonlySet<string> =>
  endings.get(language.split('-')[0] ?? '') ?? NONE;
export const ENGLISH_OPEN_ENDINGS: ReadonlySet<string> = endings.get('en') ?? NONE;
export const LOOSE_ENDINGS: ReadonlySet<string> = setOf(LOOSE);
export const STRONG_ENDINGS: ReadonlySet<string> = setOf(STRONG);
