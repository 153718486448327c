import type { AnsweredBy, EndReason, TranscriptLine, TurnLatency } from '@callwright/turns';
import type { FailureReason } from '../shared/failure-reason.ts';
import type { VendorFault, VendorPart } from '../shared/vendor-fault.ts';
import type { HandedOver, TurnMeasure, VendorUse } from './measures.ts';
import type { MediaStats } from '@callwright/rtp';

/** One use of a tool, as the call's record keeps it. Times in ms. */
export interface ToolLogEntry {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly result: unknown;
  /** Epoch ms. */
  readonly at: number;
  readonly ms?: number;
  readonly ok?: boolean;
  readonly phase?: 'pre_call' | 'on_call' | 'post_call';
  /** Variables the tool set. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** A stretch of the recording that was left silent, in ms since the answer; `toMs` null: still open. */
export interface RecordingPause {
  readonly fromMs: number;
  readonly toMs: number | null;
}

/** What went wrong at a vendor during the call, and what followed. */
export interface CallFault extends Pick<VendorFault, 'vendor' | 'kind' | 'status' | 'message'> {
  readonly part: VendorPart;
  /** `switched`: another vendor, or this machine, took over. `failed`: nothing did. */
  readonly effect: 'switched' | 'failed';
  /** Epoch ms. */
  readonly at: number;
}

/**
 * What a conversation adds to the call's record: a part of it while the call is live (for the journal), all of it at
 * the end. `interruptions`, `recordingPauses`, `usage`, `handovers`, `faults`, `answeredBy` and `firstUtteranceMs` are totals so far,
 * the other lists are the part alone.
 */
export interface ConversationProgress {
  readonly transcript: readonly TranscriptLine[];
  readonly latencies: readonly TurnLatency[];
  readonly interruptions: number;
  readonly toolLog: readonly ToolLogEntry[];
  /** Stretches without sound in the recording: all so far. Absent in journals of earlier versions. */
  readonly recordingPauses?: readonly RecordingPause[];
  /** From the answer to the first packet of the agent's first words; null: the agent made no sound. */
  readonly firstUtteranceMs: number | null;
  /** Turns that have changed; a later entry of a turn replaces an earlier one. Both absent in journals of earlier versions. */
  readonly turns?: readonly TurnMeasure[];
  readonly usage?: readonly VendorUse[];
  /** To other agents, in order. Absent: none. */
  readonly handovers?: readonly HandedOver[];
  /** The first 20. Absent in journals of earlier versions. */
  readonly faults?: readonly CallFault[];
  /** Null: not decided, or the agent does not listen for machines. Absent in journals of earlier versions. */
  readonly answeredBy?: AnsweredBy | null;
}

/** What the worker reports when a conversation is over. Times are epoch ms. */
export interface ConversationResult extends ConversationProgress {
  readonly reason: EndReason;
  /** Of the reason FAILED. */
  readonly failure?: FailureReason | null;
  /** The caller opted out. */
  readonly optedOut: boolean;
  /** The requested time of a callback; null: none was requested. */
  readonly callback: { readonly at: number; readonly note: string } | null;
  /** Null: the call was not recorded. */
  readonly recording: {
    readonly path: string;
    readonly durationMs: number;
    readonly bytes: number;
    readonly failed: boolean;
  } | null;
  /** The events of the conversation for its replay (`readLog` of `@callwright/turns`): gzip, as base64. Null: none. */
  readonly eventLog?: string | null;
  readonly media: MediaStats | null;
  /** Media of the answered transfer legs, in order. */
  readonly transfers: readonly MediaStats[];
  readonly startedAt: number;
  readonly endedAt: number;
}
