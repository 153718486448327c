/** The parsed form of every document before it is cut into chunks. */
export type Block =
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  /** Becomes one chunk that is found by its question. */
  | { readonly type: 'faq'; readonly question: string; readonly answer: string };

export interface Chunk {
  /** The headings above it, outermost first. */
  readonly heading: string;
  readonly question: string | null;
  readonly body: string;
}
