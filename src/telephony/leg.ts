import type { DtmfDigit } from '../voice/ports.ts';

/**
 * The signalling side of one call as the dialer sees it: SIP today, carrier APIs later. Callbacks run on the
 * main thread and never throw; after `onEnded` or `onFailed` nothing more comes.
 */
export interface OutboundRequest {
  trunkId: string;
  from: string;
  to: string;
  /** Display name for From; escaped by the stack, CR and LF refused. */
  displayName: string | null;
  sdpOffer: string;
  /** Give up (CANCEL) after this long without a final answer. */
  ringTimeoutMs: number;
  /** From this moment on nobody may ring (epoch ms); null or absent: the timeout alone counts. */
  ringUntil?: number | null;
  /** Asked about every INVITE; absent: they may leave at any time. */
  gate?: InviteGate;
  /** Our id of the attempt; becomes the SIP Call-ID's local part so that logs meet. */
  attemptId: string;
}

/** What is asked before an INVITE leaves. */
export interface InviteGate {
  /** Whether one may leave at this instant. */
  isOpen(): boolean;
  /** Asks again where that time has passed. False: none may leave any more. Never rejects. */
  reopen(): Promise<boolean>;
}

export interface SignallingEvents {
  /** The INVITE that can make a phone ring was handed to the network. */
  onSent?(): void;
  /** 180, or 183 without media. `earlySdp` is the body of a 18x that carries one. */
  onRinging(info: { sipCode: number; earlySdp: string | null; at: number }): void;
  /** The far side answered; `sdp` is its answer (to our offer). */
  onAnswered(info: { sdp: string; at: number }): void;
  /** No dialog came to be, or it was cancelled. `sipCode` is null for a timeout or transport failure of ours. */
  onFailed(info: CallFailure): void;
  /** An established call is over. */
  onEnded(info: {
    by: 'caller' | 'agent' | 'system';
    cause: string;
    sipCode: number | null;
    at: number;
  }): void;
  /** Re-INVITE: answer with our SDP, or null to refuse with 488. */
  onReoffer(sdp: string): string | null;
  onDtmf(digit: DtmfDigit, at: number): void;
}

/** Outcome classes of a call that was not answered (RFC 3261 section 21; open-points, Calls). */
export type FailureClass = 'busy' | 'no_answer' | 'rejected' | 'invalid_number' | 'failed' | 'cancelled';
export interface CallFailure {
  failure: FailureClass;
  sipCode: number | null;
  reason: string;
  /** True when the request was provably never sent, or only challenged, so nobody can have been rung. */
  neverSent: boolean;
  /** Never sent because the time in which it might leave had passed. */
  tooLate?: boolean;
  at: number;
}

/** How a transfer ended that the far side was asked for (RFC 3515). */
export interface ReferOutcome {
  transferred: boolean;
  /** What the far side answered or reported; null when it told nothing. */
  sipCode: number | null;
  reason: string;
}

export interface OutboundLeg {
  readonly sipCallId: string;
  /** Before an answer: CANCEL (a 200 that races it is acknowledged and ended by BYE). After: BYE. */
  hangup(cause: string): void;
  sendInfoDtmf(digit: DtmfDigit): void;
  /** Asks the far side to call `to` itself; a number is one of the trunk's domain. Never rejects. */
  refer(to: string, timeoutMs: number): Promise<ReferOutcome>;
}

export interface InboundLeg {
  readonly sipCallId: string;
  readonly trunkId: string;
  readonly from: string;
  readonly to: string;
  readonly displayName: string | null;
  /** Null for a late offer: then `answer` carries our offer and `onAnswered` brings the far side's answer. */
  readonly sdpOffer: string | null;
  ringing(): void;
  answer(sdp: string): void;
  reject(sipCode: number, reason?: string): void;
  hangup(cause: string): void;
  sendInfoDtmf(digit: DtmfDigit): void;
  refer(to: string, timeoutMs: number): Promise<ReferOutcome>;
  /** Must be called synchronously in the inbound handler. */
  listen(events: Omit<SignallingEvents, 'onRinging' | 'onSent'>): void;
}

/** The signalling plane: what app.ts builds and the dialer uses. */
export interface Signalling {
  start(): Promise<void>;
  /** Sends the INVITE at once. Throws only for a programming error (unknown trunk). */
  call(request: OutboundRequest, events: SignallingEvents): OutboundLeg;
  onInbound(handler: (leg: InboundLeg) => void): void;
  /** New INVITEs and OPTIONS get 503 from now on; live dialogs go on. */
  drain(): void;
  /** Ends what is left and closes every socket. */
  stop(): Promise<void>;
  health(): {
    listening: string[];
    trunks: { id: string; name: string; reachable: boolean | null; registered: boolean | null }[];
  };
}
