import type { PhraseTable } from './phrases/phrase-table.ts';
import { normal } from './text.ts';
import { beginsWith, endsWith, holds } from './word-forms.ts';

/** Whether a question in another language than English asks for words of the caller's own ("how was it?"). */
export function isOpenQuestion(
  question: string,
  { openQuestions: { open, inside, first, closed } }: PhraseTable,
): boolean {
  const text = normal(question);
  if (endsWith(text, closed)) return false;
  const stands = (word: string): boolean =>
    holds(text, [word]) && !beginsWith(text, [word]) && !endsWith(text, [word]);
  return holds(text, open) || inside.some(stands) || beginsWith(text, first);
}
