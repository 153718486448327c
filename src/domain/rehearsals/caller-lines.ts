/** Why the rules' words stand in for those of the model. */
export const LINE_REFUSALS = ['unanswered', 'unreadable', 'empty', 'out_of_character', 'too_many'] as const;
export type LineRefusal = (typeof LINE_REFUSALS)[number];

/** What a model has a caller say. */
export interface CallerLine {
  /** Null: the words of the rules stand in, because of `refused`. */
  readonly text: string | null;
  /** The caller hangs up after it. */
  readonly hangsUp: boolean;
  readonly refused: LineRefusal | null;
}

export const refusedLine = (refused: LineRefusal): CallerLine => ({ text: null, hangsUp: false, refused });

/** One line that a model is asked for. */
export interface LineRequest {
  /** Names the place of the call: what was said so far, and how the caller speaks now. */
  readonly key: string;
  readonly system: string;
  readonly user: string;
  readonly schema: Record<string, unknown>;
  /** Most tokens of the answer. */
  readonly mostTokens: number;
  /** Reads an answer, which is untrusted text. */
  readonly read: (answer: string) => CallerLine;
}

/** Words the lines of one call: from a model, or as they were recorded. A rejection ends the call. */
export interface CallerLines {
  line(request: LineRequest): Promise<CallerLine>;
}

/** Says that nothing is recorded, so that the rules stand in: what a replay does with a line that it does not have. */
export const NO_LINES: CallerLines = { line: () => Promise.resolve(refusedLine('unanswered')) };
