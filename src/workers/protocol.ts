import type { MessagePort } from 'node:worker_threads';
import type { NegotiatedMedia } from '@callwright/rtp';
import type { WebSocketHandover } from '../telephony/web/handover.ts';
import type { ConversationProgress, ConversationResult, ToolLogEntry } from '../voice/conversation.ts';
import type { DtmfDigit } from '@callwright/audio';
import type { RecogniserFault } from '../providers/ports/recogniser.ts';
import type { ToolSpec } from '../providers/ports/model.ts';
import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import type { FailureReason } from '../shared/failure-reason.ts';
import type { AnsweredKind } from '../shared/answered-by.ts';
import type { Language } from '@callwright/language';
import type { CallProviders } from '../vendors/accounts.ts';
import type { FaultKind, VendorFault, VendorPart } from '../shared/vendor-fault.ts';
import type { FaultyPart } from '../providers/choose/faults.ts';
import type { EndReason, KeyRules, TranscriptLine, TurnLatency } from '../voice/turn/types.ts';

/** Messages between the main thread and a call worker. Every type here is structured-cloneable; a port is transferred. */

/** The agent's version as one attempt uses it, frozen when the attempt starts. */
export interface AgentSnapshot {
  name: string;
  language: Language;
  secondaryLanguage: Language | null;
  /** Engine key of the voice (providers/voices.ts), and its speed, 0.5 to 2. */
  voiceKey: string;
  /** The voice of the secondary language; absent: the same voice. */
  secondaryVoiceKey?: string;
  voiceSpeed: number;
  /** The agent's voice that the call cannot have: its vendor, and why. */
  replacedVoice?: { vendor: string; message: string };
  /** The prompt and the first message as stored: variables are not rendered yet. */
  prompt: string;
  introMessage: string;
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
  /** The agent's rules for the caller's keys; absent: the defaults of voice/turn/keypad.ts. */
  keys?: KeyRules;
  /** What the agent does when a machine answers an outbound call; absent: no machine detection. */
  voicemail?: { action: 'end' | 'summarise' | 'static_message'; staticMessage: string | null };
  /** Volume of the office ambience under the agent's voice, 0 to 1; absent: none. */
  backgroundVolume?: number;
}

/** The agent's own language model. `apiKey` is plaintext: never log it or pass it on. */
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
  /** Passages of the agent's knowledge bases, read when the attempt starts: at most 200 and 256 KB. */
  knowledge?: readonly KnowledgeItem[];
  /** The agent's own tools, in addition to the built-in ones. */
  tools?: readonly ToolSpec[];
  /** Tools used before the call began. */
  toolLog?: readonly ToolLogEntry[];
  /** Providers of the agent or the workspace. Holds keys. Absent: those of the installation. */
  providers?: CallProviders;
  llm?: {
    own: OwnModel | null;
    temperature: number | null;
    maxTokens: number | null;
    /** The script engine replies when no model does. Absent: the agent apologises. */
    onModelFailure?: 'script';
  };
  /** Phrases for while a tool runs, and the probability of one being spoken. */
  fillers?: { phrases: readonly string[]; probability: number };
  /** Hard cap of the call, shortened to what the balance covers. */
  maxCallMs: number;
  /** Path of the recording below the recordings folder; null: the call is not recorded. */
  recordingPath: string | null;
}

