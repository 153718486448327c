import { isEnglish, type Language } from './languages.ts';
import { phrasesOf } from './phrases.ts';
import { words } from './text.ts';

const SCRIPTS: Readonly<Record<string, RegExp>> = {
  hi: /\p{Script=Devanagari}/gu,
  mr: /\p{Script=Devanagari}/gu,
  bn: /\p{Script=Bengali}/gu,
  gu: /\p{Script=Gujarati}/gu,
  pa: /\p{Script=Gurmukhi}/gu,
  od: /\p{Script=Oriya}/gu,
  ta: /\p{Script=Tamil}/gu,
  te: /\p{Script=Telugu}/gu,
  kn: /\p{Script=Kannada}/gu,
  zh: /\p{Script=Han}/gu,
  my: /\p{Script=Myanmar}/gu,
  ar: /\p{Script=Arabic}/gu,
};
const LATIN = /\p{Script=Latin}/gu;

/** Small words that a sentence of the language rarely lacks; romanised Hindi among them. */
const SMALL_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: new Set(
    'the a is are was do does did have has will would can could i you we they my your it this that what when where how please yes no not of to in for on at and or but thank thanks sorry okay'.split(
      ' ',
    ),
  ),
  hi: new Set(
    'hai hain haan han nahi nahin ji kya kab kahan kaise kitna kitne kyun kyon mera meri mujhe aap aapka main mein hum tum yeh woh theek thik accha achha acha aur lekin par ka ki ke ko se bhi raha rahi rahe karo karna kijiye chahiye baje kal aaj parson abhi bol boliye bataiye dhanyavaad shukriya namaste'.split(
      ' ',
    ),
  ),
  mr: new Set(
    'aahe nahi ho kay kadhi kuthe kasa mala tumhi tumcha mi aani pan hoy udya aaj dhanyavaad namaskar'.split(
      ' ',
    ),
  ),
  ms: new Set(
    'ya tidak saya awak anda ini itu dan di ke dari yang untuk boleh apa bila mana bagaimana berapa terima kasih sila tolong bukan belum sudah esok hari pukul encik puan'.split(
      ' ',
    ),
  ),
};

const base = (language: Language): string => language.slice(0, 2);

/**
 * Which of a call's two languages a text is in; the primary one where it does not show. Recognises scripts, and in Latin
 * script English, Malay and romanised Hindi and Marathi by their small words.
 */
export function languageOf(text: string, primary: Language, secondary: Language): Language {
  const [one, other] = [score(text, primary), score(text, secondary)];
  return other > one ? secondary : primary;
}

function score(text: string, language: Language): number {
  const own = SCRIPTS[base(language)];
  const inScript = own === undefined ? 0 : (text.match(own)?.length ?? 0);
  const latin = text.match(LATIN)?.length ?? 0;
  const small = SMALL_WORDS[base(language)];
  const known = small === undefined ? 0 : words(text).filter((word) => small.has(word)).length;
  if (inScript > 0) return inScript > latin ? 100 + inScript : 10 + known;
  // A language in Latin script owns Latin letters, another one only where its small words are romanised.
  const isLatin = isEnglish(language) || phrasesOf(language).locale === 'ms';
  return known + (isLatin && latin > 0 ? 0.5 : 0);
}
