import type { Evaluation } from '../../store/json/call-record.ts';
import type { ClientAnalysis, EvaluationCriterion, VersionConfig } from '../../store/json/agent-version.ts';
import type { Language } from '@callwright/language';

/** The input of an analysis: one ended call with its conversation. Times in epoch ms. */
export interface AnalysisInput {
  readonly language: Language;
  /** The zone of the call's window; spoken days and hours are resolved in it. */
  readonly timeZone: string;
  readonly endedAt: number;
  readonly subStatus: string;
  readonly hangupBy: string | null;
  readonly agentName: string;
  /** The agent's prompt as stored. */
  readonly prompt: string;
  readonly transcript: readonly { readonly role: 'agent' | 'caller'; readonly text: string }[];
  readonly tools: readonly { readonly name: string; readonly args: Record<string, unknown> }[];
  /** The agent's classification labels; empty: the default OUTCOMES. */
  readonly labels: readonly string[];
  /** The agent's client-analysis keys; null: none. */
  readonly client: ClientAnalysis | null;
  /** The agent's criteria. */
  readonly evaluations: readonly EvaluationCriterion[];
}

/** Whose conversation is analysed: a call, a chat, or a test case of an agent. */
export interface AnalysedSubject {
  readonly kind: 'call' | 'chat' | 'test';
  readonly workspaceId: string;
  /** The call, the chat or the agent. */
  readonly subjectId: string;
  /** An inbound caller, a page with the public key or a customer of a chat began it. */
  readonly byStranger: boolean;
}

/** An ended conversation and the version of the agent that had it. */
export interface AnalysedConversation {
  readonly byStranger: boolean;
  readonly input: AnalysisInput;
  readonly config: VersionConfig;
}

export type Sentiment = 'positive' | 'neutral' | 'negative';

/** The part of a platform analysis that an analyst produces. */
export interface Findings {
  readonly summary: string;
  /** One of the labels; null when none fits. */
  readonly classification: string | null;
  readonly keyPoints: readonly string[];
  readonly actionItems: readonly string[];
  readonly sentiment: Sentiment;
  readonly callback: CallbackRequest | null;
}

/** The callee asked for a callback. */
export interface CallbackRequest {
  /** The words for the time; empty for none. */
  readonly words: string;
  /** The instant, if the words name the hour; epoch ms. */
  readonly at: number | null;
}

export type ClientValue = string | number | boolean | null;

export interface Analysis {
  /** Who made it: stored as `analyzed_by`. */
  readonly analyst: string;
  readonly findings: Findings;
  /** One for each criterion of the agent, in order. */
  readonly evaluations: readonly Evaluation[];
  /** By key; null for an agent without client-analysis keys. */
  readonly client: Readonly<Record<string, ClientValue>> | null;
}

/** Produces analyses: the configured model, or rules without one. */
export interface Analyst {
  /** Stored as `analyzed_by` of an analysis that failed. */
  readonly name: string;
  /** Throws on a failure that a retry may resolve. */
  analyse(input: AnalysisInput): Promise<Analysis>;
}
