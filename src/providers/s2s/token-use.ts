import type { ModelUsage } from '../ports/model.ts';

type Meter = (usage: ModelUsage) => void;

/** Replies whose cost may still be reported. */
const MOST_KNOWN = 16;

/**
 * Brings what the vendor reports of tokens to the turn of its reply. Cost of a line that was read aloud, or of a reply that
 * nothing asked for, counts to the newest turn; before the first one it waits for it.
 */
export class TokenUse {
  readonly #meters = new Map<string, Meter>();
  #newest: Meter | null = null;
  #waiting: ModelUsage[] = [];

  /** `meter` takes the cost of this reply. */
  of(reply: string, meter: Meter | undefined): void {
    if (meter === undefined) return;
    this.#meters.set(reply, meter);
    this.#newest = meter;
    const [oldest] = this.#meters.keys();
    if (oldest !== undefined && this.#meters.size > MOST_KNOWN) this.#meters.delete(oldest);
    for (const usage of this.#waiting.splice(0)) meter(usage);
  }

  add(reply: string, usage: ModelUsage): void {
    const meter = this.#meters.get(reply) ?? this.#newest;
    if (meter === null) this.#waiting.push(usage);
    else meter(usage);
  }
}
