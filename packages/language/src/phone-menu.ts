import { PHRASE_TABLES } from './phrases.ts';
import { asciiDigits } from './text.ts';

/** Digits as menus speak them: in English, then in the words of every phrase table. */
const ENGLISH_DIGITS: Readonly<Record<string, string>> = {
  zero: '0',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  star: '*',
  pound: '#',
  hash: '#',
};
const DIGITS: ReadonlyMap<string, string> = new Map([
  ...PHRASE_TABLES.flatMap(({ numbers }) =>
    numbers.flatMap(([word, value]): [string, string][] =>
      value >= 0 && value <= 9 ? [[word.normalize('NFKC').toLowerCase(), String(value)]] : [],
    ),
  ),
  ...Object.entries(ENGLISH_DIGITS),
]);
const WORD = /[\p{L}\p{M}]+|\p{Nd}|[*#]/gu;
/** Words that say nothing about an option. */
const EMPTY = new Set([
  'the',
  'a',
  'an',
  'to',
  'for',
  'of',
  'and',
  'or',
  'option',
  'department',
  'with',
  'speak',
  'talk',
]);

/** Chinese numbers stand in one run of characters with the verb. */
const HAN_KEY = /按(?:下)?([零一二三四五六七八九])/gu;
const wordsIn = (text: string): string[] =>
  asciiDigits(text).normalize('NFKC').toLowerCase().replaceAll(HAN_KEY, '按 $1 ').match(WORD) ?? [];

/**
 * The key that a menu gives an option; null: the menu has not named it. Menus say the key after the option ("for sales,
 * press two") or before it ("press two for sales"), the same way throughout.
 */
export function chosenKey(menu: string, option: string): string | null {
  const words = wordsIn(menu);
  const wanted = wordsIn(option).filter((word) => !EMPTY.has(word));
  if (wanted.length === 0) return null;
  const keys = words.flatMap((word, at) => {
    const digit = digitOf(word);
    return digit === null ? [] : [{ digit, at }];
  });
  const firstPress = words.findIndex((word) => PRESSES_FIRST.has(word));
  const isKeyFirst =
    firstPress === 0 || (firstPress > 0 && words.slice(0, firstPress).every((w) => !isLead(w)));
  let best: { digit: string; hits: number } | null = null;
  for (const [i, { digit, at }] of keys.entries()) {
    const [from, to] = isKeyFirst
      ? [at + 1, keys[i + 1]?.at ?? words.length]
      : [i === 0 ? 0 : (keys[i - 1]?.at ?? 0) + 1, at];
    const span = words.slice(from, to);
    const hits = wanted.filter((word) => span.some((said) => isSame(said, word))).length;
    if (hits > 0 && hits > (best?.hits ?? 0)) best = { digit, hits };
  }
  return best?.digit ?? null;
}

/** Verbs that may come before the key and its option; in other languages the verb comes last. */
const PRESSES_FIRST = new Set(['press', 'dial', 'tekan', 'dail', 'اضغط', 'اضغطوا']);
/** "for sales", "untuk jualan", "للمبيعات". */
const isLead = (word: string): boolean =>
  word === 'for' || word === 'to' || word === 'untuk' || word === 'bagi' || word.startsWith('لل');
const HAN = /\p{Script=Han}/u;
const isSame = (said: string, wanted: string): boolean =>
  said === wanted ||
  (HAN.test(wanted) && said.includes(wanted)) ||
  (said.startsWith('لل') && wanted.endsWith(said.slice(2)) && said.length > 4) ||
  (wanted.length >= 4 && (said.startsWith(wanted) || (said.length >= 4 && wanted.startsWith(said))));

function digitOf(word: string): string | null {
  if (/^[0-9*#]$/u.test(word)) return word;
  return DIGITS.get(word) ?? null;
}

/** A sentence about a phone menu in an agent's task. */
const ABOUT_MENU = /\b(?:phone menu|menu|ivr|phone tree|automated (?:system|menu)|automatic menu)\b/iu;
const PRESS = /\b(?:press|dial|enter|key in)\s+((?:[0-9*#](?:\s*(?:,|then|and)?\s*)){1,12})/giu;
const CHOOSE =
  /\b(?:choose|select|pick|ask for|take)\s{1,3}(?:the\s{1,3})?(?:option\s{1,3})?(?:for\s{1,3})?["“]?([\p{L}][\p{L} ]{1,40}?)["”]?(?=\s{0,3}(?:,|;|\.|$|\bthen\b|\boption\b))/giu;
const SENTENCE = /[^.\n।॥。]+/gu;

/** The same in the other languages: a phone menu, and the stems of "press" and of "choose". */
const MENUS =
  'मेन्यू मेनू मेनु आईवीआर मेन्यु মেনু মেন্যু મેનુ મેનૂ ਮੀਨੂ ਮੇਨੂ ମେନୁ மெனு மெனூ మెనూ మెను ಮೆನು 菜单 语音导航 语音菜单 قائمة القائمة မီနူး menu ivr'.split(
    ' ',
  );
const PRESSES = 'दबा दाब টিপ চাপ દબાવ ਦਬਾ ଦବା ଚିପ அழுத்த నొక్క ಒತ್ತ 按 اضغط နှိပ် tekan dail'.split(' ');
const CHOOSES = 'चुन निवड বেছে নির্বাচন પસંદ ਚੁਣ ବାଛ தேர்வு தேர்ந்தெடு ఎంచు ఎంపిక ಆಯ್ಕೆ 选择 选 اختر ရွေး pilih'.split(
  ' ',
);
const QUOTED = /["“「«]([^"“”「」«»]{1,40})["”」»]/gu;
const KEYS = /[0-9*#]+/gu;

/**
 * The way through a phone menu that an agent's task describes ("If a phone menu answers, press 2, then choose sales"):
 * keys and options in their order. Only sentences that name a menu count. Empty: the task has none.
 */
export function menuSteps(task: string): readonly MenuStep[] {
  const sentences = task.match(SENTENCE) ?? [];
  return sentences.flatMap((sentence) => {
    if (!ABOUT_MENU.test(sentence)) return foreignSteps(sentence);
    const found = [
      ...[...sentence.matchAll(PRESS)].flatMap((match) =>
        keyGroups(match[1] ?? '').map((keys) => ({ at: match.index, step: { keys } })),
      ),
      ...[...sentence.matchAll(CHOOSE)].map((match) => ({
        at: match.index,
        step: { option: (match[1] ?? '').trim() },
      })),
    ];
    return found.length === 0 ? foreignSteps(sentence) : inTurn(found);
  });
}

type MenuStep = { readonly keys: string } | { readonly option: string };
interface Found {
  readonly at: number;
  readonly step: MenuStep;
}

const inTurn = (found: readonly Found[]): MenuStep[] =>
  found.toSorted((one, other) => one.at - other.at).map(({ step }) => step);

/** In another language than English: its digits are keys where it says "press", its quotes options where it says "choose". */
function foreignSteps(sentence: string): MenuStep[] {
  const text = asciiDigits(sentence).normalize('NFKC').toLowerCase();
  const says = (stems: readonly string[]): boolean =>
    stems.some((stem) => text.includes(stem.normalize('NFKC')));
  if (!says(MENUS)) return [];
  const bare = text.replaceAll(QUOTED, (quote) => ' '.repeat(quote.length));
  const keys = says(PRESSES) ? [...bare.matchAll(KEYS)] : [];
  const options = says(CHOOSES) ? [...text.matchAll(QUOTED)] : [];
  return inTurn([
    ...keys.map((match): Found => ({ at: match.index, step: { keys: match[0] } })),
    ...options.map((match): Found => ({ at: match.index, step: { option: (match[1] ?? '').trim() } })),
  ]);
}

/** "1 then 3" are two steps, "123" is one. */
const keyGroups = (said: string): string[] => said.match(/[0-9*#]+/gu) ?? [];
