import {
  KnowledgeIndexes,
  type KnowledgeIndex,
  type KnowledgeItem,
} from '../shared/knowledge/knowledge-index.ts';
import type { ToolSpec } from '../providers/ports/model.ts';

/**
 * The tool that searches the agent's knowledge bases. The service runs the search; when it cannot in time, the session
 * searches the passages that the call carries.
 */
export const LOOKUP_KNOWLEDGE: ToolSpec = {
  name: 'lookup_knowledge',
  description:
    "Looks a question up in the business's own documents. Use it before you answer a question of the caller that your instructions do not answer; if nothing fits, say that you do not know.",
  parameters: {
    type: 'object',
    properties: { question: { type: 'string', description: 'The question in full, in its own words.' } },
    required: ['question'],
    additionalProperties: false,
  },
};

const MAX_HITS = 3;

/** Hits with their sources, best first, as the tool log keeps them. */
export function lookUp(
  index: KnowledgeIndex,
  items: readonly KnowledgeItem[],
  args: Readonly<Record<string, unknown>>,
): { results: readonly (KnowledgeItem & { score: number })[] } {
  const question = typeof args['question'] === 'string' ? args['question'] : '';
  const hits = index.search(question, MAX_HITS);
  return { results: hits.map(({ at, score }) => ({ ...items[at]!, score })) };
}

/** The search in the passages of one call. */
export const lookUpIn =
  (items: readonly KnowledgeItem[], indexes = new KnowledgeIndexes()) =>
  (args: Readonly<Record<string, unknown>>): unknown =>
    lookUp(indexes.of(items), items, args);
