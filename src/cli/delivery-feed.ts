/** A delivery as the delivery log lists it. */
export interface ListedDelivery {
  readonly delivery_id: string;
  /** ISO 8601. */
  readonly created_at: string;
}

/** Deliveries become visible out of order: one of these ms before the newest may still come. */
const OVERLAP_MS = 60_000;

/** Which deliveries of the log are new. Pure: pages go in, and each delivery comes out once. */
export class DeliveryFeed {
  /** By id: when it was created, in ms; those of the overlap alone. */
  readonly #seen = new Map<string, number>();
  #newest: number | null = null;

  /** From when the log is to be listed; null: from its beginning. */
  get since(): string | null {
    return this.#newest === null ? null : new Date(this.#newest - OVERLAP_MS).toISOString();
  }

  /** Those that no earlier page had, oldest first. `listed` is newest first, as the log lists them. */
  take(listed: readonly ListedDelivery[]): ListedDelivery[] {
    const fresh = listed.filter(({ delivery_id }) => !this.#seen.has(delivery_id)).toReversed();
    for (const { delivery_id, created_at } of fresh) {
      const at = Date.parse(created_at);
      this.#seen.set(delivery_id, at);
      this.#newest = Math.max(this.#newest ?? at, at);
    }
    const from = (this.#newest ?? 0) - OVERLAP_MS;
    for (const [id, at] of this.#seen) if (at < from) this.#seen.delete(id);
    return fresh;
  }
}
