import type { Header, SipMessage, SipRequest, SipResponse } from './message.ts';
import type { Origin } from './transport.ts';

/** Who sends a request. */
export interface ClientUser {
  onResponse(response: SipResponse): void;
  onTimeout(): void;
  /** The request was handed to the network for the first time. */
  onSent?(): void;
  /** Asked where a connection has to be made first; absent: the request may leave at any time. */
  mayLeave?(): boolean;
  /** `neverSent`: no byte of the request was handed to the network. `tooLate`: `mayLeave` said no. */
  onTransportError(neverSent: boolean, tooLate: boolean): void;
}

export interface ServerTransaction {
  readonly request: SipRequest;
  readonly origin: Origin;
  respond(response: SipResponse): void;
}

/** What may happen to a request before any state is kept for it. */
export type Screening = 'accept' | 'drop' | { readonly status: number; readonly headers: readonly Header[] };

export interface EndpointUser {
  screen(request: SipRequest, origin: Origin): Screening;
  onRequest(transaction: ServerTransaction): void;
  /** An ACK that belongs to a 2xx. */
  onAck(ack: SipRequest): void;
  /** The far side cancelled this INVITE; the CANCEL itself is answered already. */
  onCancel(invite: ServerTransaction): void;
  onTraffic(direction: 'in' | 'out', message: SipMessage): void;
}
