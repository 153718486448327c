import type { VersionConfig } from '../store/json/agent-version.ts';
import { versionConfigs } from '../store/scheduler/claims.ts';
import type { Tx } from '../store/database.ts';
import type { BatchNumber } from '../store/scheduler/batch-numbers.ts';
import {
  holdFreeTrunks,
  holdTrunks,
  limitedTrunks,
  noteUse,
  trunkLimits,
  type LimitedTrunk,
  type TrunkLimits,
  type TrunkUse,
} from '../store/numbers/trunks.ts';
import { callsFree, take, waitMs, type Pace, pacesOf, trunkCapacity } from '../domain/trunks/capacity.ts';
import type { DestinationLimit } from '../domain/workspaces/limits.ts';

/** Another dialer took the last channel of a trunk after this batch was chosen: the batch must roll back. */
export class TrunkFilledError extends Error {}

type Started = readonly { readonly trunkId: string }[];

/**
 * The trunks of one batch. Workspaces share trunks, so trunk rows are the contention point between dialers. How a trunk
 * is locked depends on its free capacity, and no dialer waits on a trunk lock longer than two short statements:
 *
 * - full: not locked, no call is chosen for it;
 * - tight: locked before the choice, which depends on the exact count; SKIP LOCKED, so a trunk that another dialer holds
 *   counts as full for this batch;
 * - ample: chosen from an unlocked or cached count, then locked as the last step of the batch, when its `claims` column
 *   shows how many calls other dialers have added since the count (optimistic check, see `end`).
 */
export class TrunkBatch {
  readonly #now: number;
  readonly #late: readonly string[];
  readonly #taken: readonly string[];
  readonly #trunks: readonly LimitedTrunk[];
  readonly #paces: ReadonlyMap<string, Pace>;

  private constructor(found: {
    readonly now: number;
    /** Locked at the end of the batch. */
    readonly late: readonly string[];
    /** Locked by another dialer. */
    readonly taken: readonly string[];
    readonly trunks: readonly LimitedTrunk[];
  }) {
    this.#now = found.now;
    this.#late = found.late;
    this.#taken = found.taken;
    this.#trunks = found.trunks;
    this.#paces = pacesOf(found.trunks, found.now);
  }

  /**
   * Counts the batch's trunks, locks the tight ones and reads the candidates' version configs. `isCareful`: locks the
   * wide trunks here as well, so that `end` cannot fail.
   */
  static async begin(
    tx: Tx,
    input: {
      readonly workspaceId: string;
      readonly now: number;
      readonly numbers: readonly BatchNumber[];
      readonly versionIds: readonly string[];
      readonly isCareful: boolean;
      readonly counts: TrunkCounts;
      readonly monotonic: number;
    },
  ): Promise<{ trunks: TrunkBatch; configs: Map<string, VersionConfig> }> {
    const { workspaceId, now, numbers, versionIds, isCareful, counts, monotonic } = input;
    if (versionIds.length === 0) {
      return { trunks: new TrunkBatch({ now, late: [], taken: [], trunks: [] }), configs: new Map() };
    }
    const [narrow, wide] = [trunksOf(numbers, 'narrow'), trunksOf(numbers, 'wide')];
    // A cached count suffices while the trunk is far from full.
    const ample = (isCareful ? [] : await lastCounts(tx, wide, counts, monotonic)).filter(
      ({ maxCalls, live }) => maxCalls === null || maxCalls - live >= AMPLE,
    );
    const counted = await limitedTrunks(
      tx,
      [...narrow, ...wide].filter((id) => !ample.some((trunk) => trunk.id === id)),
    );
    counts.note(counted, monotonic);
    const seen = [...ample, ...counted];
    const free = trunkCapacity(seen, pacesOf(seen, now));
    const isFree = (id: string): boolean => (free.get(id) ?? 0) > 0;
    const configs = await versionConfigs(tx, workspaceId, versionIds);
    const open = wide.filter(isFree);
    const isTight = open.some((id) => (free.get(id) ?? 0) < AMPLE);
    const scarce = [...narrow.filter(isFree), ...(isTight && !isCareful ? open : [])];
    const locked = await holdFreeTrunks(tx, scarce);
    // The locks above use SKIP LOCKED, so blocking here cannot deadlock.
    if (isCareful && open.length > 0) locked.push(...(await holdTrunks(tx, open)).map(({ id }) => id));
    const fresh = new Map((await limitedTrunks(tx, locked)).map((trunk) => [trunk.id, trunk]));
    return {
      trunks: new TrunkBatch({
        now,
        late: isTight || isCareful ? [] : open,
        taken: scarce.filter((id) => !locked.includes(id)),
        trunks: seen.map((trunk) => fresh.get(trunk.id) ?? trunk),
      }),
      configs,
    };
  }

