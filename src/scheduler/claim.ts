import { lockShared } from '../store/scheduler/call-limit.ts';
import { endQueuedCalls } from '../domain/calls/attempt/end-queued.ts';
import type { Rate } from '../domain/credits/price.ts';
import { noteStarts } from '../domain/admission/usage.ts';
import { outboundRoom } from './outbound-room.ts';
import { workspaceLimits, type CapName, type WorkspaceLimits } from '../domain/workspaces/limits.ts';
import type { Clock } from '../shared/clock.ts';
import { lockCalls } from '../store/calls/facts.ts';
import {
  deferCalls,
  dueCalls,
  campaignHead,
  pickTenant,
  showHeld,
  versionConfigs,
  type Candidate,
  type ClaimScope,
  type Tenant,
  type Frequency,
  type Take,
} from '../store/scheduler/claims.ts';
import type { Db, Tx } from '../store/database.ts';
import {
  BATCH_CAMPAIGNS,
  noteConsidered,
  batchFacts,
  type DueCampaign,
  type LiveGroup,
  endBatch,
} from '../store/scheduler/batch.ts';
import { choose, deferralsOf, versionOf, type Choice, type ChoiceInput } from './choose.ts';
import { campaignEnd, campaignsOf, orderOf } from './campaigns.ts';
import { claimedOf, startOf, type Claimed } from './claimed.ts';
import { NumberRotation, restTired } from './rotation.ts';
import {
  capacityFor,
  capacityOf,
  takeCapacity,
  TrunkCounts,
  TrunkFilledError,
  TrunkBatch,
} from './trunks.ts';
import { destinationsOf } from '../domain/workspaces/destinations.ts';

export interface ClaimDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly rate: Rate;
  readonly nodeId: string;
  /** Destinations of ALLOWED_COUNTRIES; absent: all. */
  readonly countries?: readonly string[];
  /** This process's cache of trunk counts; absent: every batch counts anew. */
  readonly trunkCounts?: TrunkCounts;
  /** False: no stream of a carrier can reach this process, and calls of such trunks are left to others; absent: true. */
  readonly takesStreams?: boolean;
  /** The limited engines of this process; absent: it has none. */
  readonly engines?: ChoiceInput['engines'];
}

/** Calls of one workspace that were claimed together in one transaction. */
export interface Batch {
  readonly workspaceId: string;
  readonly claimed: readonly Claimed[];
  /** Calls deferred or ended without dialling; calls behind them may be able to start. */
  readonly passedOver: number;
  /** The cap of the workspace's limits that holds all its calls; null: none. */
  readonly exhaustedCap: CapName | null;
  /** Ms until a trunk's pace or another dialer's lock lets the next call start; Infinity: neither blocks one. */
  readonly waitMs: number;
}

/**
 * Calls of one batch: an eighth of the node's free capacity within these bounds, so that scarce capacity is shared
 * finely between workspaces and ample capacity is used quickly.
 */
const QUOTA = { least: 8, most: 64, share: 8 } as const;

/**
 * How many calls that cannot start are deferred at once, so that they cannot starve the rest (head-of-line blocking).
 */
const DEFER_BLOCK = 512;

const quotaOf = (capacity: number): number =>
  Math.min(capacity, QUOTA.most, Math.max(QUOTA.least, Math.ceil(capacity / QUOTA.share)));

/**
 * Claims a batch: due calls of the workspace served longest ago, round-robin over its campaigns and individual calls,
 * within every limit. Null when no workspace outside `visited` has a due call. The first statement locks the workspace,
 * later ones read it, see `store/scheduler/claims`. If another dialer fills one of its trunks first, the transaction
 * rolls back and runs once more with its trunks locked first.
 */
export async function claimBatch(
  deps: ClaimDeps,
  input: {
    readonly visited: readonly string[];
    /** Calls this node can still carry. */
    readonly capacity: number;
  },
): Promise<Batch | null> {
  const claim = (isCareful: boolean): Promise<Batch | null> =>
    deps.db.transaction().execute(async (tx) => {
      const at = new Date(deps.clock.now());
      const tenant = await pickTenant(tx, { nodeId: deps.nodeId, now: at, visited: input.visited });
      return tenant === null
        ? null
        : claimOf(tx, deps, tenant, at, { quota: quotaOf(input.capacity), isCareful });
    });
  try {
    return await claim(false);
  } catch (error) {
    if (!(error instanceof TrunkFilledError)) throw error;
    return claim(true);
  }
}

