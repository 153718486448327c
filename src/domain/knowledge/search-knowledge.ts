import { KnowledgeIndex, type KnowledgeItem } from '../../shared/knowledge/knowledge-index.ts';
import type { Db } from '../../store/database.ts';
import { chunksAt, searchChunks, type ChunkRow } from '../../store/knowledge/chunks.ts';
import type { MeaningAnswer, MeaningSearch, SearchPlace } from './meaning-search.ts';
import { mergeRanks, type Ranked } from './merge-ranks.ts';
import { toQuery } from './search-form.ts';

/** Semantic search. */
export type Meaning = Pick<MeaningSearch, 'model' | 'search'>;
export interface SearchDeps {
  readonly db: Db;
  /** Null or absent: full-text search only. */
  readonly meaning?: Meaning | null;
}
export interface KnowledgeFound {
  readonly chunks: readonly Ranked<ChunkRow>[];
  /** The state of semantic search; `not_needed`: an identical question was found, or the question has no terms. */
  readonly meaning: MeaningAnswer['state'] | 'not_needed' | 'off';
}

/** Candidates that PostgreSQL's rank passes to the finer ranking. */
const CANDIDATES = 60;
/** Results of each search that enter the merge. */
const MERGED_RESULTS = 30;

/**
 * The best chunks for a question: an identical question first, then full-text and semantic results merged. Semantic
 * search has `waitMs`; after that only full-text results count.
 */
export async function searchKnowledge(
  deps: SearchDeps,
  at: SearchPlace,
  question: string,
  limit: number,
  waitMs: number,
): Promise<KnowledgeFound> {
  const query = toQuery(question);
  const { meaning = null } = deps;
  if (query === null) return { chunks: [], meaning: meaning === null ? 'off' : 'not_needed' };
  const semantic = meaning?.search(at, question, MERGED_RESULTS, waitMs) ?? null;
  const words = await searchWords(deps.db, at, question, query);
  if (semantic === null) return { chunks: words.slice(0, limit), meaning: 'off' };
  if (words[0]?.score === 1) return { chunks: words.slice(0, limit), meaning: 'not_needed' };
  const answer = await semantic;
  if (answer.state !== 'used') return { chunks: words.slice(0, limit), meaning: answer.state };
  const keyed = (row: ChunkRow) => ({ item: row, key: keyOf(row) });
  const known = new Map(words.map(({ item }) => [keyOf(item), item]));
  const others = answer.chunks.filter((chunk) => !known.has(keyOf(chunk)));
  for (const row of await chunksAt(deps.db, at.workspaceId, others)) known.set(keyOf(row), row);
  const near = answer.chunks.flatMap((chunk) => known.get(keyOf(chunk)) ?? []);
  const merged = mergeRanks(
    words.slice(0, MERGED_RESULTS).map(({ item, score }) => ({ ...keyed(item), isQuestion: score === 1 })),
    near.map(keyed),
  );
  return { chunks: merged.slice(0, limit), meaning: 'used' };
}

const keyOf = ({ kbId, sourceId, seq }: Pick<ChunkRow, 'kbId' | 'sourceId' | 'seq'>): string =>
  `${kbId} ${sourceId} ${seq}`;

async function searchWords(
  db: Db,
  at: SearchPlace,
  question: string,
  query: NonNullable<ReturnType<typeof toQuery>>,
): Promise<Ranked<ChunkRow>[]> {
  const rows = await searchChunks(db, at, query, CANDIDATES);
  return new KnowledgeIndex(rows.map(toItem)).search(question, CANDIDATES).map(({ at: place, score }) => ({
    item: rows[place]!,
    score,
    foundBy: [score === 1 ? 'question' : 'words'],
  }));
}

/** A chunk in the form that a conversation uses. */
export const toItem = (row: ChunkRow): KnowledgeItem => ({
  ...(row.question === null ? {} : { question: row.question }),
  ...(row.heading === '' ? {} : { heading: row.heading }),
  text: row.body,
  source: row.sourceKind === 'faq' ? 'FAQ' : row.sourceName,
});
