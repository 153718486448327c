import type { NegotiatedMedia } from '../telephony/media.ts';
import type { BrainContext, DtmfDigit, MediaStats } from '../voice/ports.ts';
import type { EndReason, TranscriptLine, TurnLatency, TurnSettings } from '../voice/turn/types.ts';

/** The typed message pair between the main thread and a call worker. Everything here is structured-cloneable. */
export interface CallSpec {
  callId: string;
  workspaceId: string;
  attempt: number;
  direction: 'outbound' | 'inbound' | 'webcall';
  brain: BrainContext;
  turn: TurnSettings;
  voiceKey: string;
  voiceSpeed: number;
  vocab: readonly string[];
  /** Which providers to use: names known to the worker's registry. */
  providers: { vad: string; stt: string; tts: string; llm: string };
  recordingPath: string | null;
  mediaTimeoutMs: number;
}

export type ToWorker =
  | { type: 'allocate'; requestId: number; callId: string; address: string }
  /** The far side's media is known (early media or answer, or a re-offer). */
  | { type: 'media'; callId: string; media: NegotiatedMedia }
  | { type: 'answered'; callId: string; spec: CallSpec; at: number }
  | { type: 'remote_hangup'; callId: string; at: number }
  | { type: 'end'; callId: string; reason: EndReason; say: string | null }
  | { type: 'dtmf_received'; callId: string; digit: DtmfDigit; at: number }
  /** The call never came to be: free its ports. */
  | { type: 'release'; callId: string }
  | { type: 'drain' }
  | { type: 'stop' };

export type FromWorker =
  | { type: 'ready' }
  | { type: 'allocated'; requestId: number; callId: string; port: number; ssrc: number }
  | { type: 'allocation_failed'; requestId: number; callId: string; message: string }
  | { type: 'line'; callId: string; line: TranscriptLine }
  | { type: 'latency'; callId: string; latency: TurnLatency }
  | { type: 'interrupted'; callId: string; at: number; stopMs: number }
  | { type: 'dtmf'; callId: string; digit: DtmfDigit; at: number }
  | { type: 'notice'; callId: string; code: string; message: string }
  /** The conversation wants the call ended: send BYE, then `remote_hangup` is not expected. */
  | { type: 'hangup'; callId: string; reason: EndReason; at: number }
  | { type: 'finished'; callId: string; result: CallResult }
  | { type: 'load'; calls: number; lateTicksP99Ms: number };

export interface CallResult {
  reason: EndReason;
  transcript: readonly TranscriptLine[];
  latencies: readonly TurnLatency[];
  interruptions: number;
  toolLog: readonly { name: string; args: Record<string, unknown>; result: unknown; at: number }[];
  optedOut: boolean;
  firstUtteranceMs: number | null;
  recording: { path: string; durationMs: number; bytes: number; failed: boolean } | null;
  media: MediaStats | null;
  conversationStartedAt: number;
  endedAt: number;
}
