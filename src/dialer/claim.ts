import { endWaiting } from '../domain/calls/end-queued.ts';
import type { CallLevelConfig } from '../domain/agents/call-config.ts';
import type { VersionConfig } from '../domain/agents/agent-version.ts';
import type { Rate } from '../domain/credits/price.ts';
import { workspaceLimits } from '../domain/workspaces/limits.ts';
import type { Clock } from '../shared/clock.ts';
import type { AttemptRef } from '../store/attempts.ts';
import { lockCalls } from '../store/call-facts.ts';
import {
  deferCalls,
  dueCalls,
  laneHead,
  pickTenant,
  showHeld,
  versionConfigs,
  type Candidate,
  type Tenant,
} from '../store/claims.ts';
import type { Db, Tx } from '../store/database.ts';
import { LANES, noteLooked, turnFacts, type Lane } from '../store/lanes.ts';
import { endTurn, type AttemptStart, type LaneEnd } from '../store/turn-end.ts';
import { choose, postponed, versionOf, type Choice, type ChoiceInput, type Started } from './choose.ts';
import { laneOpening } from './gate.ts';
import { NumberTurns } from './number-turns.ts';
import { freeOf, roomOf, takeRoom } from './room.ts';
import { TrunkCounts } from './trunk-counts.ts';
import { TrunkFilledError, TrunkTurn } from './trunk-turn.ts';
import { destinationRoom, frequencyOf, laneRoom, liveOf, restTired, takesOf } from './turn-facts.ts';

export interface ClaimDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly rate: Rate;
  readonly nodeId: string;
  /** What earlier turns of this process have counted; absent: nothing. */
  readonly trunkCounts?: TrunkCounts;
}

/** A call this node may now dial: live, journalled, its money locked. */
export interface Claimed extends AttemptRef {
  readonly laneId: string | null;
  readonly agentId: string;
  readonly agentName: string;
  readonly agentType: string;
  readonly versionId: string;
  readonly versionConfig: VersionConfig;
  readonly callConfig: CallLevelConfig | null;
  readonly numberId: string;
  readonly numberDisplayName: string;
  readonly trunkId: string;
  readonly fromNumber: string;
  readonly toNumber: string;
  readonly calleeName: string;
  readonly args: Record<string, string>;
  /** The longest the call may last: max_call_length, or less where the balance covers less. */
  readonly capMs: number;
}

export interface Turn {
  readonly workspaceId: string;
  readonly claimed: readonly Claimed[];
  /** Calls put off or ended without dialling: more may be behind them. */
  readonly passedOver: number;
  /** How soon a trunk's pace lets another call start; Infinity when no pace holds anything back. */
  readonly waitMs: number;
}

/**
 * The most calls one tenant gets in a turn before the next has its own: an eighth of what the node can carry, so that
 * scarce room is shared out finely and plenty of it quickly.
 */
const TURN = { least: 8, most: 64, share: 8 } as const;
/** A campaign whose window is closed is looked at again by then: its settings may have changed meanwhile. */
const LOOK_AGAIN_MS = 300_000;
/** How many calls that cannot start are put off at once, so that a long row of them hides nobody for long. */
const BLOCK = 512;

const quotaOf = (capacity: number): number =>
  Math.min(capacity, TURN.most, Math.max(TURN.least, Math.ceil(capacity / TURN.share)));

/**
 * One turn of the round: the workspace served longest ago gets some of its due calls started, campaigns and
 * individual ones in turn, within every limit. Null when no workspace outside `visited` has anything due. Two
 * statements at least: see store/claims.ts. Made once more, with its trunks locked first, should one of them have filled
 * while it was being written.
 */
export async function claimTurn(
  deps: ClaimDeps,
  input: {
    readonly visited: readonly string[];
    /** Calls this node can still carry. */
    readonly capacity: number;
  },
): Promise<Turn | null> {
  const turn = (isCareful: boolean): Promise<Turn | null> =>
    deps.db.transaction().execute(async (tx) => {
      const at = new Date(deps.clock.now());
      const tenant = await pickTenant(tx, { nodeId: deps.nodeId, now: at, visited: input.visited });
      return tenant === null
        ? null
        : turnOf(tx, deps, tenant, at, { quota: quotaOf(input.capacity), isCareful });
    });
  try {
    return await turn(false);
  } catch (error) {
    if (!(error instanceof TrunkFilledError)) throw error;
    return turn(true);
  }
}

interface OpenLane {
  readonly lane: Lane;
  readonly ramp: LaneEnd['ramp'];
  readonly free: number;
}

