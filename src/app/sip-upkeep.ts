import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Poller } from '../shared/poller.ts';
import type { Db } from '../store/database.ts';
import type { CallSignalling } from '../telephony/call-signalling.ts';
import { RegistrationLease } from './registration-lease.ts';
import { publicAddressPoller } from './telephony.ts';
import type { TrunkWatch } from './trunk-watch.ts';

/** Keeps signalling as the database and the network have it: its trunks, its share of their accounts, its public address. */
export class SipUpkeep {
  readonly #signalling: CallSignalling;
  readonly #trunks: TrunkWatch;
  readonly #registrations: RegistrationLease;
  readonly #publicAddress: Poller | null;

  constructor(deps: {
    readonly db: Db;
    readonly clock: Clock;
    readonly log: Log;
    readonly nodeId: () => string;
    readonly signalling: CallSignalling;
    readonly trunks: TrunkWatch;
    /** PUBLIC_ADDRESS. */
    readonly publicAddress: string | null;
  }) {
    this.#signalling = deps.signalling;
    this.#trunks = deps.trunks;
    this.#registrations = new RegistrationLease(deps);
    this.#publicAddress = publicAddressPoller(deps.publicAddress, deps.signalling, deps.log);
  }

  start(): void {
    this.#registrations.start();
    this.#trunks.start((changed) => {
      this.#signalling.setTrunks(changed);
      this.#registrations.kick();
    });
    this.#publicAddress?.start();
  }

  /** Reads the trunks now. */
  kick(): void {
    this.#trunks.kick();
  }

  /** Lets another process register the accounts, once `unregistered` settles. Never rejects. */
  async release(unregistered: Promise<void> = Promise.resolve()): Promise<void> {
    await this.#registrations.release(unregistered);
  }

  async stop(): Promise<void> {
    await this.#trunks.stop();
    await this.#publicAddress?.stop();
  }
}
