import type { NegotiatedMedia } from '../telephony/media.ts';
import type { DtmfDigit, MediaStats, ToolSpec } from '../voice/ports.ts';
import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import type { Language } from '../shared/languages.ts';
import type { EndReason, KeyRules, TranscriptLine, TurnLatency } from '../voice/turn/types.ts';

/** The typed message pair between the main thread and a call worker. Everything here is structured-cloneable. */

/** The version of an agent as one call uses it: frozen when the attempt starts. */
export interface AgentSnapshot {
  name: string;
  language: Language;
  secondaryLanguage: Language | null;
  /** Engine key of the voice (providers/voices.ts), and its speed, 0.5 to 2. */
  voiceKey: string;
  voiceSpeed: number;
  /** The whole prompt and the first message as stored, variables not yet rendered. */
  prompt: string;
  introMessage: string;
  vocab: readonly string[];
  muteDuringIntro: boolean;
  muteWhileAgentSpeaks: boolean;
  interruptionSensitivity: string;
  idleWarningSeconds: number;
  idleEndSeconds: number;
  /** Noise filter strength 0 to 100, or null when it is off. */
  noiseSuppression: number | null;
  /** Rules for the caller's keys; absent: the conversation's own. */
  keys?: KeyRules;
  /** What is done when a machine takes an outbound call; absent: nobody looks. */
  voicemail?: { action: 'end' | 'summarise' | 'static_message'; staticMessage: string | null };
  /** Volume of the office under the agent's voice, 0 to 1; absent: none. */
  backgroundVolume?: number;
}

/** One use of a tool, as the call's record keeps it. */
export interface ToolUse {
  name: string;
  args: Record<string, unknown>;
  result: unknown;
  at: number;
  ms?: number;
  ok?: boolean;
  phase?: 'pre_call' | 'on_call' | 'post_call';
  variables?: Readonly<Record<string, string>>;
}

/** The model of the agent's owner: its key is in the clear here and goes nowhere else. */
export interface OwnModel {
  baseUrl: string;
  apiKey: string | null;
  model: string;
}

export interface CallSpec {
  callId: string;
  workspaceId: string;
  attempt: number;
  direction: 'outbound' | 'inbound' | 'webcall';
  agent: AgentSnapshot;
  variables: Readonly<Record<string, string>>;
  /** What the agent may look up: at most 200 pieces and 256 KB, as they are when the attempt starts. */
  knowledge?: readonly KnowledgeItem[];
  /** What the agent may use, beside what every agent has. */
  tools?: readonly ToolSpec[];
  /** Tools used before the call began. */
  toolLog?: readonly ToolUse[];
  llm?: { own: OwnModel | null; temperature: number | null; maxTokens: number | null };
  /** What is said while a tool works, and how often. */
  fillers?: { phrases: readonly string[]; probability: number };
  /** Hard cap of the call, already shortened to what the balance covers. */
  maxCallMs: number;
  /** Where the recording is written, below the recordings folder; null: not recorded. */
  recordingPath: string | null;
}

export type ToWorker =
  | { type: 'allocate'; requestId: number; callId: string }
  /** The far side's media is known (early media, answer or re-offer). */
  | { type: 'media'; callId: string; media: NegotiatedMedia }
  /** The call is being placed: what will be said first can be made ready. */
  | { type: 'prepare'; callId: string; spec: CallSpec }
  | { type: 'answered'; callId: string; spec: CallSpec; at: number }
  | { type: 'remote_hangup'; callId: string; at: number }
  | { type: 'end'; callId: string; reason: EndReason; say: string | null }
  | { type: 'dtmf_received'; callId: string; digit: DtmfDigit; at: number }
  | { type: 'tool_result'; callId: string; requestId: number; outcome: ToolAnswer }
  /** A second leg, for the person the caller is handed to; they are told `briefing` before they are connected. */
  | { type: 'bridge_open'; requestId: number; callId: string; briefing: string }
  | { type: 'bridge_media'; callId: string; media: NegotiatedMedia }
  | { type: 'bridge_answered'; callId: string; at: number }
  | { type: 'bridge_dtmf'; callId: string; digit: DtmfDigit }
  | { type: 'bridge_close'; callId: string }
  /** The call never came to be: free its ports. */
  | { type: 'release'; callId: string }
  | { type: 'stop' };

/** `freePairs`: RTP pairs left for the requests that are not answered yet and for those to come; Infinity without a range. */
export type FromWorker =
  | { type: 'ready'; engines: { vad: string; stt: string; tts: string; llm: string }; freePairs: number }
  | { type: 'allocated'; requestId: number; port: number; freePairs: number }
  | { type: 'allocation_failed'; requestId: number; message: string; freePairs: number }
  | { type: 'live'; callId: string; event: LiveEvent }
  /** What came of the talk since the last time, in the shape of the result's own. */
  | { type: 'talk'; callId: string; news: Talk }
  /** The person asked not to be called again: it is written while the call goes on. */
  | { type: 'opted_out'; callId: string }
  /** A tool that works outside the call's media. */
  | { type: 'tool'; callId: string; request: ToolRequest }
  | { type: 'bridge'; callId: string; event: BridgeEvent }
  /** The conversation wants the call ended: hang up the signalling. `finished` follows by itself. */
  | { type: 'hangup'; callId: string; reason: EndReason }
  | { type: 'finished'; callId: string; result: CallResult }
  | { type: 'load'; calls: number; rtpPortsInUse: number; lateTickP99Ms: number; freePairs: number }
  | { type: 'stopped' };

/** What becomes of a second leg after its answer. */
export type BridgeEvent =
  /** Both hear each other; the conversation is out of it. */
  | { type: 'connected'; at: number }
  /** Nothing comes from it any more. */
  | { type: 'lost'; at: number };

export interface ToolRequest {
  requestId: number;
  name: string;
  args: Record<string, unknown>;
}
export interface ToolAnswer {
  ok: boolean;
  result: unknown;
  variables?: Readonly<Record<string, string>>;
  /** The call itself is over by it. */
  ends?: EndReason;
}

/** What a live view shows while the call runs; nothing depends on it being seen. */
export type LiveEvent =
  | { type: 'line'; line: TranscriptLine }
  | { type: 'latency'; latency: TurnLatency }
  | { type: 'interrupted'; at: number; stopMs: number }
  | { type: 'dtmf'; digit: DtmfDigit; at: number }
  | { type: 'notice'; code: string; message: string };

/** What was said and done in a conversation, or in a part of it; `interruptions` are all so far. */
export interface Talk {
  transcript: readonly TranscriptLine[];
  latencies: readonly TurnLatency[];
  interruptions: number;
  toolLog: readonly ToolUse[];
  /** Answer to the first packet of the agent's first word; null: it made no sound. */
  firstUtteranceMs: number | null;
}

export interface CallResult extends Talk {
  reason: EndReason;
  optedOut: boolean;
  /** The person asked to be called again at this time (epoch ms); null when not. */
  callback: { at: number; note: string } | null;
  recording: { path: string; durationMs: number; bytes: number; failed: boolean } | null;
  media: MediaStats | null;
  /** Audio of the second legs that were answered, in order. */
  transfers: readonly MediaStats[];
  startedAt: number;
  endedAt: number;
}