/** Claims calls of a locked workspace: reads facts and candidates, chooses in memory, writes the outcome. */
async function claimOf(
  tx: Tx,
  deps: ClaimDeps,
  picked: Tenant,
  at: Date,
  { quota: ownQuota, isCareful }: { readonly quota: number; readonly isCareful: boolean },
): Promise<Batch> {
  const now = at.getTime();
  const limits = workspaceLimits(picked.settings, deps.countries);
  const caps = await outboundRoom(tx, deps, picked, limits, now);
  const credits = Math.min(picked.credits, picked.lockedCredits + caps.credits);
  const tenant = { ...picked, credits, isCapped: credits < picked.credits };
  const quota = Math.min(ownQuota, caps.starts);

  await lockShared(tx, tenant.id);
  // Facts about the workspace: its open campaigns, their caller numbers, live calls.
  const facts = await batchFacts(tx, tenant, at, {
    withCallees: limits.destinations.length > 0,
    takesStreams: deps.takesStreams ?? true,
  });
  const live = liveOf(facts.live);
  const workspace = { id: tenant.id, callLimit: facts.callLimit };
  const { open, closed } = await campaignsOf(tx, workspace, facts.campaigns, live.ofCampaign, now);
  if (facts.campaigns.length === BATCH_CAMPAIGNS)
    await noteConsidered(tx, tenant.id, idsOf(facts.campaigns), at);
  const campaigns = new Map(open.map(({ campaign }) => [campaign.id, campaign]));
  const numbers = facts.numbers.filter((n) => n.campaignId === null || campaigns.has(n.campaignId));
  await restTired(tx, tenant.id, limits, numbers, now);
  const own = numbers.filter((n) => n.campaignId === null);

  // Candidates: due calls of each queue, locked, no more than may start.
  const base = {
    callLimit: facts.callLimit - facts.aboveLimits,
    live: live.total,
    campaigns: new Map(open.map(({ campaign, free }) => [campaign.id, free])),
    numbers,
    liveOfNumber: live.ofNumber,
    destinations: destinationCapacity(limits, facts.callees),
  };
  const before = capacityOf({ ...base, quota, trunks: new Map() });
  const takes = takesOf(
    before.workspace,
    open.map(({ campaign, free }) => ({ id: campaign.id, free: Math.min(free, before.workspace) })),
    own.map((n) => ({ id: n.id, free: capacityFor(before, n, null) })),
  );
  const isAny = takes.campaigns.length + takes.numbers.length > 0;
  const frequency = frequencyOf(limits.calleeFrequency, now);
  const candidates = isAny ? await dueCalls(tx, tenant, at, takes.campaigns, takes.numbers, frequency) : [];

  // The trunks' free calls complete the capacity; the choice itself is pure.
  const { configs, trunks } = await TrunkBatch.begin(tx, {
    workspaceId: tenant.id,
    now,
    numbers,
    versionIds: versionsOf(candidates, campaigns),
    isCareful,
    counts: deps.trunkCounts ?? new TrunkCounts(),
    monotonic: deps.clock.monotonic(),
  });
  const input: ChoiceInput = {
    now,
    rate: deps.rate,
    tenant,
    limits,
    order: orderOf(open, tenant.ownServedAt),
    campaigns,
    candidates,
    numbers: new NumberRotation(numbers, now),
    configs,
    capacity: capacityOf({ ...base, quota, trunks: trunks.capacity() }),
    ...(deps.engines === undefined ? {} : { engines: deps.engines }),
  };
  const chosen = choose(input);

  // Skipped calls are written first, so that the end of the batch computes the scheduling hints from them.
  await writeSkipped(tx, tenant.id, at, chosen);
  const blocked = await deferBlock(tx, tenant, at, input, chosen);

  // Capacity under the limits that outlast this batch: without its quota, paces and other dialers' locks.
  const lasting = capacityOf({ ...base, quota: caps.starts, trunks: trunks.capacity(true) });
  for (const { number, candidate } of chosen.started) takeCapacity(lasting, number, candidate.campaignId);
  const held = {
    numberIds: own
      .filter((n) => n.trunkId !== null && n.isForOthers !== true && capacityFor(lasting, n, null) <= 0)
      .map((n) => n.id),
    campaignIds: !caps.isHeld ? [] : open.map(({ campaign }) => campaign.id),
  };
  const starts = chosen.started.map(startOf);
  await showHeld(
    tx,
    tenant,
    at,
    held,
    starts.map((start) => start.id),
  );
  await endBatch(tx, tenant, at, {
    nodeId: deps.nodeId,
    starts,
    campaigns: [
      ...closed,
      ...open
        .filter(({ campaign }) => takes.campaigns.some((t) => t.id === campaign.id))
        .map(({ campaign, ramp }) => campaignEnd(campaign.id, ramp, input, chosen, takes.campaigns)),
    ],
    used: input.numbers.used(),
    isOwnServed: chosen.started.some(({ candidate }) => candidate.campaignId === null),
  });
  await noteStarts(tx, tenant.id, limits.caps, { calls: chosen.started.length, strangers: 0 }, now);
  await trunks.end(tx, chosen.started);
  return {
    workspaceId: tenant.id,
    claimed: chosen.started.map((start) => claimedOf(deps.nodeId, now, tenant.id, start)),
    passedOver: chosen.deferred.length + chosen.ended.length + blocked,
    exhaustedCap: caps.exhausted,
    waitMs: trunks.waitMs(chosen.started),
  };
}

