/** What every document becomes before it is cut into chunks. */
export type Block =
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  /** A question with its answer: kept whole and found by its question. */
  | { readonly type: 'faq'; readonly question: string; readonly answer: string };

export interface Chunk {
  /** The headings it stands under, outermost first. */
  readonly heading: string;
  readonly question: string | null;
  readonly body: string;
}
