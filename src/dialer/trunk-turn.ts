import { versionConfigs } from '../store/claims.ts';
import type { Tx } from '../store/database.ts';
import type { TurnNumber } from '../store/lanes.ts';
import type { JsonObject } from '../store/schema.ts';
import {
  holdFreeTrunks,
  holdTrunks,
  limitedTrunks,
  noteUse,
  trunkLimits,
  type LimitedTrunk,
  type TrunkLimits,
  type TrunkUse,
} from '../store/trunks.ts';
import { callsFree, take, waitMs, type Pace } from './pacing.ts';
import type { TrunkCounts } from './trunk-counts.ts';
import { pacesOf, trunkRoom } from './turn-facts.ts';

/** Others have filled a trunk while a turn's calls were being written: nothing of the turn may stay. */
export class TrunkFilledError extends Error {}

/** Trunks that `started` calls go through, by call. */
type Started = readonly { readonly trunkId: string }[];

/**
 * The trunks of a turn: shared between workspaces, so that their rows are what dialers meet at. One that is seen to be
 * full is left alone. One with little room is locked before calls are chosen, for what is left of it decides the
 * choice; where another dialer holds it, it counts as full for the moment. One with plenty of room is chosen from as
 * it was last seen or counted and waited for when all else of the turn is written: its row says how many calls others
 * have put on it since. So dialers wait for each other no longer than two short statements take.
 */
export class TrunkTurn {
  readonly #now: number;
  readonly #late: readonly string[];
  readonly #taken: readonly string[];
  readonly #trunks: readonly LimitedTrunk[];
  readonly #paces: ReadonlyMap<string, Pace>;

  private constructor(found: {
    readonly now: number;
    /** Not locked yet. */
    readonly late: readonly string[];
    /** Held by another dialer. */
    readonly taken: readonly string[];
    readonly trunks: readonly LimitedTrunk[];
  }) {
    this.#now = found.now;
    this.#late = found.late;
    this.#taken = found.taken;
    this.#trunks = found.trunks;
    this.#paces = pacesOf(found.trunks, found.now);
  }

  /** Reads what the candidates' versions are made of on the way. `isCareful`: wide trunks are waited for now. */
  static async begin(
    tx: Tx,
    input: {
      readonly workspaceId: string;
      readonly now: number;
      readonly numbers: readonly TurnNumber[];
      readonly versionIds: readonly string[];
      readonly isCareful: boolean;
      readonly counts: TrunkCounts;
      readonly monotonic: number;
    },
  ): Promise<{ trunks: TrunkTurn; configs: Map<string, JsonObject> }> {
    const { workspaceId, now, numbers, versionIds, isCareful, counts, monotonic } = input;
    if (versionIds.length === 0) {
      return { trunks: new TrunkTurn({ now, late: [], taken: [], trunks: [] }), configs: new Map() };
    }
    const [narrow, wide] = [trunksOf(numbers, 'narrow'), trunksOf(numbers, 'wide')];
    // Far from full, a trunk need not be counted again.
    const ample = (isCareful ? [] : await lastCounts(tx, wide, counts, monotonic)).filter(
      ({ maxCalls, live }) => maxCalls === null || maxCalls - live >= AMPLE,
    );
    const counted = await limitedTrunks(
      tx,
      [...narrow, ...wide].filter((id) => !ample.some((trunk) => trunk.id === id)),
    );
    counts.note(counted, monotonic);
    const seen = [...ample, ...counted];
    const room = trunkRoom(seen, pacesOf(seen, now));
    const hasRoom = (id: string): boolean => (room.get(id) ?? 0) > 0;
    const configs = await versionConfigs(tx, workspaceId, versionIds);
    const open = wide.filter(hasRoom);
    const isTight = open.some((id) => (room.get(id) ?? 0) < AMPLE);
    const scarce = [...narrow.filter(hasRoom), ...(isTight && !isCareful ? open : [])];
    const locked = await holdFreeTrunks(tx, scarce);
    // Nobody waits for those above, so that these may be waited for in any case.
    if (isCareful && open.length > 0) locked.push(...(await holdTrunks(tx, open)).map(({ id }) => id));
    const fresh = new Map((await limitedTrunks(tx, locked)).map((trunk) => [trunk.id, trunk]));
    return {
      trunks: new TrunkTurn({
        now,
        late: isTight || isCareful ? [] : open,
        taken: scarce.filter((id) => !locked.includes(id)),
        trunks: seen.map((trunk) => fresh.get(trunk.id) ?? trunk),
      }),
      configs,
    };
  }

  /** Calls that may start on each. For `lasting` without what only this moment holds back: paces, other dialers. */
  room(lasting = false): Map<string, number> {
    const room = trunkRoom(this.#trunks, lasting ? new Map() : this.#paces);
    if (!lasting) for (const id of this.#taken) room.set(id, 0);
    return room;
  }

  /** Says of calls that are written that they have started. Throws when a trunk has filled meanwhile. */
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
    if (isOver) throw new TrunkFilledError('a trunk has filled');
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

  /** How soon another call may start where a pace or another dialer holds it back; Infinity when nothing does. */
  waitMs(started: Started): number {
    const waits = [...this.#paces].map(([id, pace]) => waitMs(take(pace, countOn(started, id))));
    const least = this.#taken.length > 0 ? TAKEN_MS : Number.POSITIVE_INFINITY;
    return waits.reduce((soonest, wait) => (wait > 0 ? Math.min(soonest, wait) : soonest), least);
  }
}

/** About how long another dialer holds a trunk. */
const TAKEN_MS = 20;
/** What must be free on a wide trunk to choose from it unlocked: more than others are likely to take meanwhile. */
const AMPLE = 256;

/** Trunks whose last count still stands, with the most that can be live on them. */
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

const trunksOf = (numbers: readonly TurnNumber[], width: 'narrow' | 'wide'): string[] => [
  ...new Set(numbers.flatMap((n) => (n.trunkWidth === width && n.trunkId !== null ? [n.trunkId] : []))),
];

const countOn = (started: Started, trunkId: string): number =>
  started.filter((start) => start.trunkId === trunkId).length;
