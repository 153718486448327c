import type { DtmfDigit } from '@callwright/audio';
import type { Header } from './message.ts';
import type { ByeHeaders, CallHeaders } from './call-headers.ts';

/**
 * One call as its user sees it, without SIP messages. Callbacks must not throw; `onEnded` or `onFailed` is the last one.
 */
export interface OutboundRequest {
  trunkId: string;
  from: string;
  to: string;
  /** Display name for From. The stack escapes it; CR or LF fails the call. */
  displayName: string | null;
  sdpOffer: string;
  /** CANCEL after this long without a final response. */
  ringTimeoutMs: number;
  /** End of the dialling window (epoch ms): ringing stops then at the latest. Null or absent: only the timeout applies. */
  ringUntil?: number | null;
  /** Dial gate, checked before every INVITE; absent: no gate. */
  gate?: InviteGate;
  /**
   * Whether the call may go to a target that a 3xx names, a number or a SIP URI, instead. Never rejects. Absent: a 3xx fails
   * the call.
   */
  redirect?: (to: string) => Promise<boolean>;
  /** For the headers that the trunk's rules add; absent: none. */
  variables?: Readonly<Record<string, string>>;
  /** Further headers of the INVITE; absent: none. */
  headers?: readonly Header[];
  /** Attempt id; becomes the local part of the SIP Call-ID, so that logs correlate. */
  attemptId: string;
}

/** The dial gate as the SIP stack uses it: an INVITE leaves only with an unexpired dial permit. */
export interface InviteGate {
  /** True while the dial permit is valid. */
  isOpen(): boolean;
  /** Requests a new dial permit after the old one expired. False: the call must not be dialled. Never rejects. */
  reopen(): Promise<boolean>;
}

export interface SignallingEvents {
  /** The network took an INVITE that can make a phone ring, so not one that only draws a challenge. */
  onSent?(): void;
  /** Any provisional response above 100. `earlySdp` is its SDP body, if it has one. */
  onRinging(info: { sipCode: number; earlySdp: string | null; at: number }): void;
  /** The callee answered; `sdp` is the answer to our offer. */
  onAnswered(info: { sdp: string; at: number }): void;
  /** The call failed before an answer or was cancelled. `sipCode` is null when no response was received. */
  onFailed(info: CallFailure): void;
  /** An answered call ended. */
  onEnded(info: {
    by: 'caller' | 'agent' | 'system';
    cause: string;
    sipCode: number | null;
    at: number;
    /** What the peer's BYE says; absent: no BYE of the peer ended it. */
    bye?: ByeHeaders;
  }): void;
  /** Re-INVITE: returns our SDP answer, or null to refuse with 488. */
  onReoffer(sdp: string): string | null;
  /** Re-INVITE without SDP: returns an offer as for a new call, or null for 488. Absent: our last SDP is repeated. */
  onOfferRequest?(): string | null;
  /** The answer to that offer, from the ACK. */
  onReofferAnswer?(sdp: string): void;
  /**
   * The peer refers the call to another target: whether it may go there. Then the user goes on with the target, whose SDP
   * comes by `onReofferAnswer`; `onOfferRequest` makes the offer. Never rejects. Absent: no target.
   */
  onRefer?(refer: ReferRequest): Promise<boolean>;
  onDtmf(digit: DtmfDigit, at: number): void;
}

/** REFER of the peer (RFC 3515). */
export interface ReferRequest {
  /** A number, or a SIP URI. */
  readonly to: string;
  readonly headers: ByeHeaders;
}

/** Outcome classes of a call that was not answered (RFC 3261 section 21; open-points, Calls). */
export type FailureClass = 'busy' | 'no_answer' | 'rejected' | 'invalid_number' | 'failed' | 'cancelled';

export interface CallFailure {
  failure: FailureClass;
  sipCode: number | null;
  reason: string;
  /** True when no phone can have rung: the INVITE was never sent, or was only challenged. */
  neverSent: boolean;
  /** True when the INVITE was not sent because the dialling window or the dial permit had expired. */
  tooLate?: boolean;
  /** Retry-After of the final response: no new try before it. Null or absent: it has none. */
  retryAfterMs?: number | null;
  at: number;
}

