import type { SipMessage, SipRequest, SipResponse } from '../message.ts';

/** Timers of RFC 3261 section 17 and RFC 6026, by their letters. C belongs to proxies. */
export type TimerName = 'A' | 'B' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M';

/** T1, T2 and T4 in milliseconds (RFC 3261 table 4). */
export interface Timing {
  readonly t1Ms: number;
  readonly t2Ms: number;
  readonly t4Ms: number;
}

export const DEFAULT_TIMING: Timing = { t1Ms: 500, t2Ms: 4000, t4Ms: 5000 };

/** The constants of a server transaction, which needs no more of its request than the responses have. */
export interface ServerFrame {
  /** True on TCP: no retransmission. */
  readonly reliable: boolean;
  readonly timing: Timing;
}

/** The constants of a client transaction. */
export interface Frame extends ServerFrame {
  readonly request: SipRequest;
}

export type UserEvent =
  | { readonly kind: 'response'; readonly response: SipResponse }
  | { readonly kind: 'ack'; readonly request: SipRequest }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'transportError' };

export type Effect =
  | { readonly kind: 'send'; readonly message: SipMessage }
  /** A response goes out once more. */
  | { readonly kind: 'repeat'; readonly text: string }
  | { readonly kind: 'start'; readonly timer: TimerName; readonly ms: number }
  | { readonly kind: 'cancel'; readonly timer: TimerName }
  | { readonly kind: 'toUser'; readonly event: UserEvent };

export type ClientEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'timer'; readonly timer: TimerName }
  | { readonly kind: 'response'; readonly response: SipResponse }
  /** The TU abandoned the request: no more retransmissions, responses are still handled. */
  | { readonly kind: 'stopRetransmitting' }
  | { readonly kind: 'transportError' };

export type ServerEvent =
  | { readonly kind: 'timer'; readonly timer: TimerName }
  /** A request that matches the transaction: a retransmission, or the ACK of an INVITE. */
  | { readonly kind: 'request'; readonly request: SipRequest }
  /**
   * A response of the TU, and its text for repetitions: it stays for up to 32 s, and the parts of the response would keep those of the
   * request for as long.
   */
  | { readonly kind: 'respond'; readonly response: SipResponse; readonly text: string }
  | { readonly kind: 'transportError' };

export interface Step<State> {
  readonly state: State;
  readonly effects: readonly Effect[];
}

export const send = (message: SipMessage): Effect => ({ kind: 'send', message });
export const repeat = (text: string): Effect => ({ kind: 'repeat', text });
export const start = (timer: TimerName, ms: number): Effect => ({ kind: 'start', timer, ms });
export const cancel = (timer: TimerName): Effect => ({ kind: 'cancel', timer });
export const toUser = (event: UserEvent): Effect => ({ kind: 'toUser', event });
export const deliver = (response: SipResponse): Effect => toUser({ kind: 'response', response });
export const stay = <State>(state: State): Step<State> => ({ state, effects: [] });
