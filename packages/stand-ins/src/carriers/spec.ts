import type { IncomingHttpHeaders } from 'node:http';
import type { FakeCarrierAccount } from './account.ts';
import type { FakeHook } from './proof.ts';

/** What a call is at the carrier. */
export type FakeCallState =
  | 'queued'
  | 'ringing'
  | 'answered'
  | 'completed'
  | 'busy'
  | 'no_answer'
  | 'cancelled'
  | 'failed';

/** A request of the service. */
export interface FakeRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly form: URLSearchParams;
  /** The body in JSON; empty: it is none. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** A call that the service has the carrier place. */
export interface FakeOrder {
  readonly from: string;
  readonly to: string;
  readonly ringMs: number;
  /** Where the carrier reports; null: it does not. */
  readonly statusUrl: string | null;
  /** Where the document is, if the request has no stream. */
  readonly answerUrl: string | null;
  readonly streamUrl: string | null;
  /** A request with the same id is the same call; null: each is another. */
  readonly once: string | null;
  /** What the service wants to have back; null: nothing. */
  readonly identifier: string | null;
}

/** What a request of the service is. */
export type FakeAct =
  /** Of the account, such as a token. */
  | { readonly type: 'say'; readonly body: object }
  | { readonly type: 'place'; readonly order: FakeOrder }
  | { readonly type: 'end'; readonly callId: string }
  /** `document` is the new document, or where it is. */
  | { readonly type: 'transfer'; readonly callId: string; readonly document: string }
  /** Takes a call that came in. */
  | { readonly type: 'answer'; readonly callId: string; readonly streamUrl: string };

/** A call as its requests name it. */
export interface FakeCallFacts {
  readonly callId: string;
  readonly from: string;
  readonly to: string;
  readonly direction: 'inbound' | 'outbound';
  readonly identifier: string | null;
  /** The SIP status of the far side; null: the carrier names none. */
  readonly sipCode: number | null;
}

/** The API of one carrier, as the stand-in plays it. */
export interface FakeCarrierSpec {
  isAuthorised(request: FakeRequest, account: FakeCarrierAccount): boolean;
  /** Null: the API has no such request. */
  act(request: FakeRequest, account: FakeCarrierAccount): FakeAct | null;
  newId(number: number, order: FakeOrder | null): string;
  placed(callId: string): object;
  /** The body that refuses a number; absent: one without a code. */
  readonly invalid?: object;
  /** The status of a request of a call that is over. */
  readonly gone: { readonly status: number; readonly body: object };
  /** Announces a call; of carriers that ask for the document of an answered call, that, too. */
  announce(call: FakeCallFacts, account: FakeCarrierAccount): Omit<FakeHook, 'url'>;
  /** Null: the carrier does not report this. `busy` and `failed` may have a SIP status. */
  report(
    call: FakeCallFacts,
    state: FakeCallState,
    account: FakeCarrierAccount,
  ): Omit<FakeHook, 'url'> | null;
  sign(hook: FakeHook, account: FakeCarrierAccount): Record<string, string>;
  /** The address of the stream in a document; null: the service opens it by a request. */
  streamIn(document: string, base: string): string | null;
}
