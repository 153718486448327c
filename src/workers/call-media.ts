import type { FailureReason } from '../shared/failure-reason.ts';
import type { NegotiatedMedia } from '@callwright/rtp';
import type { WebSocketHandover } from '../telephony/web/handover.ts';
import type { DtmfDigit } from '@callwright/audio';
import type { EndReason } from '../voice/turn/types.ts';
import type { BridgeEvent, CallSpec, LiveEvent, ToolAnswer, ToolRequest, SpecialTones } from './protocol.ts';
import type { ConversationResult, ConversationProgress } from '../voice/conversation.ts';

/** Events of one call's worker, delivered on the main thread. */
export interface CallMediaEvents {
  onLive(event: LiveEvent): void;
  /** The part of the conversation since the last such event. */
  onProgress(progress: ConversationProgress): void;
  /** The caller opted out; the call goes on. */
  onOptOut(): void;
  /** Run a tool that lives on the main thread; answer with `toolResult`. */
  onTool(request: ToolRequest): void;
  onBridge(event: BridgeEvent): void;
  /** While the call rang, the network played special information tones. */
  onSpecialTones(tones: SpecialTones): void;
  /** The caller of a browser call hung up, or did not come back in time (`system`). */
  onLeft(by: 'caller' | 'system', at: number): void;
  onListenerLeft(listenerId: string): void;
  /** `failure`: of the reason FAILED, where no result follows. */
  onHangup(reason: EndReason, failure?: FailureReason): void;
  onFinished(result: ConversationResult): void;
  /** The worker died with the call on it; no other event follows. */
  onLost(): void;
}

/** The main thread's handle on one call of a worker. */
export interface CallMedia {
  readonly port: number;
  setMedia(media: NegotiatedMedia): void;
  /** Synthesises the first message while the far side rings. */
  prepare(spec: CallSpec): void;
  answered(spec: CallSpec, at: number): void;
  remoteHangup(at: number): void;
  end(reason: EndReason, say: string | null): void;
  dtmf(digit: DtmfDigit, at: number): void;
  toolResult(requestId: number, outcome: ToolAnswer): void;
  /** Opens the transfer leg and resolves with its RTP port. Rejects when no port pair is free. */
  openBridge(briefing: string): Promise<number>;
  setBridgeMedia(media: NegotiatedMedia): void;
  bridgeAnswered(at: number): void;
  bridgeDtmf(digit: DtmfDigit): void;
  closeBridge(): void;
  /** Carries a browser call on over this connection. */
  connectWeb(socket: WebSocketHandover, resume: string): void;
  /** A member of the workspace listens to the call over this connection. */
  listen(listenerId: string, socket: WebSocketHandover): void;
  release(): void;
}