  /** Free calls of each trunk. `lasting`: under its channel limit alone, ignoring its pace and other dialers' locks. */
  capacity(lasting = false): Map<string, number> {
    const free = trunkCapacity(this.#trunks, lasting ? new Map() : this.#paces);
    if (!lasting) for (const id of this.#taken) free.set(id, 0);
    return free;
  }

  /** Records that the batch's calls have started; throws TrunkFilledError if another dialer took the last channel. */
  async end(tx: Tx, started: Started): Promise<void> {
    const seen = this.#trunks.filter(({ id }) => countOn(started, id) > 0);
    const found = new Map(seen.map((trunk): [string, TrunkLimits] => [trunk.id, trunk]));
    const late = seen.filter(({ id }) => this.#late.includes(id));
    if (late.length > 0) {
      for (const trunk of await holdTrunks(
        tx,
        late.map(({ id }) => id),
      ))
        found.set(trunk.id, trunk);
    }
    const paces = pacesOf([...found.values()], this.#now);
    const isOver = late.some(({ id, live, claims }) => {
      const trunk = found.get(id);
      const mine = countOn(started, id);
      const others = (trunk?.claims ?? claims) - claims;
      const pace = paces.get(id);
      const isFull = trunk !== undefined && trunk.maxCalls !== null && live + others + mine > trunk.maxCalls;
      return isFull || (pace !== undefined && callsFree(pace) < mine);
    });
    if (isOver) throw new TrunkFilledError('another dialer filled a trunk');
    await noteUse(
      tx,
      seen.map(({ id }): TrunkUse => {
        const calls = countOn(started, id);
        const pace = paces.get(id);
        const after = pace === undefined ? null : take(pace, calls);
        return { id, calls, pace: after === null ? null : { tokens: after.tokens, at: new Date(after.at) } };
      }),
    );
  }

  /** Ms until a pace or another dialer's lock lets the next call start; Infinity when neither blocks one. */
  waitMs(started: Started): number {
    const waits = [...this.#paces].map(([id, pace]) => waitMs(take(pace, countOn(started, id))));
    const least = this.#taken.length > 0 ? TAKEN_MS : Number.POSITIVE_INFINITY;
    return waits.reduce((soonest, wait) => (wait > 0 ? Math.min(soonest, wait) : soonest), least);
  }
}

/** About how long another dialer holds a trunk's lock. */
const TAKEN_MS = 20;
/** Free calls from which a wide trunk counts as ample: more than other dialers are likely to claim during one batch. */
const AMPLE = 256;

/** Trunks with an unexpired cached count, `live` being the upper bound it gives. */
async function lastCounts(
  tx: Tx,
  trunkIds: readonly string[],
  counts: TrunkCounts,
  monotonic: number,
): Promise<LimitedTrunk[]> {
  const rows = await trunkLimits(
    tx,
    trunkIds.filter((id) => counts.isKnown(id, monotonic)),
  );
  return rows.flatMap((row) => {
    const live = counts.atMost(row, monotonic);
    return live === null ? [] : [{ ...row, live }];
  });
}

const trunksOf = (numbers: readonly BatchNumber[], width: 'narrow' | 'wide'): string[] => [
  ...new Set(numbers.flatMap((n) => (n.trunkWidth === width && n.trunkId !== null ? [n.trunkId] : []))),
];

const countOn = (started: Started, trunkId: string): number =>
  started.filter((start) => start.trunkId === trunkId).length;

/** Bounds the staleness: inbound calls and transfer legs are not in `claims` and appear with the next count. */
const MAX_AGE_MS = 1000;

interface Count {
  readonly live: number;
  readonly claims: number;
  /** Monotonic clock, ms. */
  readonly at: number;
}

/**
 * This process's cache of each trunk's last count of live calls. A count reads every number of the trunk in all
 * workspaces; the trunk's row alone shows how many calls dialers have claimed on it since, which bounds the growth.
 */
export class TrunkCounts {
  readonly #counts = new Map<string, Count>();

  note(trunks: readonly LimitedTrunk[], now: number): void {
    for (const { id, live, claims } of trunks) this.#counts.set(id, { live, claims, at: now });
  }

  /** Whether `atMost` has an unexpired count. */
  isKnown(id: string, now: number): boolean {
    const count = this.#counts.get(id);
    return count !== undefined && now - count.at < MAX_AGE_MS;
  }

  /** An upper bound of the trunk's live calls: its last count plus all claims since; null without an unexpired count. */
  atMost({ id, claims }: TrunkLimits, now: number): number | null {
    const count = this.#counts.get(id);
    return count === undefined || !this.isKnown(id, now) ? null : count.live + (claims - count.claims);
  }
}

/** Free calls under each limit of one workspace; a started call takes one from every limit it counts against. Pure. */
export interface Capacity {
  /** Under the workspace's call limit and the batch quota. */
  workspace: number;
  /** By campaign id. Individual calls have no campaign limit. */
  readonly campaigns: Map<string, number>;
  readonly numbers: Map<string, number>;
  readonly trunks: Map<string, number>;
  /** By the limited destination's prefix. */
  readonly destinations: Map<string, number>;
}

export interface CapacityInput {
  readonly callLimit: number;
  /** Live calls of the workspace, inbound ones included. */
  readonly live: number;
  /** The most calls of one batch. */
  readonly quota: number;
  readonly campaigns: ReadonlyMap<string, number>;
  readonly numbers: readonly BatchNumber[];
  readonly liveOfNumber: ReadonlyMap<string, number>;
  /** Free calls of each limited trunk; a trunk that is not listed has no limit. */
  readonly trunks: ReadonlyMap<string, number>;
  readonly destinations: ReadonlyMap<string, number>;
}

const atLeastZero = (entries: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...entries].map(([id, free]) => [id, Math.max(0, free)]));

/** The capacity of one workspace's batch. */
export function capacityOf(input: CapacityInput): Capacity {
  const numbers = new Map<string, number>();
  for (const number of input.numbers) {
    const limit = number.callLimit ?? Number.POSITIVE_INFINITY;
    const free = Math.max(0, limit - (input.liveOfNumber.get(number.id) ?? 0));
    // A number without a trunk cannot dial, one on a paused trunk not now, and one whose streams go elsewhere not here.
    const isClosed = number.trunkId === null || number.isPaused === true || number.isForOthers === true;
    numbers.set(number.id, isClosed ? 0 : free);
  }
  return {
    workspace: Math.max(0, Math.min(input.callLimit - input.live, input.quota)),
    campaigns: atLeastZero(input.campaigns),
    numbers,
    trunks: atLeastZero(input.trunks),
    destinations: atLeastZero(input.destinations),
  };
}

/** Calls that may start from `number` for a campaign (null: individual calls): the minimum over every limit. */
export function capacityFor(capacity: Capacity, number: BatchNumber, campaignId: string | null): number {
  if (number.trunkId === null) return 0;
  return Math.min(
    capacity.workspace,
    capacity.numbers.get(number.id) ?? 0,
    capacity.trunks.get(number.trunkId) ?? Number.POSITIVE_INFINITY,
    campaignId === null ? Number.POSITIVE_INFINITY : (capacity.campaigns.get(campaignId) ?? 0),
  );
}

/** The first of these destination limits that has no free call; undefined: none is exhausted. */
export const fullDestination = (
  capacity: Capacity,
  destinations: readonly DestinationLimit[],
): DestinationLimit | undefined =>
  destinations.find((limit) => (capacity.destinations.get(limit.to) ?? 0) <= 0);

/** Takes one started call from every limit it counts against. */
export function takeCapacity(
  capacity: Capacity,
  number: BatchNumber,
  campaignId: string | null,
  destinations: readonly DestinationLimit[] = [],
): void {
  capacity.workspace -= 1;
  const decrement = (from: Map<string, number>, id: string | null): void => {
    const free = id === null ? undefined : from.get(id);
    if (id !== null && free !== undefined) from.set(id, free - 1);
  };
  decrement(capacity.campaigns, campaignId);
  decrement(capacity.numbers, number.id);
  decrement(capacity.trunks, number.trunkId);
  for (const limit of destinations) decrement(capacity.destinations, limit.to);
}
