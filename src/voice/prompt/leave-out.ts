import { type Language, conversationPhrases, normal, sentences } from '@callwright/language';
import { toUse, valueOf, VARIABLE } from '../../shared/variables.ts';
import { cleanValue } from './render.ts';

/** Stands for a variable without a value while a text is mended. */
const GAP = '\uFFFC';
/** Values are characters of the private use area meanwhile, so that their full stops end no sentence. */
const FIRST_VALUE = 0xe000;
const MOST_VALUES = 6_000;
const MASKS = /[\uE000-\uF8FF]/gu;

/**
 * A text with its variables rendered, of which nothing is spoken that lacks a value: the smallest part that can go
 * leaves with the variable, which is a name beside a greeting, an English prepositional phrase, or the sentence. Lines
 * with a step's number keep the number. Pure; an empty result means that nothing was left.
 */
export function speakable(
  text: string,
  values: Readonly<Record<string, string>>,
  language: Language,
): string {
  const shown: string[] = [];
  const masked = text.replaceAll(MASKS, '').replaceAll(VARIABLE, (...match: string[]) => {
    const { name, fallback } = toUse(match);
    const value = cleanValue(valueOf(values, name) ?? fallback ?? '');
    if (value === '') return GAP;
    if (shown.length >= MOST_VALUES) return value;
    shown.push(value);
    return String.fromCharCode(FIRST_VALUE + shown.length - 1);
  });
  const mended = masked.includes(GAP)
    ? masked
        .split('\n')
        .flatMap((line) => mendLine(line, language) ?? [])
        .join('\n')
    : masked;
  return mended.replaceAll(MASKS, (mask) => shown[mask.charCodeAt(0) - FIRST_VALUE] ?? '');
}

/** The first message: never empty where the agent has one. */
export function spokenFirst(
  text: string,
  values: Readonly<Record<string, string>>,
  language: Language,
): string {
  const spoken = speakable(text, values, language).trim();
  return spoken === '' && text.trim() !== '' ? (GREETINGS[language.slice(0, 2)] ?? 'Hello.') : spoken;
}

const GREETINGS: Readonly<Record<string, string>> = {
  en: 'Hello.',
  hi: 'नमस्ते।',
  ta: 'வணக்கம்.',
  te: 'నమస్కారం.',
  bn: 'নমস্কার।',
  mr: 'नमस्कार।',
  kn: 'ನಮಸ್ಕಾರ.',
  gu: 'નમસ્તે.',
  pa: 'ਸਤ ਸ੍ਰੀ ਅਕਾਲ।',
  od: 'ନମସ୍କାର।',
  ms: 'Helo.',
  zh: '您好。',
  my: 'မင်္ဂလာပါ။',
  ar: 'مرحبا.',
};

/** A step's number, a bullet or a speaker before the words of a line. */
const HEAD = /^\s*(?:(?:step\s*)?\d{1,2}\s*[.):]\s*|[-*•–]\s+|#{1,4}\s+|\p{L}{1,12}:\s+)?/iu;
const NUMBERED = /\d/u;

/** The line without what lacks a value; null: nothing of it is left. */
function mendLine(line: string, language: Language): string | null {
  if (!line.includes(GAP)) return line;
  const head = HEAD.exec(line)?.[0] ?? '';
  if (head.includes(GAP)) return null;
  const body = line.slice(head.length);
  let from = 0;
  let mended = '';
  for (const sentence of sentences(body)) {
    const at = body.indexOf(sentence, from);
    const blank = body.slice(from, at);
    from = at + sentence.length;
    const kept = mendSentence(sentence, language);
    if (kept !== null) mended += mended === '' ? kept : blank + kept;
  }
  if (mended !== '') return head + mended;
  return NUMBERED.test(head) ? head.trimEnd() : null;
}

