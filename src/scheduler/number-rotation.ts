import type { BatchNumber } from '../store/scheduler/batch-facts.ts';

/** Chooses caller numbers: an individual call has its own, a campaign rotates through its numbers. */
export class NumberRotation {
  readonly #own = new Map<string, BatchNumber>();
  readonly #ofCampaign = new Map<string, BatchNumber[]>();
  readonly #usedAt = new Map<string, number>();
  /** Microseconds since the epoch, later than every use so far. */
  #last: number;

  constructor(numbers: readonly (BatchNumber & { readonly campaignId: string | null })[], now: number) {
    this.#last = Math.max(now * 1000, ...numbers.map((n) => n.usedAt));
    for (const number of numbers) {
      if (number.campaignId === null) this.#own.set(number.id, number);
      else
        this.#ofCampaign.set(number.campaignId, [...(this.#ofCampaign.get(number.campaignId) ?? []), number]);
    }
    // A resting number is used only when all of the campaign's numbers rest. While one does not, the campaign waits
    // for it even at its call limit.
    for (const [campaignId, members] of this.#ofCampaign) {
      const fresh = members.filter((n) => n.restUntil === null || n.restUntil <= now);
      if (fresh.length > 0) this.#ofCampaign.set(campaignId, fresh);
    }
  }

  /** The number for `call`: its own, or the campaign's least recently used number with capacity. Null: none is free. */
  next(
    call: { readonly campaignId: string | null; readonly numberId: string | null },
    isFree: (number: BatchNumber) => boolean,
  ): BatchNumber | null {
    if (call.campaignId === null) {
      const own = this.#own.get(call.numberId ?? '');
      return own !== undefined && isFree(own) ? own : null;
    }
    let best: BatchNumber | null = null;
    for (const number of this.#ofCampaign.get(call.campaignId) ?? []) {
      if ((best === null || this.#at(number) < this.#at(best)) && isFree(number)) best = number;
    }
    return best;
  }

  /** Moves the number to the end of the rotation. Individual calls do not rotate numbers and leave the order. */
  use(number: BatchNumber, campaignId: string | null): void {
    if (campaignId === null) return;
    this.#last += 1;
    this.#usedAt.set(number.id, this.#last);
  }

  /** The numbers used in this batch with the time of their last use. */
  used(): { id: string; usedAt: number }[] {
    return [...this.#usedAt].map(([id, usedAt]) => ({ id, usedAt }));
  }

  #at(number: BatchNumber): number {
    return this.#usedAt.get(number.id) ?? number.usedAt;
  }
}
