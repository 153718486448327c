import { asksSomething, phrasesOf } from '@callwright/language';
import type { AnalysisInput } from './analysis.ts';

/** A question of the agent and the callee's answer. */
export interface Exchange {
  readonly question: string;
  readonly answer: string;
}

const SENTENCE_END = /(?<=[.!?。！？।؟॥])\s+/u;

/** The answered questions of a conversation, in order. Of an agent turn only the last question counts. */
export function exchangesOf(input: AnalysisInput): Exchange[] {
  const found: Exchange[] = [];
  let question: string | null = null;
  let answered = false;
  for (const { role, text } of input.transcript) {
    if (role === 'agent') {
      const newQuestion = sentencesOf(text).findLast((sentence) =>
        asksSomething(sentence, phrasesOf(input.language)),
      );
      if (newQuestion === undefined && !answered) continue;
      question = newQuestion ?? null;
      answered = false;
    } else if (question !== null) {
      const last = found.at(-1);
      // Consecutive caller lines are one answer.
      if (answered && last !== undefined)
        found[found.length - 1] = { ...last, answer: `${last.answer} ${text}` };
      else found.push({ question, answer: text });
      answered = true;
    }
  }
  return found;
}

export const sentencesOf = (text: string): string[] =>
  text
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

/** Stems of a text's words of three letters or more without stop words, for comparing topics. */
export const topicWords = (text: string): Set<string> =>
  new Set(
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[_-]/g, ' ')
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter((word) => word.length > 2 && !COMMON.has(word))
      .map(stem),
  );

const stem = (word: string): string =>
  word.length > 5 ? word.replace(/(?:ations?|ments?|ings?|ers?|ed|es|s)$/, '') : word.replace(/s$/, '');

const COMMON = new Set(
  'the and you your for can what which when how are was were will would with that this did does have has had not one who whether they them their him her his its call called caller agent customer person about from into there key value true false yes please could should many much make made'.split(
    ' ',
  ),
);

/** Truncates to `most` code points, at a word boundary if possible. */
export function clip(text: string, most: number): string {
  const points = Array.from(text.trim());
  if (points.length <= most) return points.join('');
  const cut = points.slice(0, most - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > most / 2 ? cut.slice(0, space) : cut}…`;
}
