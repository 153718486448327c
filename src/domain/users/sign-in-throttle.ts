import type { Clock } from '../../shared/clock.ts';
import { addressBlock } from '../../shared/ingress/address-block.ts';
import { sha256 } from '../../shared/ids.ts';

const WINDOW_MS = 900_000;
const PER_ADDRESS = 20;
const PER_ACCOUNT = 10;
const MOST = 20_000;

/**
 * Limits failed sign-ins per block of addresses (/24, /64) and per account in windows of 15 minutes. An attempt counts when it starts, so that
 * parallel guesses count too, and is taken back when it succeeds. An account's limit does not hold for addresses from
 * which somebody signed in to it: strangers cannot lock its user out.
 */
export class SignInThrottle {
  readonly #clock: Clock;
  readonly #counts = new Map<string, { since: number; count: number }>();
  readonly #known = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
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
    this.#count(address);
    if (!isKnown) this.#count(account);
    return 0;
  }

  succeeded(from: string, email: string): void {
    const address = addressBlock(from);
    const account = accountOf(email);
    const isKnown = this.#known.has(`${address} ${account}`);
    for (const key of isKnown ? [address] : [address, account]) {
      const entry = this.#counts.get(key);
      if (entry !== undefined) entry.count -= 1;
    }
    if (this.#known.size >= MOST) dropOldest(this.#known);
    this.#known.add(`${address} ${account}`);
  }

  #waitSeconds(key: string, limit: number): number {
    const entry = this.#counts.get(key);
    if (entry === undefined || entry.count < limit) return 0;
    return Math.max(0, Math.ceil((entry.since + WINDOW_MS - this.#clock.monotonic()) / 1000));
  }

  #count(key: string): void {
    const now = this.#clock.monotonic();
    const entry = this.#counts.get(key);
    if (entry !== undefined && now - entry.since < WINDOW_MS) {
      entry.count += 1;
      return;
    }
    this.#counts.delete(key);
    if (this.#counts.size >= MOST) dropOldest(this.#counts);
    this.#counts.set(key, { since: now, count: 1 });
  }
}

/** E-mail addresses are kept as digests of one length. */
const accountOf = (email: string): string => sha256(email.toLowerCase());

function dropOldest(entries: { keys(): Iterator<string>; delete(key: string): boolean }): void {
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}
