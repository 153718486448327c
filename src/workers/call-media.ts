import type { NegotiatedMedia } from '../telephony/media.ts';
import type { DtmfDigit } from '../voice/ports.ts';
import type { EndReason } from '../voice/turn/types.ts';
import type {
  BridgeEvent,
  CallResult,
  CallSpec,
  LiveEvent,
  Talk,
  ToolAnswer,
  ToolRequest,
} from './protocol.ts';

/** What the main thread hears of one call's media and conversation. */
export interface CallMediaEvents {
  onLive(event: LiveEvent): void;
  /** What came of the talk since the last time. */
  onTalk(news: Talk): void;
  /** The person asked not to be called again; the call goes on. */
  onOptOut(): void;
  /** A tool that works outside the call's media; answered by `toolResult`. */
  onTool(request: ToolRequest): void;
  /** The second leg of a transfer. */
  onBridge(event: BridgeEvent): void;
  onHangup(reason: EndReason): void;
  onFinished(result: CallResult): void;
  /** The worker died with the call on it; nothing else follows. */
  onLost(): void;
}

/** The main thread's handle of one call on a worker. */
export interface CallMedia {
  readonly port: number;
  setMedia(media: NegotiatedMedia): void;
  /** Makes the first words ready while the far side rings. */
  prepare(spec: CallSpec): void;
  answered(spec: CallSpec, at: number): void;
  remoteHangup(at: number): void;
  end(reason: EndReason, say: string | null): void;
  dtmf(digit: DtmfDigit, at: number): void;
  toolResult(requestId: number, outcome: ToolAnswer): void;
  /** Opens a second leg beside the first one and resolves with its port. Rejects when there is none. */
  openBridge(briefing: string): Promise<number>;
  setBridgeMedia(media: NegotiatedMedia): void;
  bridgeAnswered(at: number): void;
  bridgeDtmf(digit: DtmfDigit): void;
  closeBridge(): void;
  release(): void;
}
