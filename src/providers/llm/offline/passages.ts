import type { KnowledgeIndexes, KnowledgeItem } from '../../../shared/knowledge/knowledge-index.ts';
import { questionTerms, termsOf } from '../../../shared/knowledge/terms.ts';
import type { FaqSearch } from './faq.ts';
import { spoken } from './text.ts';

/** Longer than this nobody listens to. */
const MAX_CHARS = 300;
const LONG_TERM = 6;

/**
 * Answers from documents without a question of their own: the sentence that says most of what was asked, and the
 * next one. Null unless most of the question is found, because a wrong answer is worse than none.
 */
export function indexPassages(items: readonly KnowledgeItem[], indexes: KnowledgeIndexes): FaqSearch {
  const passages = items.filter((item) => item.question === undefined);
  if (passages.length === 0) return () => null;
  return (text) => {
    const asked = questionTerms(text);
    const [best] = indexes.of(passages).search(text, 1);
    const passage = best === undefined ? undefined : passages[best.at];
    if (best === undefined || passage === undefined) return null;
    const isTelling = asked.length > 1 ? best.found >= 2 : (asked[0]?.length ?? 0) >= LONG_TERM;
    if (!isTelling || best.found / asked.length < 0.6) return null;
    const answer = spoken(sentencesFor(passage.text, asked));
    return answer === '' ? null : answer;
  };
}

function sentencesFor(text: string, asked: readonly string[]): string {
  const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)]
    .flatMap(({ segment }) => segment.split('\n'))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
  const hits = sentences.map((sentence) => {
    const terms = termsOf(sentence);
    return asked.filter((word) =>
      terms.some((term) => term === word || (word.length > 3 && term.startsWith(word))),
    ).length;
  });
  const at = hits.indexOf(Math.max(...hits));
  const [first = '', second = ''] = sentences.slice(at, at + 2);
  return first.length + second.length < MAX_CHARS ? `${first} ${second}` : first.slice(0, MAX_CHARS);
}
