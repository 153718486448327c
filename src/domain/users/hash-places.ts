import { errors } from '../../errors.ts';
import { systemScheduler, type Scheduler } from '../../shared/clock.ts';
import { addressBlock } from '../../shared/ingress/address-block.ts';
import { NoPlaceError, Shares } from '../../shared/shares/shares.ts';

/** Hashes that run at once, each about 0.1 s of a core and 19 MiB: more would take the cores from the calls. */
export const HASH_THREADS = 2;
/**
 * Of strangers and of clients that proved who they are, each by themselves: a tenant runs one hash at a time, and the next
 * thread goes to the tenant served longest ago. As many may wait as a block of addresses has attempts to sign in.
 */
const PLACES = { places: HASH_THREADS, parts: 2, waiting: { perTenant: 20, ms: 20_000 } };
/** When a tenant's hashes are all in line, the first of them end within a second. */
const RETRY_SECONDS = 1;

/** For whom a password is hashed. */
export interface HashClient {
  /** Has a device cookie, a session or a link of ours. */
  readonly isKnown: boolean;
  /** Whose share it is: a block of addresses, a device or a user. */
  readonly tenant: string;
}

export const stranger = (address: string): HashClient => ({ isKnown: false, tenant: addressBlock(address) });
export const known = (tenant: string): HashClient => ({ isKnown: true, tenant });

/** The places in which passwords are hashed. Strangers never take those of known clients. */
export class HashPlaces {
  readonly #strangers: Shares;
  readonly #known: Shares;

  constructor(scheduler: Scheduler = systemScheduler) {
    this.#strangers = new Shares({ ...PLACES, scheduler });
    this.#known = new Shares({ ...PLACES, scheduler });
  }

  /** Runs `work` in a place of the client; throws 429 when too many of its hashes are in line. */
  async within<T>({ isKnown, tenant }: HashClient, work: () => Promise<T>): Promise<T> {
    try {
      return await (isKnown ? this.#known : this.#strangers).within(tenant, work);
    } catch (error) {
      if (error instanceof NoPlaceError) throw errors.rateLimited(RETRY_SECONDS, 'sign_in');
      throw error;
    }
  }
}
