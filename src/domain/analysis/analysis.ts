import type { ClientAnalysis } from '../agents/agent-version.ts';
import type { Language } from '../../shared/languages.ts';

/** What an analysis is made from: one ended call with its conversation. Times in epoch ms. */
export interface AnalysisInput {
  readonly language: Language;
  /** The zone of the call's window: days and hours that were named are read in it. */
  readonly timeZone: string;
  readonly endedAt: number;
  readonly subStatus: string;
  readonly hangupBy: string | null;
  readonly agentName: string;
  /** The agent's prompt as stored. */
  readonly prompt: string;
  readonly transcript: readonly { readonly role: 'agent' | 'caller'; readonly text: string }[];
  readonly tools: readonly { readonly name: string; readonly args: Record<string, unknown> }[];
  /** What a call may be classified as; empty: the labels of the service. */
  readonly labels: readonly string[];
  /** What the agent's owner asks of every call; null: nothing. */
  readonly client: ClientAnalysis | null;
}

export type Sentiment = 'positive' | 'neutral' | 'negative';

/** The part of a platform analysis that a brain makes. */
export interface Findings {
  readonly summary: string;
  /** One of the labels; null: none fits. */
  readonly classification: string | null;
  readonly keyPoints: readonly string[];
  readonly actionItems: readonly string[];
  readonly sentiment: Sentiment;
  readonly callback: CallbackRequest | null;
}

/** The person asked to be called again. */
export interface CallbackRequest {
  /** Their words for the time; empty when they named none. */
  readonly words: string;
  /** The instant, where the words name a day and an hour; epoch ms. */
  readonly at: number | null;
}

export type ClientValue = string | number | boolean | null;

export interface Analysis {
  readonly findings: Findings;
  /** By key; null for an agent that asks nothing. */
  readonly client: Readonly<Record<string, ClientValue>> | null;
}

/** Makes analyses: a configured model, or rules where there is none. */
export interface Analyst {
  /** Written into the analysis, so that a reader knows what made it. */
  readonly name: string;
  /** Throws where another try may help. */
  analyse(input: AnalysisInput): Promise<Analysis>;
}

/** What a line says, in the call's language: offered by the script engine's understanding. */
export interface LanguageSense {
  intent(text: string, language: Language): string | null;
  polarity(text: string, language: Language): 'yes' | 'no' | null;
  asks(text: string, language: Language): boolean;
  number(text: string, language: Language): number | null;
  day(text: string, language: Language): DayWords | null;
  time(text: string, language: Language): { readonly hour: number; readonly minute: number } | null;
}

/** A day as it was named. Weekdays count from Monday as 1. */
export type DayWords =
  | { readonly kind: 'in_days'; readonly days: number }
  | { readonly kind: 'weekday'; readonly weekday: number }
  | { readonly kind: 'date'; readonly month: number | null; readonly day: number };
