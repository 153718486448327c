import { createHash } from 'node:crypto';
import MiniSearch from 'minisearch';
import { normalQuestion, questionTerms, termsOf } from './terms.ts';

/** One chunk of knowledge: an FAQ entry or a passage. */
export interface KnowledgeItem {
  readonly question?: string;
  /** The headings above the passage. */
  readonly heading?: string;
  readonly text: string;
  /** Its source: a file name, a URL or `FAQ`. */
  readonly source: string;
  /** The id of its knowledge base; absent: of no matter. */
  readonly base?: string;
}

export interface KnowledgeHit {
  /** Index of the item in the list. */
  readonly at: number;
  /** 0 to 1; 1: an FAQ entry with exactly this question. */
  readonly score: number;
  /** How many of the query terms the item contains, and the number of query terms. */
  readonly found: number;
  readonly queried: number;
}

/** Keyword search: an FAQ entry with the same question first, then by BM25. Immutable. */
export class KnowledgeIndex {
  readonly #search: MiniSearch<{ id: number; question: string; text: string }>;
  readonly #questions = new Map<string, number>();

  constructor(items: readonly KnowledgeItem[]) {
    this.#search = new MiniSearch({
      fields: ['question', 'text'],
      tokenize: termsOf,
      processTerm: (term) => term,
      searchOptions: {
        tokenize: questionTerms,
        boost: { question: 3 },
        fuzzy: (term) => (/^[a-z]{6,}$/.test(term) ? 0.2 : false),
        prefix: (term) => term.length > 3,
      },
    });
    this.#search.addAll(
      items.map(({ question = '', heading = '', text }, id) => ({
        id,
        question,
        text: `${heading}\n${text}`,
      })),
    );
    for (const [at, { question }] of items.entries()) {
      const key = normalQuestion(question ?? '');
      if (key !== '' && !this.#questions.has(key)) this.#questions.set(key, at);
    }
  }

  search(question: string, limit: number): KnowledgeHit[] {
    const queried = questionTerms(question).length;
    const same = this.#questions.get(normalQuestion(question));
    const hits = this.#search.search(question.slice(0, 1000)).map((result): KnowledgeHit => {
      const found = new Set(result.queryTerms).size;
      // BM25 scores are unbounded: map them to 0–1, with 8 at 0.5.
      const score = Math.round((result.score / (result.score + 8)) * 10_000) / 10_000;
      return { at: Number(result.id), score: Math.min(score, 0.9999), found, queried };
    });
    const others = hits.filter((hit) => hit.at !== same);
    const exact = same === undefined ? [] : [{ at: same, score: 1, found: queried, queried }];
    return [...exact, ...others].slice(0, limit);
  }
}

const KEPT = 8;

/** Recently used indexes of this thread; calls of one agent share an index. */
export class KnowledgeIndexes {
  readonly #kept = new Map<string, KnowledgeIndex>();

  of(items: readonly KnowledgeItem[]): KnowledgeIndex {
    const key = createHash('sha1').update(JSON.stringify(items)).digest('base64');
    const index = this.#kept.get(key) ?? new KnowledgeIndex(items);
    this.#kept.delete(key);
    this.#kept.set(key, index);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return index;
  }
}
