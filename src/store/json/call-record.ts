import type { TurnMeasure } from '../../voice/measures.ts';
import type { TurnLatency } from '@callwright/turns';

export type JsonObject = Record<string, unknown>;

/** Records of earlier versions have no measures. */
export type StoredLatency = TurnLatency & Partial<TurnMeasure>;

/** An agent's part in a conversation. */
export interface AgentShare {
  readonly agentId: string;
  /** Null: the first agent of the call. */
  readonly agentName: string | null;
  readonly heldMs: number;
  /** Micro-credits. */
  readonly cost: number;
}

/** What came of a call, in words, and where it comes from. */
export interface StoredResult {
  readonly text: string;
  readonly source: 'goal' | 'label' | 'ending';
}

/** How a conversation meets one criterion. */
export interface Evaluation {
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'not_judged';
  readonly reason: string;
}

export interface Feedback {
  /** 1 (poor) to 5 (good). */
  readonly rating: number;
  readonly comment: string | null;
}

/** A rating as it is stored; `at` is an ISO time. */
export interface StoredFeedback extends Feedback {
  readonly at: string;
}
