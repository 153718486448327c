import { destinationsOf } from '../domain/workspaces/destinations.ts';
import type { WorkspaceLimits } from '../domain/workspaces/limits.ts';
import type { Frequency, Take } from '../store/claims.ts';
import type { Tx } from '../store/database.ts';
import {
  laneProgress,
  numberRates,
  saveRates,
  type Lane,
  type LiveGroup,
  type TurnNumber,
} from '../store/lanes.ts';
import type { LimitedTrunk, TrunkLimits } from '../store/trunks.ts';
import { RATE_EVERY_MS, tiredNumbers } from './number-rest.ts';
import { callsFree, refill, startPace, type Pace } from './pacing.ts';
import { isStepDue, rampAt, stepRamp, type Ramp } from './ramp.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** A campaign's width now, and how many more calls it may start: its share of the workspace's limit, no wider. */
export async function laneRoom(
  tx: Tx,
  workspace: { readonly id: string; readonly callLimit: number },
  lane: Lane,
  live: number,
  now: number,
): Promise<{ ramp: Ramp; free: number }> {
  const cap = Math.ceil((workspace.callLimit * (lane.concurrencyPercentage ?? 100)) / 100);
  const stored = lane.rampLimit === null ? null : { limit: lane.rampLimit, at: lane.rampAt ?? now };
  let ramp = rampAt(stored, { live, servedAt: lane.servedAt, now });
  if (isStepDue(ramp, now, cap)) {
    ramp = stepRamp(ramp, await laneProgress(tx, workspace.id, lane.id, new Date(ramp.at)), now, cap);
  }
  return { ramp, free: Math.min(cap, ramp.limit) - live };
}

/** How many due calls to read of each campaign and number: the turn's share of each, and no more than may start. */
export function takesOf(
  quota: number,
  lanes: readonly { readonly id: string; readonly free: number }[],
  own: readonly { readonly id: string; readonly free: number }[],
): { lanes: Take[]; numbers: Take[] } {
  const queues = lanes.filter((lane) => lane.free > 0).length + (own.length > 0 ? 1 : 0);
  const share = Math.max(4, Math.ceil(quota / Math.max(1, queues)));
  // Rather too many of each than too few of all: some numbers have little due, or a full trunk.
  const shareOfNumber = own.length <= 4 ? share : Math.max(1, Math.ceil((share * 2) / own.length));
  const take = (each: number, from: readonly { id: string; free: number }[]): Take[] =>
    from.map(({ id, free }) => ({ id, take: Math.min(free, each) })).filter((n) => n.take > 0);
  return { lanes: take(share, lanes), numbers: take(shareOfNumber, own) };
}

/** As far back as attempts to one callee are counted. */
export function frequencyOf(limit: WorkspaceLimits['calleeFrequency'], now: number): Frequency | null {
  return limit === null ? null : { attempts: limit.attempts, since: new Date(now - limit.hours * HOUR_MS) };
}

/** Room of the workspace's limited destinations. */
export function destinationRoom(limits: WorkspaceLimits, callees: readonly string[]): Map<string, number> {
  const free = new Map(limits.destinations.map((limit) => [limit.to, limit.concurrent]));
  for (const number of callees) {
    for (const { to } of destinationsOf(limits, number)) free.set(to, (free.get(to) ?? 0) - 1);
  }
  return free;
}

/** Live calls: all, by caller number and by campaign. */
export function liveOf(groups: readonly LiveGroup[]): {
  total: number;
  ofNumber: Map<string, number>;
  ofLane: Map<string, number>;
} {
  const live = { total: 0, ofNumber: new Map<string, number>(), ofLane: new Map<string, number>() };
  const add = (to: Map<string, number>, id: string | null, count: number): void => {
    if (id !== null) to.set(id, (to.get(id) ?? 0) + count);
  };
  for (const group of groups) {
    live.total += group.live;
    add(live.ofNumber, group.numberId, group.live);
    add(live.ofLane, group.laneId, group.live);
  }
  return live;
}

/** Lets numbers rest whose calls are answered far less often than their fellows'; looked at once in a while. */
export async function restTired(
  tx: Tx,
  workspaceId: string,
  limits: WorkspaceLimits,
  numbers: readonly (TurnNumber & { readonly laneId: string | null })[],
  now: number,
): Promise<void> {
  const rule = limits.numberRest;
  const stale = (n: TurnNumber): boolean => n.ratedAt === null || now - n.ratedAt >= RATE_EVERY_MS;
  if (rule === null || !numbers.some((n) => n.laneId !== null && stale(n))) return;
  const lanes = Map.groupBy(
    numbers.filter((n) => n.laneId !== null),
    (n) => n.laneId,
  );
  const looked = new Map<string, Date | null>();
  for (const members of lanes.values()) {
    if (!members.some(stale)) continue;
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
    for (const { id } of members) if (!looked.has(id)) looked.set(id, null);
    for (const id of tired) looked.set(id, new Date(now + rule.minutes * MINUTE_MS));
  }
  const rows = [...looked].map(([id, restUntil]) => ({ id, restUntil }));
  await saveRates(tx, workspaceId, rows, new Date(now));
}

/** Paces of the trunks that have one, refilled to `now`. */
export function pacesOf(trunks: readonly TrunkLimits[], now: number): Map<string, Pace> {
  const paces = new Map<string, Pace>();
  for (const { id, callsPerSecond, paceTokens, paceAt } of trunks) {
    if (callsPerSecond === null || callsPerSecond <= 0) continue;
    const stored = { perSecond: callsPerSecond, tokens: paceTokens ?? 0, at: paceAt ?? now };
    paces.set(id, paceTokens === null ? startPace(callsPerSecond, now) : refill(stored, now));
  }
  return paces;
}

/** Calls that may start on each limited trunk: within its channels, and within its pace where that is asked. */
export function trunkRoom(
  trunks: readonly LimitedTrunk[],
  paces: ReadonlyMap<string, Pace>,
): Map<string, number> {
  return new Map(
    trunks.map(({ id, maxCalls, live }) => {
      const channels = maxCalls === null ? Number.POSITIVE_INFINITY : maxCalls - live;
      const pace = paces.get(id);
      return [id, Math.min(channels, pace === undefined ? Number.POSITIVE_INFINITY : callsFree(pace))];
    }),
  );
}