const idsOf = (campaigns: readonly DueCampaign[]): string[] => campaigns.map(({ id }) => id);

/** The versions that these calls may use. */
const versionsOf = (
  candidates: readonly Candidate[],
  campaigns: ReadonlyMap<string, DueCampaign>,
): string[] => [...new Set(candidates.map((call) => versionOf(campaigns.get(call.campaignId ?? ''), call)))];

/**
 * If every call that was read of one campaign had to be deferred, defers a block of its due calls, so that the next
 * batch reads calls behind them. Returns how many.
 */
async function deferBlock(
  tx: Tx,
  tenant: ClaimScope,
  at: Date,
  input: ChoiceInput,
  chosen: Choice,
): Promise<number> {
  const stuck = input.order.find((campaignId) => {
    const read = input.candidates.filter((candidate) => candidate.campaignId === campaignId);
    const deferred = chosen.deferred.filter((call) => call.campaignId === campaignId);
    return campaignId !== null && read.length > 0 && deferred.length === read.length;
  });
  if (stuck == null) return 0;
  const heads = await campaignHead(tx, tenant, stuck, at, DEFER_BLOCK);
  const missing = new Set(
    heads.map((head) => versionOf(input.campaigns.get(stuck), head)).filter((id) => !input.configs.has(id)),
  );
  const configs =
    missing.size === 0
      ? input.configs
      : new Map([...input.configs, ...(await versionConfigs(tx, tenant.id, [...missing]))]);
  const block = deferralsOf({ ...input, configs }, stuck, heads);
  await deferCalls(tx, tenant.id, at, block);
  return block.length;
}

/** Writes the calls that the choice deferred or ended. */
async function writeSkipped(tx: Tx, workspaceId: string, at: Date, choice: Choice): Promise<void> {
  await deferCalls(tx, workspaceId, at, choice.deferred);
  for (const [subStatus, calls] of Map.groupBy(choice.ended, (call) => call.subStatus)) {
    const status = UNABLE.has(subStatus) ? 'unable' : 'cancelled';
    const locked = await lockCalls(
      tx,
      workspaceId,
      calls.map((call) => call.id),
    );
    await endQueuedCalls(tx, workspaceId, locked, { status, subStatus }, at);
  }
}

/** Sub-statuses of calls that could not be made; every other end is a cancellation. */
const UNABLE: ReadonlySet<string> = new Set(['INSUFFICIENT_BALANCE', 'NOT_ABLE_TO_CALL', 'FAILED']);

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
