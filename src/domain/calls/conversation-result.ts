import type { ToolLogEntry } from '../tools/tool-log.ts';
import type { MediaStats } from '../../voice/ports.ts';
import type { TranscriptLine, TurnLatency } from '../../voice/turn/types.ts';

/** What a conversation leaves behind, as the worker that held it reports it. Times in ms. */
export interface ConversationResult {
  readonly transcript: readonly TranscriptLine[];
  readonly latencies: readonly TurnLatency[];
  readonly interruptions: number;
  readonly toolLog: readonly ToolLogEntry[];
  /** The person asked not to be called again. */
  readonly optedOut: boolean;
  /** The person asked to be called again at this time (epoch ms); null when not. */
  readonly callback: { readonly at: number; readonly note: string } | null;
  readonly firstUtteranceMs: number | null;
  readonly recording: {
    readonly path: string;
    readonly durationMs: number;
    readonly bytes: number;
    readonly failed: boolean;
  } | null;
  readonly media: MediaStats | null;
  /** Audio of the second legs that were answered, in order. */
  readonly transfers: readonly MediaStats[];
}
