import type { SpokenBy } from '../../shared/spoken-by.ts';
import { wireDocument } from '../../shared/wire-names.ts';
import type { ToolUse } from './chat.ts';

/** Where an expectation holds: 0 is the first message of the agent, n its answer to the n-th line; absent: anywhere. */
type AtTurn = { readonly turn?: number };

type Arguments = Readonly<Record<string, unknown>>;

/** How a conversation is after the last line; OPEN: the agent has not ended it. */
export type CaseEnd = 'AGENT_ENDED' | 'CALL_TRANSFERRED' | 'OPTED_OUT' | 'OPEN';

/** What a test case expects of the conversation, as stored. */
export type Expectation =
  | ({ readonly type: 'says' | 'never_says'; readonly anyOf: readonly string[] } & AtTurn)
  | ({
      readonly type: 'calls_tool' | 'never_calls_tool';
      readonly tool: string;
      readonly arguments?: Arguments;
    } & AtTurn)
  | { readonly type: 'ends'; readonly as: readonly CaseEnd[] }
  | { readonly type: 'criterion'; readonly criterion: string };

/** An answer that a tool gives in a test case instead of running. */
export interface CannedResult {
  readonly tool: string;
  readonly arguments?: Arguments;
  readonly ok?: boolean;
  readonly result: unknown;
  readonly variables?: Readonly<Record<string, string>>;
}

/** A test case as a person writes it; copied into each result. */
export interface CaseDefinition {
  readonly name: string;
  readonly customArgsValues: Readonly<Record<string, string>>;
  readonly lines: readonly string[];
  readonly expectations: readonly Expectation[];
  readonly toolResults: readonly CannedResult[];
}

export const caseDocument = wireDocument<CaseDefinition>({
  customArgsValues: true,
  expectations: { anyOf: true },
  toolResults: true,
});

/** One turn of a test conversation; the line is null for the first message of the agent. */
export interface PlayedTurn {
  readonly line: string | null;
  readonly said: readonly string[];
  readonly tools: readonly ToolUse[];
  readonly usage: readonly {
    readonly vendor: string;
    readonly model: string;
    readonly inputTokens: number | null;
    readonly cachedTokens: number | null;
    readonly outputTokens: number | null;
  }[];
  /** Absent in results of earlier versions. */
  readonly spokenBy?: SpokenBy;
  readonly end: string | null;
  readonly ms: number;
}

/** How one expectation of a case came out. */
export interface Verdict {
  readonly result: 'held' | 'not_held' | 'not_judged';
  readonly reason: string;
}