/** Outcome of a REFER (RFC 3515). */
export interface ReferOutcome {
  transferred: boolean;
  /** The far side accepted the REFER: it may have called the target. */
  accepted: boolean;
  /** Status of the REFER response or of the last NOTIFY; null without either. */
  sipCode: number | null;
  reason: string;
}

/** One SIP message of a call, without numbers, credentials and bodies. */
export interface SipStep {
  /** Epoch ms. */
  readonly at: number;
  readonly direction: 'in' | 'out';
  /** `INVITE`, or `200 INVITE` for a response. */
  readonly what: string;
  /** Reason phrase, and headers that explain the outcome. */
  readonly note: string;
}

/** What became of an offer of ours: the peer's answer, or the status that refused it; null: no response, or the call is over. */
export type ReofferOutcome = { readonly answer: string } | { readonly refusedBy: number | null };

/**
 * Changes the session of an answered call: sends `offer()` in a re-INVITE, made anew for each try, since a request of the peer
 * that it meets (491) may change the session first. `done` runs once; the caller makes no second offer before it.
 */
export type Reoffer = (offer: () => string, done: (outcome: ReofferOutcome) => void) => void;

export interface OutboundLeg {
  readonly sipCallId: string;
  /** Target for a `refer` of another leg that takes this one's place at its peer; null: not answered. Absent: no SIP. */
  readonly replacingUri?: string | null;
  /** Address of the peer's signalling; null before the INVITE. */
  readonly peerAddress: string | null;
  /** Sends CANCEL before the answer (a 200 that races it gets ACK and BYE), BYE after it. The peer reads `cause` in Reason. */
  hangup(cause: string): void;
  /**
   * Sends a key by INFO, after those before it. `onRefused`: the peer does not take it this way; absent: then it is lost.
   */
  sendInfoDtmf(digit: DtmfDigit, onRefused?: (digit: DtmfDigit) => void): void;
  /** Absent: the leg has no session that an offer could change. */
  readonly reoffer?: Reoffer;
  /**
   * Sends REFER to `to`, a SIP URI or a number in the trunk's domain, with the headers that the trunk's rules add for these
   * variables. Never rejects.
   */
  refer(to: string, timeoutMs: number, variables?: Readonly<Record<string, string>>): Promise<ReferOutcome>;
}

export interface InboundEvents extends Omit<SignallingEvents, 'onRinging' | 'onSent'> {
  /**
   * The ACK of an answer to the caller's offer arrived. It proves that the caller received our 200: media must not
   * start before, or a spoofed INVITE could direct it at a third party. With a delayed offer `onAnswered` is the proof.
   */
  onAcknowledged?(info: { at: number }): void;
}

export interface InboundLeg {
  readonly sipCallId: string;
  /** Tag of the caller's From: with the Call-ID it names the call, whichever process it reaches. */
  readonly fromTag: string;
  /** Address of the peer's signalling. */
  readonly peerAddress: string;
  /** Trunks of the source address, best match first. Several carriers may share one proxy: the number decides. */
  readonly trunkIds: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly displayName: string | null;
  readonly headers: CallHeaders;
  /** Null for a delayed offer: `answer` then carries our offer and `onAnswered` the caller's answer from the ACK. */
  readonly sdpOffer: string | null;
  ringing(): void;
  /** `variables`: for the headers that the trunk's rules add to our BYE; absent: none. */
  answer(sdp: string, variables?: Readonly<Record<string, string>>): void;
  reject(sipCode: number, reason?: string): void;
  hangup(cause: string): void;
  sendInfoDtmf: OutboundLeg['sendInfoDtmf'];
  readonly reoffer?: Reoffer;
  refer: OutboundLeg['refer'];
  /** Must be called synchronously in the inbound handler, before the first event. */
  listen(events: InboundEvents): void;
}
