import type { KnowledgeItem } from '../../../src/shared/knowledge/knowledge-index.ts';
import type { Settings } from '../../../src/offline/script/test-call.ts';

/** An agent of one trade, questions in other words than its texts with a part of the right answer, and questions without one. */
export interface Trade {
  readonly name: string;
  readonly agent: Settings;
  readonly answered: readonly (readonly [question: string, part: string])[];
  readonly unanswered: readonly string[];
}

export const passage = (heading: string, text: string): KnowledgeItem => ({
  heading,
  text,
  source: 'handbook.pdf',
});
