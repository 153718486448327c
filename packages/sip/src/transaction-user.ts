import type { Header, SipMessage, SipRequest, SipResponse } from './message.ts';
import type { Origin } from './transport.ts';

/** Callbacks of a client transaction (the TU of RFC 3261 section 17). */
export interface ClientUser {
  onResponse(response: SipResponse): void;
  onTimeout(): void;
  /** The network took the request for the first time. */
  onSent?(): void;
  /** Dial gate, checked again after a connection was established; absent: no gate. */
  mayLeave?(): boolean;
  /** `neverSent`: the network took no byte of the request. `tooLate`: `mayLeave` returned false. */
  onTransportError(neverSent: boolean, tooLate: boolean): void;
}

export interface ServerTransaction {
  readonly request: SipRequest;
  readonly origin: Origin;
  respond(response: SipResponse): void;
}

/** Decision on a request before the endpoint keeps state for it; a status is sent statelessly. */
export type Screening = 'accept' | 'drop' | { readonly status: number; readonly headers: readonly Header[] };

/** The user agent core as the transaction layer calls it. */
export interface EndpointUser {
  /** False drops a message before it is parsed. */
  admits(origin: Origin, bytes: number): boolean;
  /** False suppresses a stateless error response. */
  mayRefuse(origin: Origin): boolean;
  screen(request: SipRequest, origin: Origin): Screening;
  onRequest(transaction: ServerTransaction): void;
  /** The ACK of a 2xx. */
  onAck(ack: SipRequest): void;
  /** The peer cancelled this INVITE; the endpoint has answered the CANCEL itself. */
  onCancel(invite: ServerTransaction): void;
  /** A response matched a client transaction. */
  onMatchedResponse(origin: Origin): void;
  onTraffic(direction: 'in' | 'out', message: SipMessage): void;
}
