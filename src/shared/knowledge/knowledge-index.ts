import { createHash } from 'node:crypto';
import MiniSearch from 'minisearch';
import { normalQuestion, questionTerms, termsOf } from './terms.ts';

/** One piece of what an agent may look up: an answer with its question, or a passage. */
export interface KnowledgeItem {
  readonly question?: string;
  /** What the passage is about: the headings it stands under. */
  readonly heading?: string;
  readonly text: string;
  /** Where it is from: a file name, an address, `FAQ`. */
  readonly source: string;
}

export interface KnowledgeHit {
  /** Place of the item in the list. */
  readonly at: number;
  /** 0 to 1; 1: the question itself. */
  readonly score: number;
  /** How many of the asked terms the item has, and how many were asked. */
  readonly found: number;
  readonly asked: number;
}

/** Finds items for a question: the same question first, then by BM25. Immutable. */
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
    const asked = questionTerms(question).length;
    const same = this.#questions.get(normalQuestion(question));
    const hits = this.#search.search(question.slice(0, 1000)).map((result): KnowledgeHit => {
      const found = new Set(result.queryTerms).size;
      // A rank has no upper end of its own: half way at 8, never 1.
      const score = Math.round((result.score / (result.score + 8)) * 10_000) / 10_000;
      return { at: Number(result.id), score: Math.min(score, 0.9999), found, asked };
    });
    const others = hits.filter((hit) => hit.at !== same);
    const exact = same === undefined ? [] : [{ at: same, score: 1, found: asked, asked }];
    return [...exact, ...others].slice(0, limit);
  }
}

const KEPT = 8;

/** The indexes lately used on this thread: calls of one agent share one. */
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
