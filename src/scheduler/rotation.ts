import { type BatchNumber, numberRates, saveRates } from '../store/scheduler/batch-numbers.ts';
import type { NumberRest, WorkspaceLimits } from '../domain/workspaces/limits.ts';
import type { Tx } from '../store/database.ts';

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

/** Outcomes of a caller number's latest attempts. */
export interface NumberRate {
  readonly id: string;
  readonly attempts: number;
  readonly answered: number;
  readonly isResting: boolean;
}

/** How often the answer rates of the numbers in use are computed. */
const RATE_EVERY_MS = 60_000;
const MINUTE_MS = 60_000;

/**
 * The numbers of a rotation that should rest: their answer rate is far below the mean, as if callees' phones flagged
 * them as spam. At most half of the rotation rests at once, worst first, so a single number never does. Attempts from
 * before a rest do not count after it. Pure.
 */
export function tiredNumbers(numbers: readonly NumberRate[], rule: NumberRest): string[] {
  const rated = numbers
    .filter((n) => !n.isResting && n.attempts * 2 >= rule.attempts)
    .map((n) => ({ id: n.id, rate: n.answered / n.attempts }));
  const mean = rated.reduce((sum, n) => sum + n.rate, 0) / Math.max(1, rated.length);
  const resting = numbers.filter((n) => n.isResting).length;
  const mayRest = Math.max(0, Math.floor(numbers.length / 2) - resting);
  return rated
    .filter((n) => n.rate < mean * rule.share)
    .sort((a, b) => a.rate - b.rate)
    .slice(0, mayRest)
    .map((n) => n.id);
}

/** Recomputes stale answer rates of the campaigns' numbers and stores which numbers rest, and until when. */
export async function restTired(
  tx: Tx,
  workspaceId: string,
  limits: WorkspaceLimits,
  numbers: readonly (BatchNumber & { readonly campaignId: string | null })[],
  now: number,
): Promise<void> {
  const rule = limits.numberRest;
  const isStale = (n: BatchNumber): boolean => n.ratedAt === null || now - n.ratedAt >= RATE_EVERY_MS;
  if (rule === null || !numbers.some((n) => n.campaignId !== null && isStale(n))) return;
  const campaigns = Map.groupBy(
    numbers.filter((n) => n.campaignId !== null),
    (n) => n.campaignId,
  );
  const rated = new Map<string, Date | null>();
  for (const members of campaigns.values()) {
    if (!members.some(isStale)) continue;
    const since = members.map((n) => ({ id: n.id, since: new Date(n.restUntil ?? 0) }));
    const rates = await numberRates(tx, workspaceId, since, rule.attempts);
    const tired = tiredNumbers(
      members.map((n) => ({
        id: n.id,
        isResting: n.restUntil !== null && n.restUntil > now,
        ...(rates.get(n.id) ?? { attempts: 0, answered: 0 }),
      })),
      rule,
    );
    for (const { id } of members) if (!rated.has(id)) rated.set(id, null);
    for (const id of tired) rated.set(id, new Date(now + rule.minutes * MINUTE_MS));
  }
  const rows = [...rated].map(([id, restUntil]) => ({ id, restUntil }));
  await saveRates(tx, workspaceId, rows, new Date(now));
}
