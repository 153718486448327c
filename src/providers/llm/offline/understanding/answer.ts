import { asciiDigits, hasPhrase, normal, words } from '../text.ts';
import { dateIn, timeIn, weekdays } from './calendar.ts';
import { digitsIn, numberIn, ordinalIn } from './numbers.ts';
import { english } from '../wording/en.ts';
import type { AnswerKind } from '../script.ts';
import type { LanguageData } from '../wording/types.ts';

export interface CallerLine {
  text: string;
  by: 'speech' | 'keypad' | 'text';
}
export type Understood =
  | { type: 'yes' }
  | { type: 'no' }
  /** The caller cannot say. */
  | { type: 'unknown' }
  | { type: 'value'; value: string };

/** Yes or no in the agent's language or English; null when neither, or unclear. */
export function polarity(text: string, language: LanguageData): 'yes' | 'no' | null {
  const line = normal(text)
    .replace(
      /\b(?:no (?:problem|worries|issues?)|not a problem|why not|dont mind|do not mind|not at all)\b/g,
      'yes',
    )
    .replace(/\b(?:not sure|dont know|do not know|no idea|not certain)\b/g, ' ');
  const has = (list: readonly string[]): boolean => list.some((phrase) => hasPhrase(line, normal(phrase)));
  if (language.locale !== 'en') {
    // "没问题" holds a no but means yes: the longer phrase decides.
    const overriding = language.yes.some(
      (yes) => hasPhrase(line, normal(yes)) && language.no.some((no) => yes.includes(no)),
    );
    if (has(language.no) && !overriding) return 'no';
    if (has(language.yes)) return 'yes';
  }
  if (has(english.no)) return 'no';
  return has(english.yes) ? 'yes' : null;
}

/** Reads a caller's line as an answer of the wanted kind; null when it is none. */
export function understand(
  line: CallerLine,
  wanted: { answer: AnswerKind; choices: readonly string[] },
  language: LanguageData,
): Understood | null {
  if (line.by === 'keypad') return keypadAnswer(line.text, wanted, language);
  const text = line.text.trim();
  if (text === '') return null;
  const value = valueOf(text, wanted, language);
  if (value !== null) return { type: 'value', value };
  if (
    /\b(?:not sure|(?:dont|do not|don't) know|no idea|can't say|cannot say|doesn't matter|no preference|not certain|maybe|perhaps)\b/i.test(
      text,
    )
  )
    return { type: 'unknown' };
  const answer = polarity(text, language);
  return answer === null ? null : { type: answer };
}

function valueOf(
  text: string,
  wanted: { answer: AnswerKind; choices: readonly string[] },
  language: LanguageData,
): string | null {
  switch (wanted.answer) {
    case 'yes_no':
      break;
    case 'choice':
      return choiceIn(text, wanted.choices);
    case 'number': {
      const number = numberIn(asciiDigits(text)) ?? nativeNumber(text, language);
      return number === null ? null : String(number);
    }
    case 'digits':
      return digitsIn(text);
    case 'date': {
      const date = dateIn(text, language);
      const time =
        date === null || /\d\s*(?:st|nd|rd|th)\b/.test(text) ? null : timeBeside(text, date, language);
      return date === null ? null : [date, time].filter((part) => part !== null).join(' ');
    }
    case 'time':
      return timeIn(text, language);
    case 'name':
      return nameIn(text, language);
    case 'free':
    case 'rest':
      return polarity(text, language) !== null && words(text).length <= 2 ? null : text.slice(0, 300);
  }
  return null;
}

/** A time said with a day ("Tuesday at three"). */
function timeBeside(text: string, date: string, language: LanguageData): string | null {
  const rest = normal(text).replace(normal(date), ' ');
  const marked =
    /\b(?:at|around|by)\s+(.+)$/.exec(rest)?.[1] ??
    /\b(\S+ (?:am|pm)|\S+ o ?clock|morning|afternoon|evening|noon)\b/.exec(rest)?.[1];
  if (marked === undefined || language.locale !== 'en') return null;
  // "In the evening at eight": what comes before the hour says which of the two it is.
  const part = /\b(?:morning|afternoon|evening|night)\b/.exec(rest)?.[0];
  const whole = part === undefined || marked.includes(part) ? marked : `${marked} in the ${part}`;
  const time = timeIn(whole, language);
  return time === null ? null : /^(?:morning|afternoon|evening|night)$/.test(time) ? time : `at ${time}`;
}

function nativeNumber(text: string, language: LanguageData): number | null {
  const line = normal(text);
  return language.numbers.find(([word]) => hasPhrase(line, normal(word)))?.[1] ?? null;
}

function choiceIn(text: string, choices: readonly string[]): string | null {
  const line = normal(text);
  const exact = choices.filter((choice) => hasPhrase(line, normal(choice)));
  if (exact.length === 1) return exact[0] ?? null;
  const heard = new Set(words(text));
  const scored = choices.map(
    (choice) => words(choice).filter((word) => heard.has(word) && word.length > 2).length,
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

function nameIn(text: string, language: LanguageData): string | null {
  const name = text
    .replace(NAME_LEAD, '')
    .replace(/[.,!?]+$/, '')
    .trim();
  const count = words(name).length;
  if (count === 0 || count > 5 || /\d/.test(name)) return null;
  return polarity(name, language) !== null
    ? null
    : name.replace(/(^|[\s-])([a-z])/g, (_, gap: string, first: string) => gap + first.toUpperCase());
}

function keypadAnswer(
  keys: string,
  wanted: { answer: AnswerKind; choices: readonly string[] },
  language: LanguageData,
): Understood | null {
  const digits = keys.replace(/[^0-9]/g, '');
  if (digits === '') return null;
  const number = Number(digits);
  switch (wanted.answer) {
    case 'yes_no':
    case 'free':
    case 'rest':
    case 'name':
      return number === 1 ? { type: 'yes' } : number === 2 ? { type: 'no' } : null;
    case 'choice': {
      const choice = wanted.choices[number - 1];
      return choice === undefined ? null : { type: 'value', value: choice };
    }
    case 'number':
    case 'digits':
      return { type: 'value', value: wanted.answer === 'number' ? String(number) : digits };
    case 'date': {
      const day = weekdays(language.locale)[number - 1];
      return day === undefined ? null : { type: 'value', value: day };
    }
    case 'time':
      break;
  }
  return keypadTime(digits, language);
}

function keypadTime(digits: string, language: LanguageData): Understood | null {
  const hour = Number(digits.length > 2 ? digits.slice(0, -2) : digits);
  const minute = digits.length > 2 ? Number(digits.slice(-2)) : 0;
  if (hour > 24 || minute > 59) return null;
  const clock = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  if (language.locale !== 'en') return { type: 'value', value: `${hour}${clock === '' ? ':00' : clock}` };
  return {
    type: 'value',
    value: `${hour % 12 === 0 ? 12 : hour % 12}${clock} ${hour >= 12 && hour < 24 ? 'pm' : 'am'}`,
  };
}
