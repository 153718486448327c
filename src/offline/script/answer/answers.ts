import type { KnowledgeIndexes, KnowledgeItem } from '../../../shared/knowledge/knowledge-index.ts';
import type { Faq } from '../script.ts';
import { isSpeakable } from '../unit.ts';
import type { Wording } from '../wording.ts';
import { factsOf, factsOfFaqs, factsOfPassage } from './facts.ts';
import { answerByMeaning, textsOf } from './by-meaning.ts';
import { type Entry, entriesOf, type Fact, findAnswer, isVague, subjectOf, widened } from './find-answer.ts';

export interface Answers {
  /** The sentence that answers a caller's question; null when none does. */
  readonly answerTo: (question: string) => string | null;
  /** Whether a question asks for a price, a time or the like without saying of what. */
  readonly isVague: (question: string) => boolean;
  /** The texts whose meanings are compared with that of a question. */
  readonly compared: () => readonly string[];
  /** The sentence whose meaning is most like that of a question; null when none is near. `vectors`: by their texts. */
  readonly byMeaning: (question: string, vectors: ReadonlyMap<string, Float32Array>) => string | null;
}

/** Facts of which the meanings are compared: those of the prompt first, then of the knowledge. */
const MOST_COMPARED = 300;
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
  let nearby: readonly Entry[] | null = null;
  return {
    answerTo,
    isVague: (question) => isVague(question, questions),
    compared: () => comparable().flatMap(textsOf),
    byMeaning: (question, vectors) => {
      const found = answerByMeaning(question, comparable(), vectors, questions);
      return found !== null && isSpeakable(found) ? clipped(found) : null;
    },
  };

  function comparable(): readonly Entry[] {
    nearby ??= [
      ...entries,
      ...entriesOf(
        passages
          .slice(0, MOST_COMPARED)
          .flatMap(({ heading, text }) => factsOfPassage(heading ?? '', text))
          .slice(0, MOST_COMPARED),
        wording,
        questions,
      ),
    ].slice(0, MOST_COMPARED);
    return nearby;
  }

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
