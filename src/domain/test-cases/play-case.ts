import type { VersionConfig } from '../../store/json/agent-version.ts';
import type { CaseDefinition, PlayedTurn } from '../../store/json/test-case.ts';
import type { AgentType } from '../../store/schema.ts';

export interface CaseToPlay {
  readonly workspaceId: string;
  readonly agent: { readonly id: string; readonly name: string; readonly type: AgentType };
  readonly config: VersionConfig;
  readonly definition: CaseDefinition;
  readonly runsTools: boolean;
  /** When no model answers: the case is an `error`, or the script engine replies. */
  readonly onModelFailure: 'error' | 'script';
}

export interface PlayedCase {
  readonly turns: readonly PlayedTurn[];
  /** How the agent ended the conversation; null: it did not. */
  readonly end: string | null;
  /** Why the conversation could not be played to its end; null: it was. */
  readonly failure: string | null;
}

/** Talks to an agent as the caller of a test case. Stores and sends nothing besides what really called tools do. */
export type PlayCase = (played: CaseToPlay, signal: AbortSignal) => Promise<PlayedCase>;
