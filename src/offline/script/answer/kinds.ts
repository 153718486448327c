import { hasPhrase, normal, numberIn, type PhraseTable, readTime } from '@callwright/language';
import type { QuestionData } from './question-data.ts';
import type { Kind } from './terms.ts';

const UNSPACED = /[\p{Script=Han}\p{Script=Myanmar}]/u;
const KINDS: readonly Kind[] = ['duration', 'amount', 'price', 'time', 'place', 'contact', 'person'];
/** A day or hour may answer "how long", and a number of days "when". */
const ALSO: Readonly<Partial<Record<Kind, Kind>>> = { time: 'duration', duration: 'time' };
const MONEY = /[$€£₹¥]\s*\d|\d\s*[$€£₹¥]|\b(?:usd|eur|gbp|inr|aed|myr|rm|rs)\.? ?\d/iu;
const STREET = /\b\d{1,5} \p{Lu}\p{L}|\p{L} (?:Street|Road|Avenue|Lane|Square|Drive|Boulevard)\b/u;
const NATIVE_NUMBER = /\p{Nd}/u;
const NUMBER_OR_ADDRESS = /(?:\d[\s-]?){6,}|\S@\S|\bwww\.|\.com\b/iu;
/** "How much notice" asks for no price. */
const HOW_MUCH_OF =
  /\bhow much (?!is|are|does|do|did|would|will|to|for|it|its|money|you|your|i|we|can|a|an|the|more\b)[a-z]+/;

/** "What if I am out when he rings" asks for no time. */
const ASKS_WHEN =
  /(?:^|\b(?:and|so|but|or|ok|okay|know|tell me|say|ask|exactly|until|till|from|since|wondering|about|just) )when\b/;
/** "Between eight and four". */
const HOUR =
  '(?:\\d{1,2}(?::\\d\\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)';
const HOURS = new RegExp(`\\b${HOUR}(?: (?:am|pm|in the \\w+))? (?:to|and|until|till) ${HOUR}\\b`, 'i');
/** An amount of money is no hour. */
const AMOUNT =
  /\d (?:dollars?|cents?|euros?|pounds?|rupees?|percent|dirhams?|ringgit|kilos?|metres?|meters?|miles?)/giu;

const phrases = new WeakMap<QuestionData, readonly { kind: Kind; phrase: string }[]>();
/** The phrases of all kinds, the longest first. */
function phrasesOf(data: QuestionData): readonly { kind: Kind; phrase: string }[] {
  const known =
    phrases.get(data) ??
    KINDS.flatMap((kind) => data.kinds[kind].map((phrase) => ({ kind, phrase: normal(phrase) }))).toSorted(
      (a, b) => b.phrase.length - a.phrase.length,
    );
  phrases.set(data, known);
  return known;
}

/** What a question asks for, and the question without the words that say so. */
export function wantsOf(question: string, data: QuestionData): { wants: Kind[]; rest: string } {
  let rest = normal(question);
  const wants: Kind[] = [];
  for (const { kind, phrase } of phrasesOf(data)) {
    if (!hasPhrase(rest, phrase)) continue;
    if (phrase === 'how much' && HOW_MUCH_OF.test(rest)) continue;
    if (phrase === 'when' && !ASKS_WHEN.test(rest)) continue;
    if (!wants.includes(kind)) wants.push(kind);
    rest = UNSPACED.test(phrase) ? rest.replace(phrase, ' ') : ` ${rest} `.replace(` ${phrase} `, ' ').trim();
  }
  return { wants, rest };
}

/** How many words of a sentence name each kind. */
export function shownBy(
  text: string,
  { shows }: QuestionData,
  table: PhraseTable,
): ReadonlyMap<Kind, number> {
  const line = normal(text);
  const found = new Map<Kind, number>();
  const add = (kind: Kind, count: number): void => {
    if (count > 0) found.set(kind, (found.get(kind) ?? 0) + count);
  };
  for (const kind of KINDS) add(kind, shows[kind].filter((word) => hasPhrase(line, normal(word))).length);
  if (MONEY.test(text) || (found.has('price') && numberIn(text) !== null)) add('price', 1);
  if (NUMBER_OR_ADDRESS.test(text)) add('contact', 1);
  if (STREET.test(text)) add('place', 3);
  if (numberIn(text) !== null || NATIVE_NUMBER.test(text)) add('amount', 1);
  const { day, clock } = readTime(text.replaceAll(AMOUNT, ' '), table);
  if (day !== null || clock !== null || HOURS.test(text)) add('time', 1);
  return found;
}

/** Whether a sentence that names these kinds answers a question for one. */
export const isShown = (shown: ReadonlyMap<Kind, number>, kind: Kind): boolean => {
  const other = ALSO[kind];
  return shown.has(kind) || (other !== undefined && shown.has(other));
};
