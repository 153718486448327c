import type { Language } from './languages.ts';
import type { ExpectedOfLine } from './expected-line.ts';
import { phrasesOf } from './phrases.ts';

/** Keys go up to 9; more choices are too many to remember. */
const MOST_CHOICES = 9;

/**
 * How to answer by keys ("Press 1 for yes, or 2 for no."), in the call's language; empty: keys cannot give the answer.
 * `isNew`: says first that speech is not understood.
 */
export function keypadOffer(
  expected: Partial<ExpectedOfLine> | null,
  language: Language,
  isNew: boolean,
): string {
  const { say } = phrasesOf(language).script;
  const help = helpFor(expected, say);
  return help === '' || !isNew ? help : `${say.keypadOnly[0] ?? ''} ${help}`.trim();
}

function helpFor(
  expected: Partial<ExpectedOfLine> | null,
  say: ReturnType<typeof phrasesOf>['script']['say'],
): string {
  const kinds = expected?.kinds ?? [];
  const choices = (expected?.choices ?? []).slice(0, MOST_CHOICES);
  if (choices.length > 1 && !kinds.includes('yes_no')) {
    const line = say.pressChoice[0] ?? '';
    return choices
      .map((choice, at) => line.replace('{digit}', String(at + 1)).replace('{choice}', () => choice))
      .join(' ');
  }
  if (kinds.includes('yes_no')) return say.pressYesNo[0] ?? '';
  if (kinds.includes('digits') || kinds.includes('number')) return say.pressNumber[0] ?? '';
  if (kinds.includes('date')) return say.pressDay[0] ?? '';
  return kinds.includes('time') ? (say.pressHour[0] ?? '') : '';
}
