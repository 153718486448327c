/** How far a call is that a carrier places for us. */
export type CarrierCallState =
  | 'ringing'
  /** The callee answered. */
  | 'answered'
  /** The call was up and is over. */
  | 'completed'
  | 'busy'
  | 'no_answer'
  | 'cancelled'
  | 'invalid_number'
  | 'failed';

/** What a carrier reports of a call that it places for us. Reports come late, twice and in any order. */
export interface CarrierStatus {
  readonly trunkId: string;
  /** Of the attempt for which the call was placed. */
  readonly attemptId: string;
  /** The carrier's id of the call. */
  readonly carrierCallId: string;
  /** Null: it says nothing that the request did not say, such as `queued`. */
  readonly state: CarrierCallState | null;
  /** The SIP status of the far side; null: the carrier names none. */
  readonly sipCode: number | null;
}

/** A call that came in, which the service has to take by a request to the carrier. */
export interface StreamAnswer {
  readonly trunkId: string;
  readonly carrierCallId: string;
  /** Where the carrier opens its stream. */
  readonly streamUrl: string;
}

/** The upgrade of a carrier's stream. Structured-cloneable. */
export interface StreamUpgrade {
  /** The addresses under which the carrier may have reached it, such as `wss://calls.example.com/carrier/token`. */
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, unknown>>;
  /** When it came, epoch ms. */
  readonly at: number;
}
