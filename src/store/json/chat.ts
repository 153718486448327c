/** A tool that a turn called, as the record keeps it. */
export interface ToolUse {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: unknown;
  readonly ok: boolean;
  readonly ms: number;
}

/** What a turn of a chat used of one model. */
export interface ChatUse {
  readonly vendor: string;
  /** Null: the vendor has one model only. */
  readonly model: string | null;
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
  /** Of voice messages that a recogniser heard; absent: none. */
  readonly audioMs?: number;
}

/** A tool as the journal of its turn keeps it. */
export interface JournaledTool {
  readonly key: string;
  /** Null: it may have run. */
  readonly outcome: {
    readonly ok: boolean;
    readonly result: unknown;
    readonly variables?: Readonly<Record<string, string>>;
  } | null;
}
