import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Db } from '../store/database.ts';
import { pauseTrunk } from '../store/numbers/trunks.ts';
import type { CallFailure } from '../telephony/sip/call.ts';

/** A carrier that asks for a longer pause is tried again after this time. */
const LONGEST_PAUSE_MS = 300_000;
/** A pause that ends so little later is not worth a write. */
const SAME_MS = 1000;

/**
 * Pauses trunks that answer 503 with Retry-After: no process sends them new calls before it (RFC 3261 section 21.5.4).
 * A 503 after ringing comes from behind the trunk and pauses nothing.
 */
export class TrunkPauses {
  readonly #deps: { readonly db: Db; readonly clock: Clock; readonly log: Log };
  /** The end of the pause that this process stored last, by trunk. */
  readonly #until = new Map<string, number>();

  constructor(deps: { readonly db: Db; readonly clock: Clock; readonly log: Log }) {
    this.#deps = deps;
  }

  /** Never rejects; a pause that cannot be stored is lost. */
  async note(trunkId: string, failure: CallFailure, hasRung: boolean): Promise<void> {
    const asked = failure.sipCode === 503 && !hasRung ? (failure.retryAfterMs ?? 0) : 0;
    if (asked === 0) return;
    const { db, clock, log } = this.#deps;
    const ms = Math.min(asked, LONGEST_PAUSE_MS);
    const until = clock.now() + ms;
    if ((this.#until.get(trunkId) ?? 0) + SAME_MS > until) return;
    this.#until.set(trunkId, until);
    log.warn(
      { trunk: trunkId, seconds: ms / 1000 },
      'a trunk answers 503: new calls wait for its Retry-After',
    );
    await pauseTrunk(db, trunkId, new Date(until)).catch((error: unknown) => {
      this.#until.delete(trunkId);
      log.error({ err: error, trunk: trunkId }, 'the pause of a trunk was not stored');
    });
  }
}
