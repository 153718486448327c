import { addressBlock } from '../../shared/ingress/address-block.ts';
import { sha256 } from '../../shared/ids.ts';
import type { WindowCounts } from '../../shared/limits/window-counts.ts';

export const SIGN_IN_WINDOW_MS = 900_000;
const PER_ADDRESS = 20;
const PER_ACCOUNT = 10;
const MOST = 20_000;

/**
 * Limits failed sign-ins per block of addresses (/24, /64) and per account in windows of 15 minutes. An attempt counts when it starts, so that
 * parallel guesses count too, and is taken back when it succeeds. An account's limit does not hold for addresses from
 * which somebody signed in to it: strangers cannot lock its user out.
 */
export class SignInThrottle {
  readonly #counts: WindowCounts;
  readonly #known = new Set<string>();

  constructor(counts: WindowCounts) {
    this.#counts = counts;
  }

  /** Counts an attempt; returns the seconds to wait, 0 for an attempt that may go on. */
  begin(from: string, email: string): number {
    const address = addressBlock(from);
    const account = accountOf(email);
    const isKnown = this.#known.has(`${address} ${account}`);
    const wait = Math.max(
      this.#waitSeconds(address, PER_ADDRESS),
      isKnown ? 0 : this.#waitSeconds(account, PER_ACCOUNT),
    );
    if (wait > 0) return wait;
    this.#counts.add(address);
    if (!isKnown) this.#counts.add(account);
    return 0;
  }

  succeeded(from: string, email: string): void {
    const address = addressBlock(from);
    const account = accountOf(email);
    const isKnown = this.#known.has(`${address} ${account}`);
    for (const key of isKnown ? [address] : [address, account]) this.#counts.add(key, -1);
    if (this.#known.size >= MOST) dropOldest(this.#known);
    this.#known.add(`${address} ${account}`);
  }

  #waitSeconds(key: string, limit: number): number {
    return this.#counts.count(key) < limit ? 0 : this.#counts.waitSeconds(key);
  }
}

/** E-mail addresses are kept as digests of one length. */
const accountOf = (email: string): string => sha256(email.toLowerCase());

function dropOldest(entries: { keys(): Iterator<string>; delete(key: string): boolean }): void {
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}
