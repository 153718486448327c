import { normalPhrase } from '../text.ts';

/**
 * How scripts in one language speak to the agent, and how to the caller. Forms are words or phrases in `normal` form; a star
 * at an end stands for more letters. Scripts without spaces are searched for them anywhere.
 */
export interface CommandForms {
  /** The caller in the third person, and the agent. */
  readonly others: readonly string[];
  /** The manner of the conversation and the task: "politely", "short sentences", "wait for the answer". */
  readonly manner: readonly string[];
  readonly you: readonly string[];
  /** The first and the last words of commands, and phrases of duty. */
  readonly begins: readonly string[];
  readonly ends: readonly string[];
  readonly duties: readonly string[];
  /** Words that make a request of a command to the caller. */
  readonly please: readonly string[];
  /** How statements end; where verbs come early, how they begin, or what they hold. */
  readonly statements: StatementForms;
  /** How short lines to the caller begin: thanks, praise, a welcome; and apologies, which have the form of commands. */
  readonly openers: readonly string[];
  readonly pardons: readonly string[];
  /** Verbs beside those of the phrase table. */
  readonly ask: readonly string[];
  readonly tell: readonly string[];
  readonly close: readonly string[];
  /** "to the customer that": left out of what is told. Third person to second, in the words of the language. */
  readonly drop: readonly string[];
  readonly swap: readonly (readonly [string, string])[];
  /** Ends a condition: "then". Answers that conditions name, beside yes and no. */
  readonly thenWords: readonly string[];
  readonly agrees: readonly string[];
  readonly declines: readonly string[];
}

interface StatementForms {
  readonly begin?: readonly string[];
  readonly hold?: readonly string[];
  readonly end?: readonly string[];
}

const SPACELESS = /[\p{Script=Han}\p{Script=Myanmar}]/u;

/** A form as it is searched for in text that has a space at both ends. */
function needle(form: string): string {
  const word = normalPhrase(form.replaceAll('*', ' '));
  if (SPACELESS.test(word)) return word;
  return `${form.startsWith('*') ? '' : ' '}${word}${form.endsWith('*') ? '' : ' '}`;
}
const needles = new Map<string, string>();
function needleOf(form: string): string {
  const known = needles.get(form) ?? needle(form);
  needles.set(form, known);
  return known;
}

/** `text` in `normal` form. */
export const holds = (text: string, forms: readonly string[]): boolean =>
  forms.some((form) => ` ${text} `.includes(needleOf(form)));
export const beginsWith = (text: string, forms: readonly string[]): boolean =>
  forms.some((form) => {
    const start = form.startsWith('*') ? `${text} `.indexOf(needleOf(form)) : 0;
    if (form.startsWith('*')) return start >= 0 && !text.slice(0, start).includes(' ');
    return ` ${text} `.startsWith(needleOf(form)) || text.startsWith(needleOf(form));
  });
export const endsWith = (text: string, forms: readonly string[]): boolean =>
  forms.some((form) => ` ${text} `.endsWith(needleOf(form)) || text.endsWith(needleOf(form)));
