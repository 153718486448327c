import type { DialOrder } from '../../shared/carrier-documents.ts';
import type { CarrierKind } from '../../shared/carrier-kinds.ts';
import type { FailureClass } from '@callwright/sip';

/** A trunk whose carrier takes calls by HTTP and sends their audio over WebSockets. */
export interface CarrierTrunk {
  readonly id: string;
  readonly name: string;
  readonly kind: CarrierKind;
  /** The address of the carrier's API, without a path. */
  readonly uri: string;
  readonly username: string | null;
  /** The user of the API, where it is not the account; null: it is. */
  readonly authUsername: string | null;
  /** The application or connection at the carrier for which calls are placed; null: none. */
  readonly application: string | null;
  /** Null: it cannot be opened, or is not set. */
  readonly password: string | null;
  /** The secret with which the carrier signs, or the public key; null as `password`. */
  readonly signingKey: string | null;
}

/** One request to the API of a carrier. */
export interface CarrierRequest {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export type CarrierAnswer =
  | { readonly ok: true; readonly status: number; readonly body: Buffer }
  /** `failure`: as the safe fetcher names it. `detail` may be shown. */
  | { readonly ok: false; readonly failure: string; readonly detail: string };

/** A call for a carrier to place. */
export interface CallOrder {
  readonly from: string;
  readonly to: string;
  /** Where the carrier opens the stream when the callee answers. */
  readonly streamUrl: string;
  /** The document that connects the stream, for carriers that take no document in the request. */
  readonly answerUrl: string;
  /** Where it reports. */
  readonly statusUrl: string;
  /** The token of the stream, for carriers whose documents come without an address of ours. */
  readonly token: string;
  /** The arguments of Asterisk's AudioSocket, `uuid,host:port`; null or absent: there is no such port. */
  readonly audioSocket?: string | null;
  /** The same for every request of one attempt. */
  readonly attemptId: string;
  readonly ringSeconds: number;
}

/** Another party for the far side of a call. */
export interface TransferOrder extends DialOrder {
  /** The document of the transfer, for carriers that take none in the request. */
  readonly documentUrl: string;
}

/** What the answer to a place request says. */
export type Placed =
  | { readonly type: 'accepted'; readonly carrierCallId: string }
  /** The carrier has refused the call: no phone rings. */
  | { readonly type: 'refused'; readonly failure: FailureClass; readonly reason: string }
  /** The request did not leave. */
  | { readonly type: 'unsent'; readonly reason: string }
  /** The carrier may have placed the call. */
  | { readonly type: 'lost'; readonly reason: string };

/** What is wrong with the account; `field` of the trunk's settings mends it. */
export interface AccountFault {
  readonly field: string;
  readonly message: string;
}

/** The API of one carrier: what to send, and what its answers mean. Pure. */
export interface CarrierControl {
  place(trunk: CarrierTrunk, order: CallOrder): CarrierRequest;
  readPlaced(answer: CarrierAnswer): Placed;
  /** Ends a call in any state; each request is sent. */
  end(trunk: CarrierTrunk, carrierCallId: string): readonly CarrierRequest[];
  /** The answer to `end` says that the call is over; absent: status 404. */
  isOver?(answer: CarrierAnswer & { readonly ok: true }): boolean;
  /** Connects the far side with `to`, a number or a SIP URI, and takes the call from the agent; null: the carrier cannot. */
  transfer(trunk: CarrierTrunk, carrierCallId: string, order: TransferOrder): CarrierRequest | null;
  /** Takes a call that came in, and opens its stream; absent: the answer to the webhook does. */
  answer?(trunk: CarrierTrunk, carrierCallId: string, streamUrl: string): CarrierRequest;
  /** The carrier places a call once, however often the request for the attempt comes. */
  readonly placesOnce?: true;
  /** Adds to every request what proves it at the time `at`, epoch ms. */
  sign?(trunk: CarrierTrunk, request: CarrierRequest, at: number): CarrierRequest;
  /** Gets the bearer token that every request needs. */
  readonly signIn?: {
    request(trunk: CarrierTrunk): CarrierRequest;
    /** Null: it was refused. */
    read(answer: CarrierAnswer): { readonly token: string; readonly seconds: number } | null;
  };
  /** Asks for the account. */
  account(trunk: CarrierTrunk): CarrierRequest;
  /** Null: the account works. */
  readAccount(answer: CarrierAnswer): AccountFault | null;
}
