import { type Language, type PhraseTable, hasPhrase, holds, normal, phrasesOf } from '@callwright/language';
import type { CommandForms } from './command-forms.ts';
import { isRomanisedHindi, romanisedHindi } from './romanised-hindi.ts';
import type { Condition } from './script.ts';
import { SCRIPT_DATA, scriptPhrasesOf, type ScriptPhrases } from './script-phrases.ts';

/** A language's phrase table, how its scripts command (null: English, by rules), and its way to read branches. */
export interface Wording extends PhraseTable {
  readonly script: ScriptPhrases;
  readonly forms: CommandForms | null;
  /** The wording for a line that is written in Latin letters; null: such lines are English. */
  romanised(sentence: string): Wording | null;
  readsBranch(sentence: string): { when: Condition; body: string } | null;
}

export function wordingFor(language: Language): Wording {
  const table = phrasesOf(language);
  const forms = SCRIPT_DATA[table.locale]?.commands ?? null;
  const own = wordingOf({ ...table, script: scriptPhrasesOf(table), forms });
  if (table.locale !== 'hi') return own;
  const latin = wordingOf({ ...own, ...romanisedHindi(own) });
  const romanised = (sentence: string): Wording | null => (isRomanisedHindi(sentence) ? latin : null);
  return {
    ...own,
    romanised,
    readsBranch: (sentence) => (romanised(sentence) ?? own).readsBranch(sentence),
  };
}

type Words = Omit<Wording, 'romanised' | 'readsBranch'>;

const wordingOf = (words: Words): Wording => ({
  ...words,
  romanised: () => null,
  readsBranch: (sentence) => (words.forms === null ? null : readNativeBranch(sentence, words, words.forms)),
});

/** Longest condition, in words: more is a sentence. */
const LONGEST_CONDITION = 9;
const CONDITION = /^([^,，、،:：]{1,80}?)\s*(?:[,，、،:：]|(?<=\s)[–—-](?=\s))\s*(\S.*)$/su;

/** Whether a part of a sentence names a condition ("if …"). */
export const isCondition = (head: string, { script }: Pick<Wording, 'script'>): boolean => {
  const text = normal(head);
  return script.conditions.some((word) => hasPhrase(text, normal(word)) || text.endsWith(normal(word)));
};

/** The condition at the beginning of a sentence, and what follows it; null: there is none. */
export function splitNative(
  sentence: string,
  forms: CommandForms,
): { readonly head: string; readonly body: string } | null {
  const comma = CONDITION.exec(sentence);
  if (comma !== null) return { head: comma[1] ?? '', body: withoutThen(comma[2] ?? '', forms) };
  for (const then of forms.thenWords) {
    const at = sentence.indexOf(` ${then} `);
    if (at > 0)
      return {
        head: sentence.slice(0, at + then.length + 1),
        body: sentence.slice(at + then.length + 2).trim(),
      };
  }
  return null;
}

/** "…, then ask": without the "then". */
function withoutThen(body: string, { thenWords }: CommandForms): string {
  const word = thenWords.find((one) => body.startsWith(`${one} `));
  return word === undefined ? body : body.slice(word.length).trim();
}

/** Parses a branch in the language's own words ("अगर हाँ, …"); null for other lines. */
function readNativeBranch(
  sentence: string,
  table: Words,
  forms: CommandForms,
): { when: Condition; body: string } | null {
  const parts = splitNative(sentence, forms);
  if (parts === null) return null;
  const { body } = parts;
  const head = normal(parts.head);
  if (table.script.otherwise.some((word) => head === normal(word)))
    return { when: { type: 'otherwise' }, body };
  const count = head.split(' ').length;
  if (count > LONGEST_CONDITION || (count > 1 && !isCondition(head, table))) return null;
  const names = (words: readonly string[]): boolean =>
    words.some((word) => !word.startsWith('=') && hasPhrase(head, normal(word)));
  const { wrong_person: wrong = [], later = [], not_interested: refused = [] } = table.intents;
  if (names(wrong)) return { when: { type: 'wrong_person' }, body };
  if (names(later)) return { when: { type: 'busy' }, body };
  if (names(refused)) return { when: { type: 'not_interested' }, body };
  if (names(table.no) || holds(head, forms.declines)) return { when: { type: 'no' }, body };
  if (names(table.yes) || holds(head, forms.agrees)) return { when: { type: 'yes' }, body };
  return null;
}
