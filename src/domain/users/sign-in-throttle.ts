import { addressBlock } from '../../shared/ingress/address-block.ts';
import type { WindowCounts } from '../../shared/limits/window-counts.ts';
import { accountOf } from './known-devices.ts';

/** Failed attempts are forgotten after this time, of a clock that never jumps. */
export const SIGN_IN_WINDOW_MS = 900_000;
/** Attempts of one block of addresses (/24, /64) on any accounts: an office shares a block. */
const PER_ADDRESS = 20;
/** Attempts on one account from anywhere. */
const PER_ACCOUNT = 10;
/** Attempts on one account from a device or session that it knows: as many as a block has. */
const PER_DEVICE = 20;

/** Who tries to sign in to an account. */
export interface Attempt {
  readonly address: string;
  readonly email: string;
  /** A device or session that the account knows; null: none. */
  readonly device: string | null;
}

/**
 * Limits failed sign-ins per block of addresses (/24, /64) and per account in windows of 15 minutes. An attempt counts when it
 * starts, so that parallel guesses count too, and is taken back when it succeeds. A device that the account knows has a
 * limit of its own instead of both: strangers can lock no user out.
 */
export class SignInThrottle {
  readonly #counts: WindowCounts;

  constructor(counts: WindowCounts) {
    this.#counts = counts;
  }

  /** Counts an attempt; returns the seconds to wait, 0 for an attempt that may go on. */
  begin(attempt: Attempt): number {
    const limits = limitsOf(attempt);
    const wait = Math.max(...limits.map(([key, limit]) => this.#waitSeconds(key, limit)));
    if (wait > 0) return wait;
    for (const [key] of limits) this.#counts.add(key);
    return 0;
  }

  succeeded(attempt: Attempt): void {
    for (const [key] of limitsOf(attempt)) this.#counts.add(key, -1);
  }

  #waitSeconds(key: string, limit: number): number {
    return this.#counts.count(key) < limit ? 0 : this.#counts.waitSeconds(key);
  }
}

/** The counters of an attempt, and how many each allows. */
function limitsOf({ address, email, device }: Attempt): readonly (readonly [string, number])[] {
  const account = accountOf(email);
  if (device !== null) return [[`${device} ${account}`, PER_DEVICE]];
  return [
    [addressBlock(address), PER_ADDRESS],
    [account, PER_ACCOUNT],
  ];
}
