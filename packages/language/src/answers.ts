import { inNativeScript } from './romanised.ts';
import { asciiDigits, hasPhrase, normal, normalPhrase, words } from './text.ts';
import { weekdays } from './time/calendar.ts';
import { dayAndTime, readTime, timeIn } from './time/spoken-time.ts';
import { digitsIn, numberIn, ordinalIn } from './numbers.ts';
import { ENGLISH } from './phrases.ts';
import type { AnswerKind } from './question-kind.ts';
import type { PhraseTable } from './phrases/phrase-table.ts';

export interface CallerLine {
  text: string;
  by: 'speech' | 'keypad' | 'text';
}
export type Understood =
  | { type: 'yes' }
  | { type: 'no' }
  /** The caller has no answer ("I am not sure"). */
  | { type: 'unknown' }
  | { type: 'value'; value: string };

/** Yes or no in the agent's language or English; null when neither, or unclear. */
export function polarity(text: string, table: PhraseTable): 'yes' | 'no' | null {
  const line = normal(text)
    .replace(
      /\b(?:no (?:problem|worries|issues?)|not a problem|why not|dont mind|do not mind|not at all)\b/g,
      'yes',
    )
    .replace(/\b(?:not sure|dont know|do not know|no idea|not certain)\b/g, ' ');
  const has = (list: readonly string[]): boolean =>
    list.some((phrase) => hasPhrase(line, normalPhrase(phrase)));
  if (table.locale !== 'en') {
    // "没问题" holds a no but means yes: the longer phrase decides.
    const overriding = table.yes.some(
      (yes) => hasPhrase(line, normalPhrase(yes)) && table.no.some((no) => yes.includes(no)),
    );
    if (has(table.no) && !overriding) return 'no';
    if (has(table.yes)) return 'yes';
  }
  if (has(ENGLISH.no)) return 'no';
  return has(ENGLISH.yes) ? 'yes' : null;
}

/** Reads a caller's line as an answer of the wanted kind; null when it is none. */
export function understand(
  line: CallerLine,
  expected: { answer: AnswerKind; choices: readonly string[] },
  table: PhraseTable,
): Understood | null {
  if (line.by === 'keypad') return keypadAnswer(line.text, expected, table);
  const text = line.text.trim();
  if (text === '') return null;
  const value = valueOf(text, expected, table);
  if (value !== null) return { type: 'value', value };
  if (
    /\b(?:not sure|(?:dont|do not|don't) know|no idea|can't say|cannot say|doesn't matter|no preference|not certain|maybe|perhaps)\b/i.test(
      text,
    )
  )
    return { type: 'unknown' };
  const answer = polarity(text, table);
  return answer === null ? null : { type: answer };
}

function valueOf(
  text: string,
  expected: { answer: AnswerKind; choices: readonly string[] },
  table: PhraseTable,
): string | null {
  switch (expected.answer) {
    case 'yes_no':
      break;
    case 'choice':
      return choiceIn(text, expected.choices);
    case 'number': {
      const number = numberIn(asciiDigits(text)) ?? nativeNumber(text, table);
      return number === null ? null : String(number);
    }
    case 'digits':
      return digitsIn(text);
    case 'date': {
      const { day, clock } = readTime(text, table, { isAnswer: true });
      // Read-backs include the hour in English only.
      return day === null ? null : dayAndTime(day.text, table.locale === 'en' ? (clock?.text ?? null) : null);
    }
    case 'time':
      return timeIn(text, table);
    case 'name':
      return nameIn(text, table);
    case 'free':
    case 'rest':
      return polarity(text, table) !== null && words(text).length <= 2 ? null : text.slice(0, 300);
  }
  return null;
}

function nativeNumber(text: string, table: PhraseTable): number | null {
  const line = normal(inNativeScript(text, table));
  return table.numbers.find(([word]) => hasPhrase(line, normalPhrase(word)))?.[1] ?? null;
}

function choiceIn(text: string, choices: readonly string[]): string | null {
  const line = normal(text);
  const exact = choices.filter((choice) => hasPhrase(line, normal(choice)));
  if (exact.length === 1) return exact[0] ?? null;
  const spokenWords = new Set(words(text));
  const scored = choices.map(
    (choice) => words(choice).filter((word) => spokenWords.has(word) && word.length > 2).length,
  );
  const best = Math.max(...scored);
  if (best > 0 && scored.filter((score) => score === best).length === 1)
    return choices[scored.indexOf(best)] ?? null;
  if (/\blast\b|\blatter\b/.test(line)) return choices.at(-1) ?? null;
  const position = /\bformer\b/.test(line)
    ? 1
    : (ordinalIn(words(text)) ??
      (/\b(?:option|number)\b/.test(line) || words(text).length === 1 ? numberIn(line) : null));
  return position === null ? null : (choices[position - 1] ?? null);
}

const NAME_LEAD =
  /^(?:(?:yes|hi|hello|sure|ok|okay|um|uh|well|so)[\s,]+)*(?:(?:my|the|full|first)\s+(?:full\s+|first\s+)?name(?:['’]s| is)|this is|i am|i['’]m|it['’]s|it is|name is|call me|you can call me|its|im)\s+/i;

function nameIn(text: string, table: PhraseTable): string | null {
  const name = text
    .replace(NAME_LEAD, '')
    .replace(/(?<![.,!?])[.,!?]+$/, '')
    .trim();
  const count = words(name).length;
  if (count === 0 || count > 5 || /\d/.test(name)) return null;
  return polarity(name, table) !== null
    ? null
    : name.replace(/(^|[\s-])([a-z])/g, (_, gap: string, first: string) => gap + first.toUpperCase());
}

function keypadAnswer(
  keys: string,
  expected: { answer: AnswerKind; choices: readonly string[] },
  table: PhraseTable,
): Understood | null {
  const digits = keys.replace(/[^0-9]/g, '');
  if (digits === '') return null;
  const number = Number(digits);
  switch (expected.answer) {
    case 'yes_no':
    case 'free':
    case 'rest':
    case 'name':
      return number === 1 ? { type: 'yes' } : number === 2 ? { type: 'no' } : null;
    case 'choice': {
      const choice = expected.choices[number - 1];
      return choice === undefined ? null : { type: 'value', value: choice };
    }
    case 'number':
    case 'digits':
      return { type: 'value', value: expected.answer === 'number' ? String(number) : digits };
    case 'date': {
      const day = weekdays(table.locale)[number - 1];
      return day === undefined ? null : { type: 'value', value: day };
    }
    case 'time':
      break;
  }
  return keypadTime(digits, table);
}

function keypadTime(digits: string, table: PhraseTable): Understood | null {
  const hour = Number(digits.length > 2 ? digits.slice(0, -2) : digits);
  const minute = digits.length > 2 ? Number(digits.slice(-2)) : 0;
  if (hour > 24 || minute > 59) return null;
  const clock = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  if (table.locale !== 'en') return { type: 'value', value: `${hour}${clock === '' ? ':00' : clock}` };
  return {
    type: 'value',
    value: `${hour % 12 === 0 ? 12 : hour % 12}${clock} ${hour >= 12 && hour < 24 ? 'pm' : 'am'}`,
  };
}
