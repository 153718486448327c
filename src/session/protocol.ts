import type { ToolLogEntry } from '../voice/conversation.ts';
import type { DtmfDigit } from '@callwright/audio';
import type { FlowOfAgent, ToolSpec } from '../providers/ports/model.ts';
import type { FlowMove } from '../shared/flow-moves.ts';
import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import type { AnsweredKind, EndReason, KeyRules, TranscriptLine, TurnLatency } from '@callwright/turns';
import type { Language } from '@callwright/language';
import type { CallProviders } from '../vendors/accounts.ts';
import type { FaultKind, VendorPart } from '../shared/vendor-fault.ts';

/** What the main thread and a call worker exchange about a call. Every type here is structured-cloneable. */

/** The agent's version as one attempt uses it, frozen when the attempt starts. */
export interface AgentSnapshot {
  name: string;
  language: Language;
  secondaryLanguage: Language | null;
  /** Engine key of the voice (providers/voices.ts), and its speed, 0.5 to 2. */
  voiceKey: string;
  /** The voice of the secondary language; absent: the same voice. */
  secondaryVoiceKey?: string;
  /** Engine keys of the voices of steps of its flow, by the ids of the voices. Absent: none has its own. */
  stepVoices?: Readonly<Record<string, string>>;
  voiceSpeed: number;
  /** The agent's voice that the call cannot have: its vendor, and why. */
  replacedVoice?: { vendor: string; message: string };
  /** The prompt and the first message as stored: variables are not rendered yet. */
  prompt: string;
  introMessage: string;
  /** The flow that the conversation follows; absent: the prompt. */
  flow?: FlowOfAgent;
  vocab: readonly string[];
  /** Who speaks first. */
  firstSpeaker: { mode: 'auto' | 'agent' | 'caller'; delayMs: number; limitMs: number };
  muteDuringIntro: boolean;
  muteWhileAgentSpeaks: boolean;
  interruptionSensitivity: string;
  idleWarningSeconds: number;
  idleEndSeconds: number;
  /** Noise filter strength, 0 to 100; null: off. */
  noiseSuppression: number | null;
  /** The agent's rules for the caller's keys; absent: the defaults of `@callwright/turns`. */
  keys?: KeyRules;
  /** What the agent does when a machine answers an outbound call; absent: no machine detection. */
  voicemail?: { action: 'end' | 'summarise' | 'static_message'; staticMessage: string | null };
  /** Volume of the office ambience under the agent's voice, 0 to 1; absent: none. */
  backgroundVolume?: number;
}

export interface CallSpec {
  callId: string;
  workspaceId: string;
  attempt: number;
  direction: 'outbound' | 'inbound' | 'webcall';
  agent: AgentSnapshot;
  variables: Readonly<Record<string, string>>;
  /** Passages of the agent's knowledge bases, read when the attempt starts: at most 200 and 256 KB. */
  knowledge?: readonly KnowledgeItem[];
  /** The agent's own tools, in addition to the built-in ones. */
  tools?: readonly ToolSpec[];
  /** Tools used before the call began. */
  toolLog?: readonly ToolLogEntry[];
  /** Providers of the agent or the workspace. Holds keys. Absent: those of the installation. */
  providers?: CallProviders;
  /** The agent's flow may hand the call over to other agents. */
  handsOver?: true;
  /** The agent gives the call back to the one of this name. Absent: it ends the call. */
  returnsTo?: string;
  /** Settings for whichever model answers. */
  llm?: {
    temperature: number | null;
    maxTokens: number | null;
    /** The script engine replies when no model does. Absent: the agent apologises. */
    onModelFailure?: 'script';
  };
  /** Phrases for while a tool runs, and the probability of one being spoken. */
  fillers?: { phrases: readonly string[]; probability: number };
  /** The agent says this sentence alone and hangs up: no recogniser is free to hear the caller. Absent: a conversation. */
  announcement?: string;
  /** Hard cap of the call, shortened to what the balance covers. */
  maxCallMs: number;
  /** Path of the recording below the recordings folder; null: the call is not recorded. */
  recordingPath: string | null;
  /** The data that is not kept because the workspace has reached a storage quota. Absent: everything is kept. */
  notKept?: { readonly recording: boolean; readonly eventLog: boolean };
}

/** Special information tones; `isNumber`: those that say the number is not in service. */
export interface SpecialTones {
  readonly isNumber: boolean;
  readonly at: number;
}

/** Who joins caller and agent on a second leg. */
export interface InvitedGuest {
  readonly name: string;
  /** What the caller hears in the agent's voice before them; null: nothing. */
  readonly announcement: string | null;
  /** The agent has called them, and the caller waits with music. */
  readonly isAwaited?: true;
}

/** Events of a transfer leg after its answer. */
export type BridgeEvent =
  /** The target hears the briefing, and the agent has nothing more to say to the caller. */
  | { type: 'briefing'; at: number }
  /** Caller and target hear each other; the agent takes no more part. */
  | { type: 'connected'; at: number }
  /** A machine answered in the target's place. */
  | { type: 'machine'; kind: AnsweredKind; at: number }
  /** The leg's media timed out. */
  | { type: 'lost'; at: number };

export interface ToolRequest {
  requestId: number;
  name: string;
  args: Record<string, unknown>;
  /** Equal for the same tool with the same arguments in the same turn of the call. */
  key: string;
}
export interface ToolAnswer {
  ok: boolean;
  result: unknown;
  variables?: Readonly<Record<string, string>>;
  /** The tool ended the call, for this reason. */
  ends?: EndReason;
  /** The agent that goes on with the call. */
  next?: NextAgent;
}
/** An agent that takes a call over, as the call would be its own. */
export interface NextAgent {
  readonly id: string;
  /** It had the call before: with its own voice and model, which are still open. Absent: it is new. */
  readonly again?: 'first' | 'other';
  readonly spec: CallSpec;
}

/** Best-effort events for watchers of a live call. */
export type LiveEvent =
  | { type: 'line'; line: TranscriptLine }
  | { type: 'latency'; latency: TurnLatency }
  | { type: 'interrupted'; at: number; stopMs: number }
  | { type: 'dtmf'; digit: DtmfDigit; at: number }
  /** Words of a line that is not over: those of the caller so far, or a sentence that the agent begins. */
  | { type: 'words'; role: 'agent' | 'caller'; text: string; at: number }
  /** The conversation left a step of its flow. */
  | ({ type: 'moved'; at: number } & FlowMove)
  /** With the last four if a vendor failed. */
  | {
      type: 'notice';
      code: string;
      message: string;
      part?: VendorPart;
      vendor?: string;
      reason?: FaultKind;
      status?: number | null;
    };
