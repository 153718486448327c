import type { NumberRest, WorkspaceLimits } from '../domain/workspaces/limits.ts';
import type { Tx } from '../store/database.ts';
import { numberRates, saveRates, type BatchNumber } from '../store/scheduler/batch-facts.ts';

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
