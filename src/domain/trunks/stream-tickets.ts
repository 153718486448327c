import type { Clock } from '../../shared/clock.ts';
import type { CarrierKind } from '../../shared/carrier-kinds.ts';
import { randomToken, sha256 } from '../../shared/ids.ts';

/** A call that a carrier has announced, and whose stream it opens next. */
export interface AnnouncedCall {
  readonly trunkId: string;
  readonly kind: CarrierKind;
  /** The carrier's id of the call. */
  readonly carrierCallId: string;
  readonly from: string;
  readonly to: string;
  readonly displayName: string | null;
}

/** A carrier connects within seconds of the answer to its webhook. */
const OPEN_MS = 60_000;
/** Carriers repeat a webhook whose answer was lost: it gets the same token for this long, also when it has been used. */
const KEPT_MS = 600_000;
const MOST = 10_000;

interface Ticket {
  readonly call: AnnouncedCall;
  readonly token: string;
  readonly at: number;
  isUsed: boolean;
}

/**
 * Tokens for the streams of announced calls, of a single use. They are in the memory of the process that answered the
 * webhook: behind a load balancer one process has to take webhooks and streams.
 */
export class StreamTickets {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** By carrier call, oldest first. */
  readonly #byCall = new Map<string, Ticket>();
  /** By the hash of the token. */
  readonly #byToken = new Map<string, Ticket>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** The token of the call, the same for a repeated webhook; null: too many calls were announced lately. */
  issue(call: AnnouncedCall): string | null {
    const at = this.#clock.monotonic();
    this.#forgetBefore(at - KEPT_MS);
    const key = keyOf(call);
    const known = this.#byCall.get(key);
    if (known !== undefined) return known.token;
    if (this.#byCall.size >= MOST) return null;
    const ticket = { call, token: randomToken(32), at, isUsed: false };
    this.#byCall.set(key, ticket);
    this.#byToken.set(sha256(ticket.token), ticket);
    return ticket.token;
  }

  /** Uses the token up; null: it is unknown, used or expired. */
  take(token: string): AnnouncedCall | null {
    const ticket = this.#byToken.get(sha256(token));
    if (ticket === undefined || ticket.isUsed || ticket.at + OPEN_MS < this.#clock.monotonic()) return null;
    ticket.isUsed = true;
    return ticket.call;
  }

  #forgetBefore(time: number): void {
    for (const [key, ticket] of this.#byCall) {
      if (ticket.at >= time) return;
      this.#byCall.delete(key);
      this.#byToken.delete(sha256(ticket.token));
    }
  }
}

const keyOf = ({ trunkId, carrierCallId }: AnnouncedCall): string => `${trunkId} ${carrierCallId}`;
