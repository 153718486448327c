import type { Language } from './languages.ts';
import { isOpenQuestion } from './open-questions.ts';
import { phrasesOf } from './phrases.ts';
import { choicesOf, expectedAnswer, type AnswerKind } from './question-kind.ts';
import { hasPhrase, normal, normalPhrase, sentences } from './text.ts';

/** The answer that a spoken line asks for: its kinds, the phrases to listen for, and the choices in the order of keys. */
export interface ExpectedOfLine {
  readonly kinds: readonly Exclude<AnswerKind, 'rest'>[];
  readonly phrases: readonly string[];
  readonly choices: readonly string[];
}

const MAX_LINE = 1000;
const QUESTION = /[?？؟]["'”’»」)]*$/u;
const SLOTS = ['time', 'date', 'name', 'digits', 'number'] as const;

/** "Press 1 for morning, or 2 for evening": the choices by key. */
const KEY =
  /\b(?:press|key in|enter|dial|or|,) ?(?:the )?(?:number |key )?([1-9]) (?:for|if|to) ([^,.;?!]{1,60})/gi;

/**
 * What the caller may answer to a line of the agent, from its wording alone; null: the line asks for nothing. English is
 * read by rules, other languages by the question words of their phrase tables.
 */
export function expectedOfLine(line: string, language: Language): ExpectedOfLine | null {
  const text = line.slice(-MAX_LINE);
  const table = phrasesOf(language);
  const keyed = keyedChoices(text);
  if (keyed.length > 1) return ofKeys(keyed);
  const question = sentences(text).findLast((sentence) => QUESTION.test(sentence));
  if (question === undefined)
    return asksForKeys(text) ? { kinds: ['digits'], phrases: [], choices: [] } : null;
  if (table.locale === 'en') return englishQuestion(question);
  const words = normal(question);
  const slot = SLOTS.find((kind) =>
    table.slotQuestions[kind].some((word) => hasPhrase(words, normalPhrase(word))),
  );
  if (slot === 'date') return { kinds: ['date', 'time'], phrases: [], choices: [] };
  const other = isOpenQuestion(question, table) ? 'free' : 'yes_no';
  return { kinds: [slot ?? other], phrases: [], choices: [] };
}

function englishQuestion(question: string): ExpectedOfLine {
  const { answer, choices } = expectedAnswer(question);
  switch (answer) {
    case 'choice':
      return { kinds: ['choice'], phrases: choices.flatMap(withShortForms), choices };
    case 'date':
      return { kinds: ['date', 'time'], phrases: [], choices: [] };
    case 'free':
    case 'rest':
      return { kinds: ['free'], phrases: [], choices: choicesOf(question) };
    case 'yes_no':
    case 'number':
    case 'digits':
    case 'time':
    case 'name':
      break;
  }
  return { kinds: [answer], phrases: [], choices: [] };
}

function keyedChoices(text: string): string[] {
  const found: string[] = [];
  for (const [, digit = '', choice = ''] of text.matchAll(KEY)) {
    if (Number(digit) !== found.length + 1) continue;
    found.push(choice.replace(/(?<!\s)\s+(?:and|or)$/i, '').trim());
  }
  return found;
}

function ofKeys(choices: readonly string[]): ExpectedOfLine {
  const [first = '', second = ''] = choices.map((choice) => choice.toLowerCase());
  const isYesNo = choices.length === 2 && /^yes\b/.test(first) && /^no\b/.test(second);
  const kinds = isYesNo ? (['yes_no'] as const) : (['choice'] as const);
  return { kinds, phrases: isYesNo ? [] : choices.flatMap(withShortForms), choices };
}

/** "Please key in your budget, then press hash." */
const asksForKeys = (text: string): boolean =>
  /\b(?:key in|type in|enter|punch in)\b/i.test(text) || /\bpress (?:the )?(?:hash|pound)\b/i.test(text);

/** "the morning slot" → also "the morning" and "morning": callers repeat a part of a choice. */
function withShortForms(choice: string): string[] {
  const bare = choice.replace(/^(?:the|a|an|in the|on|at|by) /i, '');
  const short = bare.replace(/ (?:one|slot|option|appointment|please)$/i, '');
  return [...new Set([choice, bare, short])].filter((form) => form.length > 1);
}

/** Amounts of money go beyond the numbers that a recogniser of phrases knows. */
const MONEY = /\b(?:budgets?|salary|salaries|income|turnover|revenue|amounts?|loan|rent)\b/i;

/** Whether a recogniser of phrases understands the answers to a question of this kind. */
export const isHeardByPhrases = (question: string, answer: AnswerKind): boolean =>
  answer !== 'name' && answer !== 'free' && !(answer === 'number' && MONEY.test(question));

/** Whether an answer cannot be recognised where only phrases can: a name, an explanation, an amount of money. */
export function isUnrecognisable(expected: Pick<ExpectedOfLine, 'kinds'> | null): boolean {
  const kinds = expected?.kinds ?? [];
  return kinds.length > 0 && kinds.every((kind) => kind === 'name' || kind === 'free');
}
