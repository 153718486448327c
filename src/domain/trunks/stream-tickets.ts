import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../../shared/clock.ts';
import type { CarrierKind } from '../../shared/carrier-kinds.ts';
import { randomToken } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../store/database.ts';
import { issueStreamToken, streamTokenTrunk, takeStreamToken } from '../../store/numbers/stream-tokens.ts';

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

export interface StreamTicketDeps {
  readonly db: Db;
  readonly seal: Seal;
  readonly clock: Pick<Clock, 'now'>;
}

/** Tokens for the streams of announced calls, of a single use over all processes. */
export class StreamTickets {
  readonly #deps: StreamTicketDeps;

  constructor(deps: StreamTicketDeps) {
    this.#deps = deps;
  }

  /** The token of the call, the same for a repeated webhook. `form`: a UUID of version 4 is the one of AudioSocket. */
  async issue(call: AnnouncedCall, form: 'text' | 'uuid' = 'text'): Promise<string> {
    const { db, seal, clock } = this.#deps;
    const token = form === 'uuid' ? randomUUID() : randomToken(32);
    const name = `${call.trunkId} ${call.carrierCallId}`;
    const now = clock.now();
    const sealed = await issueStreamToken(
      db,
      {
        tokenHash: hashOf(token),
        callHash: hashOf(form === 'uuid' ? `${name} uuid` : name),
        trunkId: call.trunkId,
        sealedToken: seal.seal(token),
        sealedCall: seal.seal(JSON.stringify(call)),
      },
      { now: new Date(now), old: new Date(now - KEPT_MS) },
    );
    return seal.open(sealed) ?? token;
  }

  /** The trunk whose carrier may use the token; null: it is unknown, used or expired. */
  trunkOf(token: string): Promise<string | null> {
    return streamTokenTrunk(this.#deps.db, hashOf(token), this.#since());
  }

  /** Uses the token up; null: it is unknown, used or expired. */
  async take(token: string): Promise<AnnouncedCall | null> {
    const { db, seal } = this.#deps;
    const sealed = await takeStreamToken(db, hashOf(token), this.#since());
    const text = sealed === null ? null : seal.open(sealed);
    return text === null ? null : (JSON.parse(text) as AnnouncedCall);
  }

  #since(): Date {
    return new Date(this.#deps.clock.now() - OPEN_MS);
  }
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
