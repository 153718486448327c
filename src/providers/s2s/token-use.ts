import type { ModelUsage } from '../ports/model.ts';

type Meter = (usage: ModelUsage) => void;

/** Replies whose token use may still be reported. */
const MOST_KNOWN = 16;

/**
 * Assigns reported token use to the reply's turn. Use of verbatim speech and of unsolicited replies goes to the latest turn,
 * buffered until the first.
 */
export class TokenUse {
  readonly #meters = new Map<string, Meter>();
  #newest: Meter | null = null;
  #waiting: ModelUsage[] = [];

  /** `meter` receives the token use of this reply. */
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
