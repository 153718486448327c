import type { AnalysisInput, LanguageSense } from './analysis.ts';

/** A question of the agent and what the person said to it. */
export interface Exchange {
  readonly question: string;
  readonly answer: string;
}

const SENTENCE_END = /(?<=[.!?。！？।؟॥])\s+/u;

/** The questions of a conversation that were answered, in order. Only the agent's last question of a turn counts. */
export function exchangesOf(input: AnalysisInput, sense: LanguageSense): Exchange[] {
  const found: Exchange[] = [];
  let question: string | null = null;
  let answered = false;
  for (const { role, text } of input.transcript) {
    if (role === 'agent') {
      const asked = sentencesOf(text).findLast((sentence) => sense.asks(sentence, input.language));
      if (asked === undefined && !answered) continue;
      question = asked ?? null;
      answered = false;
    } else if (question !== null) {
      const last = found.at(-1);
      // A turn in several lines is one answer.
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

/** Lower-case words of three letters or more, for comparing what texts are about. */
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