export type ToWorker =
  /** `web`: a leg without ports, for a browser call. */
  | { type: 'allocate'; requestId: number; callId: string; kind: 'rtp' | 'web' }
  /** A connection of a browser call: the first one, or one after a cut. `resume` is the token of the next. */
  | { type: 'web_socket'; callId: string; socket: WebSocketHandover; resume: string }
  /** The connection of a member who listens to the call. */
  | { type: 'listener'; callId: string; listenerId: string; socket: WebSocketHandover }
  /** The SDP negotiation has a result: early media, the answer or a re-offer. */
  | { type: 'media'; callId: string; media: NegotiatedMedia }
  /** The call is being placed: synthesise the first message ahead of the answer. */
  | { type: 'prepare'; callId: string; spec: CallSpec }
  | { type: 'answered'; callId: string; spec: CallSpec; at: number }
  | { type: 'remote_hangup'; callId: string; at: number }
  | { type: 'end'; callId: string; reason: EndReason; say: string | null }
  | { type: 'dtmf_received'; callId: string; digit: DtmfDigit; at: number }
  | { type: 'tool_result'; callId: string; requestId: number; outcome: ToolAnswer }
  /** Opens the second leg of a warm transfer; its callee hears `briefing` before the two are connected. */
  | { type: 'bridge_open'; requestId: number; callId: string; briefing: string }
  | { type: 'bridge_media'; callId: string; media: NegotiatedMedia }
  | { type: 'bridge_answered'; callId: string; at: number }
  | { type: 'bridge_dtmf'; callId: string; digit: DtmfDigit }
  | { type: 'bridge_close'; callId: string }
  /** The call was never answered: free its ports. */
  | { type: 'release'; callId: string }
  /** Another worker found a vendor broken: pass it over. `name` is the vendor's in the health of its part. */
  | { type: 'vendor_broken'; part: VendorPart; name: string; fault: VendorFault }
  /** Another worker found the vendor of a chosen account broken. */
  | AccountBroken
  /** `pong` answers; a worker that does not answer for seconds is replaced. */
  | { type: 'ping' }
  | { type: 'stop' };

/** All calls of the account pass its vendor over. `account`: its id, which reveals no key. */
export interface AccountBroken {
  readonly type: 'account_broken';
  readonly account: string;
  readonly fault: VendorFault;
}

/** `freePairs`: RTP port pairs left for requests in flight and later ones; Infinity without a port range. */
export type FromWorker =
  | { type: 'ready'; engines: { vad: string; stt: string; tts: string; llm: string }; freePairs: number }
  /** The worker's end of this port has requests for the speech thread. */
  | { type: 'speech'; port: MessagePort }
  | { type: 'allocated'; requestId: number; port: number; freePairs: number }
  | { type: 'allocation_failed'; requestId: number; message: string; freePairs: number }
  | { type: 'live'; callId: string; event: LiveEvent }
  /** The part of the conversation since the last such message, for the journal. */
  | { type: 'progress'; callId: string; progress: ConversationProgress }
  /** The caller opted out: the main thread stores it while the call goes on. */
  | { type: 'opted_out'; callId: string }
  /** Run a tool that lives on the main thread; `tool_result` answers. */
  | { type: 'tool'; callId: string; request: ToolRequest }
  | { type: 'bridge'; callId: string; event: BridgeEvent }
  /** While the call rang, the network played special information tones. */
  | { type: 'special_tones'; callId: string; tones: SpecialTones }
  /** The caller of a browser call hung up, or did not come back in time (`system`). */
  | { type: 'left'; callId: string; by: 'caller' | 'system'; at: number }
  /** A listener's connection closed, or could not be taken over. */
  | { type: 'listener_left'; callId: string; listenerId: string }
  /** The conversation is over: hang up the signalling. `finished` follows. */
  | { type: 'hangup'; callId: string; reason: EndReason; failure?: FailureReason }
  | { type: 'finished'; callId: string; result: ConversationResult }
  /** A vendor failed a call; `broken`: the name under which all calls pass it over, null: they do not. */
  | { type: 'vendor_fault'; part: FaultyPart; fault: VendorFault; broken: string | null }
  | AccountBroken
  /** Whether the recogniser of the machine works; sent when it changes. */
  | { type: 'recogniser'; fault: RecogniserFault | null }
  | { type: 'load'; calls: number; rtpPortsInUse: number; lateTickP99Ms: number; freePairs: number }
  | { type: 'pong' }
  | { type: 'stopped' };

/** Special information tones; `isNumber`: those that say the number is not in service. */
export interface SpecialTones {
  readonly isNumber: boolean;
  readonly at: number;
}

/** Events of a transfer leg after its answer. */
export type BridgeEvent =
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
}

/** Best-effort events for watchers of a live call. */
export type LiveEvent =
  | { type: 'line'; line: TranscriptLine }
  | { type: 'latency'; latency: TurnLatency }
  | { type: 'interrupted'; at: number; stopMs: number }
  | { type: 'dtmf'; digit: DtmfDigit; at: number }
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
