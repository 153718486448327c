import type { ConversationOrder } from '../shared/call-order.ts';
import type { CarrierKind } from '../shared/carrier-kinds.ts';
import type { FailureReason } from '../shared/failure-reason.ts';
import type { Sends } from '../shared/threads/remote.ts';
import type { NegotiatedMedia } from '@callwright/rtp';
import type { WebSocketHandover } from '../telephony/web/handover.ts';
import type { DtmfDigit, SampleRate } from '@callwright/audio';
import type { EndReason } from '@callwright/turns';
import type {
  BridgeEvent,
  CallSpec,
  InvitedGuest,
  LiveEvent,
  NextAgent,
  SpecialTones,
  ToolAnswer,
  ToolRequest,
} from '../session/protocol.ts';
import type { ConversationProgress, ConversationResult } from '../voice/conversation.ts';

/** A call of a worker, as the main thread reaches it. Arguments and results are structured-cloneable. */
export interface HostedCallApi {
  /** The SDP negotiation has a result: early media, the answer or a re-offer. */
  setMedia(media: NegotiatedMedia): void;
  /** Synthesises the first message while the far side rings. */
  prepare(spec: CallSpec): void;
  answered(spec: CallSpec, at: number): void;
  remoteHangup(at: number): void;
  end(reason: EndReason, say: string | null): void;
  dtmf(digit: DtmfDigit, at: number): void;
  /** Sends keys in the audio that the far side does not take by the signalling. */
  keysInAudio(digits: readonly DtmfDigit[]): void;
  /** We put the far side on hold, or took it off. */
  holdFarSide(isHeld: boolean): void;
  /** What a person of the workspace does to the call. */
  control(order: ConversationOrder): void;
  toolResult(requestId: number, outcome: ToolAnswer): void;
  /** This agent may take the call over: connects to the vendors of its model and voice. */
  prepareNext(next: NextAgent): void;
  /** Opens the leg of a warm transfer; its callee hears `briefing` before the two are connected. `guest`: who joins caller and agent instead. */
  openBridge(briefing: string, guest: InvitedGuest | null): Promise<Allocation>;
  setBridgeMedia(media: NegotiatedMedia): void;
  bridgeAnswered(at: number): void;
  /** The agent leaves the caller and the guest of the second leg alone. */
  connectGuest(): void;
  bridgeDtmf(digit: DtmfDigit, at: number): void;
  bridgeKeysInAudio(digits: readonly DtmfDigit[]): void;
  closeBridge(): void;
  /** Closes the connection of a listener. */
  unlisten(listenerId: string): void;
  /** The call was never answered: frees its ports. */
  release(): void;
}

/** How the audio of a call travels. */
export type LegKind = RtpTerms | 'web' | StreamKind;
export interface RtpTerms {
  /** Of the call's audio, whatever codec the far side takes: 16,000 where its trunk has wideband. */
  readonly sampleRate: SampleRate;
  /** The trunk has Opus; absent: not. */
  readonly opus?: boolean;
  /** The address to bind; absent: that of the process, with several SIP_HOST all interfaces. */
  readonly host?: string;
}
export interface StreamKind {
  /** Over a WebSocket of this carrier. */
  readonly carrier: CarrierKind;
  /** The carrier places the call, and connects when the callee answers. */
  readonly isPlaced: boolean;
}

/** An RTP port, or why there is none. `freePairs`: pairs left for requests in flight and later ones; Infinity without a range. */
export type Allocation =
  | { readonly port: number; readonly freePairs: number }
  | { readonly refusal: string; readonly freePairs: number };

/** Events of one call that its worker sends. */
export interface HostedCallEvents {
  /** The caller opted out: the main thread stores it while the call goes on. */
  onOptOut(): void;
  /** Run a tool that lives on the main thread; answer with `toolResult`. */
  onTool(request: ToolRequest): void;
  /** These agents may take the call over next; answer with `prepareNext`. */
  onMayHandTo(agentIds: readonly string[]): void;
  onBridge(event: BridgeEvent): void;
  /** Keys for the far side that go by the signalling; what it does not take comes back by `keysInAudio`. */
  onKeys(digits: readonly DtmfDigit[]): void;
  /** The same for the second leg. */
  onBridgeKeys(digits: readonly DtmfDigit[]): void;
  /** While the call rang, the network played special information tones. */
  onSpecialTones(tones: SpecialTones): void;
  /** The caller of a browser call hung up, or did not come back in time (`system`). */
  onLeft(by: 'caller' | 'system', at: number): void;
  /** A listener's connection closed, or could not be taken over. */
  onListenerLeft(listenerId: string): void;
  /** The conversation is over: hang up the signalling. `failure`: of the reason FAILED, where no result follows. */
  onHangup(reason: EndReason, failure?: FailureReason): void;
}

/** Events of one call, delivered on the main thread. */
export interface CallMediaEvents extends HostedCallEvents {
  onLive(event: LiveEvent): void;
  /** The part of the conversation since the last such event. */
  onProgress(progress: ConversationProgress): void;
  onFinished(result: ConversationResult): void;
  /** The worker ended with the call on it, by itself or because its heap was full; no other event follows. */
  onLost(why: 'ended' | 'memory'): void;
}

/** The main thread's handle on one call of a worker. */
export interface CallMedia extends Sends<HostedCallApi> {
  readonly port: number;
  /** Opens the transfer leg and resolves with its RTP port. Rejects when no port pair is free. */
  openBridge(briefing: string, guest: InvitedGuest | null): Promise<number>;
  /** Carries a browser call on, or a carrier's, over this connection. */
  connectWeb(socket: WebSocketHandover, proof: string): void;
  /** A member of the workspace listens to the call over this connection. */
  listen(listenerId: string, name: string, socket: WebSocketHandover): void;
}
