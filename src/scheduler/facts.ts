import { destinationsOf } from '../domain/workspaces/destinations.ts';
import type { WorkspaceLimits } from '../domain/workspaces/limits.ts';
import type { LiveGroup } from '../store/scheduler/batch-facts.ts';
import type { Frequency, Take } from '../store/scheduler/claims.ts';

const HOUR_MS = 3_600_000;

/** Live calls: in total, by caller number and by campaign. */
export function liveOf(groups: readonly LiveGroup[]): {
  total: number;
  ofNumber: Map<string, number>;
  ofCampaign: Map<string, number>;
} {
  const live = { total: 0, ofNumber: new Map<string, number>(), ofCampaign: new Map<string, number>() };
  const add = (to: Map<string, number>, id: string | null, count: number): void => {
    if (id !== null) to.set(id, (to.get(id) ?? 0) + count);
  };
  for (const group of groups) {
    live.total += group.live;
    add(live.ofNumber, group.numberId, group.live);
    add(live.ofCampaign, group.campaignId, group.live);
  }
  return live;
}

/** Free calls of each limited destination, given the callees of the live outbound calls. */
export function destinationCapacity(
  limits: WorkspaceLimits,
  callees: readonly string[],
): Map<string, number> {
  const free = new Map(limits.destinations.map((limit) => [limit.to, limit.concurrent]));
  for (const number of callees) {
    for (const { to } of destinationsOf(limits, number)) free.set(to, (free.get(to) ?? 0) - 1);
  }
  return free;
}

/** The callee frequency limit with the start of its sliding window. */
export function frequencyOf(limit: WorkspaceLimits['calleeFrequency'], now: number): Frequency | null {
  return limit === null ? null : { attempts: limit.attempts, since: new Date(now - limit.hours * HOUR_MS) };
}

/**
 * How many due calls to read of each campaign and of each number's individual calls: an equal share of the quota, and
 * never more than may start.
 */
export function takesOf(
  quota: number,
  campaigns: readonly { readonly id: string; readonly free: number }[],
  own: readonly { readonly id: string; readonly free: number }[],
): { campaigns: Take[]; numbers: Take[] } {
  const queues = campaigns.filter((campaign) => campaign.free > 0).length + (own.length > 0 ? 1 : 0);
  const share = Math.max(4, Math.ceil(quota / Math.max(1, queues)));
  // Reads up to twice the share over all numbers: some have few due calls or a full trunk and leave theirs unused.
  const shareOfNumber = own.length <= 4 ? share : Math.max(1, Math.ceil((share * 2) / own.length));
  const take = (each: number, from: readonly { id: string; free: number }[]): Take[] =>
    from.map(({ id, free }) => ({ id, take: Math.min(free, each) })).filter((n) => n.take > 0);
  return { campaigns: take(share, campaigns), numbers: take(shareOfNumber, own) };
}
