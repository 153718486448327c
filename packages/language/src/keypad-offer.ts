import type { Language } from './languages.ts';
import type { ExpectedOfLine } from './expected-line.ts';
import { phrasesOf } from './phrases.ts';
import type { KeypadPhrases } from './phrases/phrase-table.ts';

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
  const { keypad } = phrasesOf(language);
  const help = helpFor(expected, keypad);
  return help === '' || !isNew ? help : `${keypad.keypadOnly} ${help}`;
}

function helpFor(expected: Partial<ExpectedOfLine> | null, keypad: KeypadPhrases): string {
  const kinds = expected?.kinds ?? [];
  const choices = (expected?.choices ?? []).slice(0, MOST_CHOICES);
  if (choices.length > 1 && !kinds.includes('yes_no')) {
    const line = keypad.pressChoice;
    return choices
      .map((choice, at) => line.replace('{digit}', String(at + 1)).replace('{choice}', () => choice))
      .join(' ');
  }
  if (kinds.includes('yes_no')) return keypad.pressYesNo;
  if (kinds.includes('digits') || kinds.includes('number')) return keypad.pressNumber;
  if (kinds.includes('date')) return keypad.pressDay;
  return kinds.includes('time') ? keypad.pressHour : '';
}
