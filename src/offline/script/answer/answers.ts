import type { KnowledgeIndexes, KnowledgeItem } from '../../../shared/knowledge/knowledge-index.ts';
import type { Faq } from '../script.ts';
import { isSpeakable } from '../unit.ts';
import type { Wording } from '../wording.ts';
import { factsOf, factsOfFaqs, factsOfPassage } from './facts.ts';
import { entriesOf, type Fact, findAnswer, isVague, subjectOf, widened } from './find-answer.ts';

export interface Answers {
  /** The sentence that answers a caller's question; null when none does. */
  readonly answerTo: (question: string) => string | null;
  /** Whether a question asks for a price, a time or the like without saying of what. */
  readonly isVague: (question: string) => boolean;
}

/** Passages of documents that are searched at each question. */
const MOST_PASSAGES = 8;
const LONGEST_ANSWER = 600;

interface Sources {
  readonly faqs: readonly Faq[];
  readonly sections: readonly { title: string; content: string }[];
  readonly prompt: string;
  /** The first message and the purpose of the call. */
  readonly about: string;
  readonly knowledge: readonly KnowledgeItem[];
}

/** Answers from an agent's FAQs, the statements of its prompt, and its knowledge bases. */
export function answersOf(sources: Sources, wording: Wording, indexes: KnowledgeIndexes): Answers {
  const { questions } = wording.script;
  const ofPrompt = [...factsOfFaqs(sources.faqs), ...factsOf(sources.sections, sources.prompt, wording)];
  const entries = entriesOf(
    ofPrompt.filter(({ answer }) => answer !== ''),
    wording,
    questions,
  );
  const subject = subjectOf(sources.about, questions);
  const passages = sources.knowledge.filter(({ question }) => question === undefined);
  return { answerTo, isVague: (question) => isVague(question, questions) };

  function answerTo(question: string): string | null {
    const all = [...entries, ...entriesOf(passagesFor(question), wording, questions)];
    const found = findAnswer(question, { entries: all, subject }, questions);
    return found !== null && isSpeakable(found) ? clipped(found) : null;
  }

  function passagesFor(question: string): Fact[] {
    if (passages.length === 0) return [];
    const hits = indexes.of(passages).search(widened(question, questions), MOST_PASSAGES);
    return hits.flatMap(({ at }) => factsOfPassage(passages[at]?.heading ?? '', passages[at]?.text ?? ''));
  }
}

function clipped(answer: string): string {
  if (answer.length <= LONGEST_ANSWER) return answer;
  const short = answer.slice(0, LONGEST_ANSWER);
  return `${short.slice(0, Math.max(1, short.lastIndexOf(' ')))}.`;
}
