import type { Clock } from '../../shared/clock.ts';
import { randomToken, sha256 } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';

/** A browser that nobody signs in with for so long is a stranger again. */
export const DEVICE_MS = 180 * 86_400_000;
/** Accounts that share a browser; the one that signed in longest ago is forgotten. */
const MOST_ACCOUNTS = 5;
/** Longer texts are none of ours, and are not opened. */
const MOST_CHARS = 2_000;
const ID_CHARS = 22;

/** What the cookie holds: the device's id, and until when each account knows it, in epoch ms. */
interface Device {
  readonly id: string;
  readonly accounts: readonly (readonly [account: string, until: number])[];
}

/** E-mail addresses are kept as digests of one length. */
export const accountOf = (email: string): string => sha256(email.toLowerCase());

/**
 * Browsers from which somebody signed in to an account. Each holds the proof itself, encrypted and authenticated with the
 * installation's key, so that it outlives restarts and every process knows it.
 */
export class KnownDevices {
  readonly #seal: Seal;
  readonly #clock: Clock;

  constructor(deps: { readonly seal: Seal; readonly clock: Clock }) {
    this.#seal = deps.seal;
    this.#clock = deps.clock;
  }

  /** The device's id, if the account knows it; null: it does not, or the cookie is none of ours. */
  idOf(cookie: string | null, email: string): string | null {
    const { id, accounts } = this.#open(cookie);
    return accounts.some(([account]) => account === accountOf(email)) ? id : null;
  }

  /** The cookie of a browser with which somebody has signed in to the account. */
  signedIn(cookie: string | null, email: string): string {
    const { id, accounts } = this.#open(cookie);
    const account = accountOf(email);
    const others = accounts.filter(([other]) => other !== account);
    const until = this.#clock.now() + DEVICE_MS;
    const kept = [...others, [account, until] as const].slice(-MOST_ACCOUNTS);
    return this.#seal.seal(JSON.stringify({ id, accounts: kept } satisfies Device));
  }

  /** The device of the cookie with the accounts that still know it; a new one without a valid cookie. */
  #open(cookie: string | null): Device {
    const text = cookie === null || cookie.length > MOST_CHARS ? null : this.#seal.open(cookie);
    const { id, accounts } = text === null ? fresh() : (parsed(text) ?? fresh());
    const now = this.#clock.now();
    return { id, accounts: accounts.filter(([, until]) => until > now) };
  }
}

const fresh = (): Device => ({ id: randomToken(ID_CHARS), accounts: [] });

/** Other secrets of the installation are sealed with the same key. */
function parsed(text: string): Device | null {
  try {
    const { id, accounts } = JSON.parse(text) as Partial<Device>;
    if (typeof id !== 'string' || !Array.isArray(accounts)) return null;
    const known = accounts.filter(
      (entry): entry is [string, number] =>
        Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number',
    );
    return { id, accounts: known };
  } catch {
    return null;
  }
}