async function turnOf(
  tx: Tx,
  deps: ClaimDeps,
  tenant: Tenant,
  at: Date,
  { quota, isCareful }: { readonly quota: number; readonly isCareful: boolean },
): Promise<Turn> {
  const now = at.getTime();
  const limits = workspaceLimits(tenant.settings);
  const facts = await turnFacts(tx, tenant.id, at, limits.destinations.length > 0);
  const live = liveOf(facts.live);
  const workspace = { id: tenant.id, callLimit: facts.callLimit };
  const { open, closed } = await lanesOf(tx, workspace, facts.lanes, live.ofLane, now);
  if (facts.lanes.length === LANES) await noteLooked(tx, tenant.id, idsOf(facts.lanes), at);
  const lanes = new Map(open.map(({ lane }) => [lane.id, lane]));
  const numbers = facts.numbers.filter((n) => n.laneId === null || lanes.has(n.laneId));
  await restTired(tx, tenant.id, limits, numbers, now);
  const own = numbers.filter((n) => n.laneId === null);
  const base = {
    callLimit: facts.callLimit - facts.aboveLimits,
    live: live.total,
    lanes: new Map(open.map(({ lane, free }) => [lane.id, free])),
    numbers,
    liveOfNumber: live.ofNumber,
    destinations: destinationRoom(limits, facts.callees),
  };
  const before = roomOf({ ...base, capacity: quota, trunks: new Map() });
  const takes = takesOf(
    before.tenant,
    open.map(({ lane, free }) => ({ id: lane.id, free: Math.min(free, before.tenant) })),
    own.map((n) => ({ id: n.id, free: freeOf(before, n, null) })),
  );
  const isAny = takes.lanes.length + takes.numbers.length > 0;
  const frequency = frequencyOf(limits.calleeFrequency, now);
  const candidates = isAny ? await dueCalls(tx, tenant.id, at, takes.lanes, takes.numbers, frequency) : [];
  const { configs, trunks } = await TrunkTurn.begin(tx, {
    workspaceId: tenant.id,
    now,
    numbers,
    versionIds: versionsOf(candidates, lanes),
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
    lanes,
    candidates,
    numbers: new NumberTurns(numbers, now),
    configs,
    room: roomOf({ ...base, capacity: quota, trunks: trunks.room() }),
  };
  const chosen = choose(input);
  await passOver(tx, tenant.id, at, chosen);
  const swept = await sweep(tx, tenant.id, at, input, chosen);

  // Limits that outlast the turn, without what only this turn, this node or the pace holds back.
  const capacity = Number.POSITIVE_INFINITY;
  const lasting = roomOf({ ...base, capacity, trunks: trunks.room(true) });
  for (const { number, candidate } of chosen.started) takeRoom(lasting, number, candidate.laneId);
  const held = own.filter((n) => n.trunkId !== null && freeOf(lasting, n, null) <= 0).map((n) => n.id);
  const starts = chosen.started.map(startOf);
  await showHeld(
    tx,
    tenant.id,
    at,
    held,
    starts.map((start) => start.id),
  );
  await endTurn(tx, tenant.id, at, {
    nodeId: deps.nodeId,
    starts,
    lanes: [
      ...closed,
      ...open
        .filter(({ lane }) => takes.lanes.some((t) => t.id === lane.id))
        .map(({ lane, ramp }) => laneEnd(lane.id, ramp, input, chosen, takes.lanes)),
    ],
    used: input.numbers.used(),
    isOwnServed: chosen.started.some(({ candidate }) => candidate.laneId === null),
  });
  await trunks.end(tx, chosen.started);
  return {
    workspaceId: tenant.id,
    claimed: chosen.started.map((start) => claimedOf(deps, tenant.id, start)),
    passedOver: chosen.deferred.length + chosen.ended.length + swept,
    waitMs: trunks.waitMs(chosen.started),
  };
}

const idsOf = (lanes: readonly Lane[]): string[] => lanes.map(({ id }) => id);

/** The versions that these calls may go to. */
const versionsOf = (candidates: readonly Candidate[], lanes: ReadonlyMap<string, Lane>): string[] => [
  ...new Set(candidates.map((call) => versionOf(lanes.get(call.laneId ?? ''), call))),
];

/** The campaigns that may dial now, with their room; those outside their window wait for it as a whole. */
async function lanesOf(
  tx: Tx,
  workspace: { readonly id: string; readonly callLimit: number },
  lanes: readonly Lane[],
  live: ReadonlyMap<string, number>,
  now: number,
): Promise<{ open: OpenLane[]; closed: LaneEnd[] }> {
  const open: OpenLane[] = [];
  const closed: LaneEnd[] = [];
  for (const lane of lanes) {
    const { ramp, free } = await laneRoom(tx, workspace, lane, live.get(lane.id) ?? 0, now);
    const stored = { limit: ramp.limit, at: new Date(ramp.at) };
    const opening = laneOpening(lane, now);
    if (opening <= now) open.push({ lane, ramp: stored, free });
    else {
      closed.push({
        id: lane.id,
        isServed: false,
        ramp: stored,
        holdUntil: new Date(Math.min(opening, now + LOOK_AGAIN_MS)),
        isBroke: false,
        isDeep: false,
      });
    }
  }
  return { open, closed };
}

/** Whose turn it is: campaigns and the individual calls, the ones served longest ago first. */
function orderOf(open: readonly OpenLane[], ownServedAt: number): (string | null)[] {
  const queues: { id: string | null; servedAt: number }[] = [
    { id: null, servedAt: ownServedAt },
    ...open.map(({ lane }) => ({ id: lane.id, servedAt: lane.servedAt })),
  ];
  return queues.sort((a, b) => a.servedAt - b.servedAt).map(({ id }) => id);
}

function laneEnd(
  id: string,
  ramp: LaneEnd['ramp'],
  input: ChoiceInput,
  chosen: Choice,
  takes: readonly { readonly id: string; readonly take: number }[],
): LaneEnd {
  const read = input.candidates.filter((candidate) => candidate.laneId === id).length;
  const held = chosen.held.get(id);
  const wanted = takes.find((t) => t.id === id)?.take ?? 0;
  return {
    id,
    isServed: chosen.started.some(({ candidate }) => candidate.laneId === id),
    ramp,
    holdUntil: held === undefined ? null : new Date(held),
    isBroke: chosen.broke.has(id),
    isDeep: held === undefined && !chosen.broke.has(id) && read >= wanted,
  };
}

/** Puts off a block of a campaign's calls when none of those that were read could start. Returns how many. */
async function sweep(
  tx: Tx,
  workspaceId: string,
  at: Date,
  input: ChoiceInput,
  chosen: Choice,
): Promise<number> {
  const stuck = input.order.find((laneId) => {
    const read = input.candidates.filter((candidate) => candidate.laneId === laneId);
    const deferred = chosen.deferred.filter((call) => call.laneId === laneId);
    return laneId !== null && read.length > 0 && deferred.length === read.length;
  });
  if (stuck == null) return 0;
  const heads = await laneHead(tx, workspaceId, stuck, at, BLOCK);
  const missing = new Set(
    heads.map((head) => versionOf(input.lanes.get(stuck), head)).filter((id) => !input.configs.has(id)),
  );
  const configs =
    missing.size === 0
      ? input.configs
      : new Map([...input.configs, ...(await versionConfigs(tx, workspaceId, [...missing]))]);
  const block = postponed({ ...input, configs }, stuck, heads);
  await deferCalls(tx, workspaceId, at, block);
  return block.length;
}

const startOf = ({ candidate, number, versionId, amount }: Started): AttemptStart => ({
  id: candidate.id,
  attempt: candidate.attempt + 1,
  reserved: amount,
  laneId: candidate.laneId,
  numberId: number.id,
  fromNumber: candidate.laneId === null ? null : number.number,
  toNumber: candidate.toNumber,
  versionId,
});

/** Puts off and ends what is not dialled now. */
async function passOver(tx: Tx, workspaceId: string, at: Date, choice: Choice): Promise<void> {
  await deferCalls(tx, workspaceId, at, choice.deferred);
  for (const [subStatus, calls] of Map.groupBy(choice.ended, (call) => call.subStatus)) {
    const status = UNABLE.has(subStatus) ? 'unable' : 'cancelled';
    const locked = await lockCalls(
      tx,
      workspaceId,
      calls.map((call) => call.id),
    );
    await endWaiting(tx, workspaceId, locked, { status, subStatus }, at);
  }
}

/** Ends that are nobody's wish. */
const UNABLE: ReadonlySet<string> = new Set(['INSUFFICIENT_BALANCE', 'NOT_ABLE_TO_CALL', 'FAILED']);

function claimedOf(deps: ClaimDeps, workspaceId: string, start: Started): Claimed {
  const { candidate, number } = start;
  return {
    workspaceId,
    callId: candidate.id,
    attempt: candidate.attempt + 1,
    nodeId: deps.nodeId,
    laneId: candidate.laneId,
    agentId: candidate.agentId,
    agentName: candidate.agentName,
    agentType: candidate.agentType,
    versionId: start.versionId,
    versionConfig: start.versionConfig as unknown as VersionConfig,
    callConfig: start.callConfig,
    numberId: number.id,
    numberDisplayName: number.displayName,
    trunkId: start.trunkId,
    fromNumber: candidate.laneId === null ? candidate.fromNumber : number.number,
    toNumber: candidate.toNumber,
    calleeName: candidate.calleeName,
    args: candidate.args,
    capMs: start.capMs,
  };
}
