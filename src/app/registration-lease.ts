import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import { settlesWithin } from '../shared/settles-within.ts';
import type { Db } from '../store/database.ts';
import { freeRegistrations, holdRegistrations } from '../store/numbers/registrations.ts';
import type { CallSignalling } from '../telephony/call-signalling.ts';

const POLL_MS = 5_000;
/** With the poll, another process takes over 20 s after this one died. */
const LEASE_MS = 15_000;
const RELEASE_MS = 5_000;

interface RegistrationLeaseDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly nodeId: () => string;
  readonly signalling: Pick<CallSignalling, 'accounts' | 'registerOnly'>;
}

/**
 * Of several processes, one registers the account of a trunk, so that the carrier sends each call to one. While the
 * database is away everything stays as it is.
 */
export class RegistrationLease {
  readonly #deps: RegistrationLeaseDeps;
  readonly #poller: Poller;

  constructor(deps: RegistrationLeaseDeps) {
    this.#deps = deps;
    this.#poller = new Poller({
      poll: () => this.#poll(),
      pollMs: POLL_MS,
      onError: (error) => deps.log.warn({ err: error }, 'the registrations of trunks could not be renewed'),
    });
  }

  start(): void {
    this.#poller.start();
  }

  /** Takes the accounts of new trunks at once instead of within seconds. */
  kick(): void {
    this.#poller.kick();
  }

  /** Frees the registrations for other processes, once the un-REGISTERs are answered. Ends within five seconds; never rejects. */
  async release(unregistered: Promise<unknown>): Promise<void> {
    await settlesWithin(RELEASE_MS, this.#release(unregistered));
  }

  async #release(unregistered: Promise<unknown>): Promise<void> {
    const { db, log, nodeId } = this.#deps;
    await this.#poller.stop();
    await unregistered;
    await freeRegistrations(db, nodeId()).catch((error: unknown) => {
      log.warn({ err: error }, 'the registrations of trunks could not be freed; they end by themselves');
    });
  }

  async #poll(): Promise<void> {
    const { db, clock, nodeId, signalling } = this.#deps;
    const now = clock.now();
    const times = { now: new Date(now), endsAt: new Date(now + LEASE_MS) };
    signalling.registerOnly(await holdRegistrations(db, nodeId(), signalling.accounts(), times));
  }
}
