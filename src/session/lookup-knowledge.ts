import { namedBases } from '../shared/knowledge/bases-argument.ts';
import {
  KnowledgeIndexes,
  type KnowledgeIndex,
  type KnowledgeItem,
} from '../shared/knowledge/knowledge-index.ts';

const MAX_HITS = 3;

/** Hits with their sources, best first, as the tool log keeps them. */
export function lookUp(
  index: KnowledgeIndex,
  items: readonly KnowledgeItem[],
  args: Readonly<Record<string, unknown>>,
): { results: readonly (KnowledgeItem & { score: number })[] } {
  const question = typeof args['question'] === 'string' ? args['question'] : '';
  const hits = index.search(question, MAX_HITS);
  return {
    results: hits.map(({ at, score }) => {
      const { base: _base, ...item } = items[at]!;
      return { ...item, score };
    }),
  };
}

/** The search in the passages of one call. */
export const lookUpIn =
  (items: readonly KnowledgeItem[], indexes = new KnowledgeIndexes()) =>
  (args: Readonly<Record<string, unknown>>): unknown => {
    const bases = namedBases(args);
    const searched = bases === null ? items : items.filter(({ base = '' }) => bases.includes(base));
    return lookUp(indexes.of(searched), searched, args);
  };
