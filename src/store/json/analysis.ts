import { wireDocument } from '../../shared/wire-names.ts';

/** The service's own analysis of an ended conversation, as stored, sent and shown. Without findings if every retry failed. */
export interface PlatformAnalysis {
  readonly summary: string | null;
  readonly classification: string | null;
  readonly keyPoints: readonly string[];
  readonly actionItems: readonly string[];
  readonly sentiment: 'positive' | 'neutral' | 'negative' | null;
  /** Null: unknown. */
  readonly callbackRequested: boolean | null;
  /** ISO 8601; null: the person named no hour. */
  readonly callbackRequestedTime: string | null;
  readonly callbackRequestedWords: string | null;
  /** The sub-status of the call. */
  readonly callDisconnectReason: string;
  readonly timezone: string;
  readonly status: 'analyzed' | 'failed';
  /** The analyst's name. */
  readonly analyzedBy: string;
}

export const platformDocument = wireDocument<PlatformAnalysis>({
  keyPoints: true,
  actionItems: true,
  callbackRequested: true,
  callbackRequestedTime: true,
  callbackRequestedWords: true,
  callDisconnectReason: true,
  analyzedBy: true,
});