const QUOTED = /(["“])([^"“”]*)(["”])/u;

function mendSentence(sentence: string, language: Language): string | null {
  if (!sentence.includes(GAP)) return sentence;
  const quoted = QUOTED.exec(sentence);
  if (quoted?.[2]?.includes(GAP) === true) {
    const inner = mendLine(quoted[2], language);
    if (inner === null || inner.trim() === '') return null;
    return mendSentence(sentence.replace(quoted[0], `${quoted[1]}${inner}${quoted[3]}`), language);
  }
  const isEnglish = language.startsWith('en');
  const short = isEnglish ? withoutPhrases(sentence) : sentence;
  const whole = short.includes(GAP) ? withoutNames(short, language) : short;
  return whole === null ? null : tidied(whole, sentence);
}

const PREPOSITION = 'on|at|for|by|in|from|with|about|until|till|before|after|since|around|regarding|near';
const DETERMINER = 'the|your|our|a|an|this|next|dr\\.?|mr\\.?|mrs\\.?|ms\\.?|miss';
/** What may follow the phrase: another one, a conjunction, or the verb of the sentence. */
const FOLLOWING =
  'and|or|but|so|if|because|is|are|was|were|will|has|have|had|can|could|would|should|do|does|did|still|please|today|tomorrow|again';
/** Words that a phrase completes: without it the sentence says nothing ("it is on …", "speaking with …"). */
const INCOMPLETE = new Set(
  "is are was were be been being am it's that's this there here not only just speaking speak talking talk looking waiting interested and or but than as located worth i'm we're you're".split(
    ' ',
  ),
);
const PHRASE = new RegExp(
  `([\\p{L}\\p{M}\\p{N}'’\\uE000-\\uF8FF]{1,40})\\s{1,3}(?:${PREPOSITION})\\s{1,3}(?:(?:${DETERMINER})\\s{1,3})?${GAP}(?=\\s{0,3}(?:[.,;:!?…]|$)|\\s{1,3}(?:${FOLLOWING}|${PREPOSITION})\\b)`,
  'giu',
);

/** An English sentence without the prepositional phrases that lack a value, as far as it is whole without them. */
function withoutPhrases(sentence: string): string {
  let before = '';
  let text = sentence;
  // Two phrases in a row overlap in the word between them, so one pass does not find both.
  for (let pass = 0; pass < 8 && text !== before; pass += 1) {
    before = text;
    text = text.replaceAll(PHRASE, (whole: string, word: string, at: number, all: string) =>
      INCOMPLETE.has(word.toLowerCase().replaceAll('’', "'")) ||
      isStump(all, at + word.length, at + whole.length)
        ? whole
        : word,
    );
  }
  return text;
}

const FEWEST_WORDS = 3;
/** Whether the clause that would end at `to` is too short to be one: "your appointment". */
function isStump(text: string, to: number, next: number): boolean {
  if (/^\s{0,3}\p{L}/u.test(text.slice(next, next + 4))) return false;
  const clause = text.slice(0, to).split(SEPARATORS).at(-1) ?? '';
  return clause.trim().split(/\s+/u).length < FEWEST_WORDS;
}

const SEPARATORS = /([,،、，;；])/u;
const END_MARK = /[\s.!?…।॥。！？؟။]/u;
/** The marks and blanks that end a sentence. */
function endOf(sentence: string): string {
  let at = sentence.length;
  while (at > 0 && END_MARK.test(sentence.charAt(at - 1))) at -= 1;
  return sentence.slice(at);
}
const HONORIFICS =
  /(?<![\p{L}\p{M}])(?:mr|mrs|ms|miss|dr|sir|madam|encik|puan|cik|ji|जी|श्री|श्रीमती|साहब|ஐயா|அவர்களே|గారు|গারু|বাবু|সাহেব|ಅವರೇ|સાહેબ|ભાઈ|ਜੀ|ବାବୁ|السيد|السيدة|أستاذ)\.?(?![\p{L}\p{M}])|先生|女士|小姐/giu;
const MORE_GREETINGS = [
  'good morning',
  'good afternoon',
  'good evening',
  'good day',
  'hi there',
  'hello there',
  'thank you',
  'thanks',
  'goodbye',
  'bye',
  'सुप्रभात',
  '早上好',
  '下午好',
  'صباح الخير',
  'مساء الخير',
];
const greetingsOf = new Map<string, ReadonlySet<string>>();
function isGreeting(words: string, language: Language): boolean {
  let known = greetingsOf.get(language);
  if (known === undefined) {
    const { greetings, farewells } = conversationPhrases(language);
    known = new Set([...greetings, ...farewells, ...MORE_GREETINGS].map((phrase) => normal(phrase)));
    greetingsOf.set(language, known);
  }
  return known.has(normal(words));
}

/**
 * The sentence without names that lack a value, beside a greeting or between commas; of a greeting and a clause without
 * its value the greeting is left. Null: neither.
 */
function withoutNames(sentence: string, language: Language): string | null {
  const end = endOf(sentence);
  const parts = sentence.slice(0, sentence.length - end.length).split(SEPARATORS);
  const kept: { text: string; separator: string; isGreeting: boolean }[] = [];
  let lost = false;
  for (let at = 0; at < parts.length; at += 2) {
    const part = parts[at] ?? '';
    const separator = parts[at - 1] ?? '';
    const bare = part.replaceAll(GAP, ' ').replaceAll(HONORIFICS, ' ');
    const words = bare.replaceAll(MASKS, ' ').trim();
    const greets = isGreeting(words, language);
    if (!part.includes(GAP)) kept.push({ text: part, separator, isGreeting: greets });
    else if (greets) kept.push({ text: bare, separator, isGreeting: true });
    else if (bare.trim() !== '') lost = true;
  }
  const isOnlyGreeting = kept.length > 0 && kept.every((part) => part.isGreeting);
  if (kept.length === 0 || (lost && !isOnlyGreeting)) return null;
  const text = kept.map(({ text: words, separator }, at) => (at === 0 ? words : separator + words)).join('');
  return text + (lost ? fullStop(language) : end);
}

/** A question whose clause is gone ends as a statement. */
function fullStop(language: Language): string {
  if (language === 'zh-CN') return '。';
  if (language === 'my-MM') return '။';
  return ['hi-IN', 'bn-IN', 'od-IN', 'pa-IN', 'mr-IN'].includes(language) ? '।' : '.';
}

/** Blanks and marks as of a sentence that was never longer. */
function tidied(text: string, before: string): string | null {
  const plain = text
    .replaceAll(/[ \t]{2,}/gu, ' ')
    .replaceAll(/ (?=[,،、，;；.!?।。！？؟။])/gu, '')
    .replaceAll(/(?<![,،、，;；])[,،、，;；]{1,8}(?=[.!?।。！？؟။])/gu, '')
    .replace(/^[\s,،、，;；.]+/u, '')
    .trim();
  if (!/[\p{L}\p{N}\uE000-\uF8FF]/u.test(plain)) return null;
  const isCapital = /^\P{L}*\p{Lu}/u.test(before) || before.trimStart().startsWith(GAP);
  return isCapital ? plain.charAt(0).toUpperCase() + plain.slice(1) : plain;
}
