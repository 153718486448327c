import type { Tx } from '../store/database.ts';
import type { TurnNumber } from '../store/lanes.ts';
import type { JsonObject } from '../store/schema.ts';
import {
  holdTrunks,
  limitedTrunks,
  lockTrunks,
  noteUse,
  type LimitedTrunk,
  type TrunkLimits,
  type TrunkUse,
} from '../store/trunks.ts';
import { callsFree, take, waitMs, type Pace } from './pacing.ts';
import { pacesOf, trunkRoom } from './turn-facts.ts';

/** Others have filled a trunk while a turn's calls were being written: nothing of the turn may stay. */
export class TrunkFilledError extends Error {}

/** Trunks that `started` calls go through, by call. */
type Started = readonly { readonly trunkId: string }[];

/**
 * The trunks of a turn: shared between workspaces, so that their rows are what dialers wait for each other at. One
 * that is seen to be full is left alone. A narrow one is locked before calls are chosen, for what is left of it decides
 * the choice. One with plenty of room is chosen from as it was last seen and locked when all else of the turn is
 * written, which is held against it then: its row says how many calls others have put on it since: it is locked for two short
 * statements, not for the writing of the calls.
 * Narrow ones before wide ones, each by id, so that nobody waits in a circle.
 */
export class TrunkTurn {
  readonly #now: number;
  readonly #late: readonly string[];
  readonly #trunks: readonly LimitedTrunk[];
  readonly #paces: ReadonlyMap<string, Pace>;

  private constructor(now: number, late: readonly string[], trunks: readonly LimitedTrunk[]) {
    this.#now = now;
    this.#late = late;
    this.#trunks = trunks;
    this.#paces = pacesOf(trunks, now);
  }

  /** Reads what the candidates' versions are made of on the way. `isCareful`: every trunk is locked now. */
  static async begin(
    tx: Tx,
    input: {
      readonly workspaceId: string;
      readonly now: number;
      readonly numbers: readonly TurnNumber[];
      readonly versionIds: readonly string[];
      readonly isCareful: boolean;
    },
  ): Promise<{ trunks: TrunkTurn; configs: Map<string, JsonObject> }> {
    const { workspaceId, now, numbers, versionIds, isCareful } = input;
    if (versionIds.length === 0) return { trunks: new TrunkTurn(now, [], []), configs: new Map() };
    const [narrow, wide] = [trunksOf(numbers, 'narrow'), trunksOf(numbers, 'wide')];
    const seen = await limitedTrunks(tx, [...narrow, ...wide]);
    const room = trunkRoom(seen, pacesOf(seen, now));
    const hasRoom = (id: string): boolean => (room.get(id) ?? 0) > 0;
    const open = wide.filter(hasRoom);
    const isTight = isCareful || open.some((id) => (room.get(id) ?? 0) < AMPLE);
    const locked = [...narrow.filter(hasRoom), ...(isTight ? open : [])];
    const configs = await lockTrunks(tx, narrow.filter(hasRoom), { workspaceId, ids: versionIds });
    if (isTight) await lockTrunks(tx, open);
    const fresh = new Map((await limitedTrunks(tx, locked)).map((trunk) => [trunk.id, trunk]));
    const trunks = seen.map((trunk) => fresh.get(trunk.id) ?? trunk);
    return { trunks: new TrunkTurn(now, isTight ? [] : open, trunks), configs };
  }

  /** Calls that may start on each; for `lasting` the pace, which the next moment changes, is left out. */
  room(lasting = false): Map<string, number> {
    return trunkRoom(this.#trunks, lasting ? new Map() : this.#paces);
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

  /** How soon a pace lets another call start; Infinity when none holds anything back. */
  waitMs(started: Started): number {
    const waits = [...this.#paces].map(([id, pace]) => waitMs(take(pace, countOn(started, id))));
    return waits.reduce(
      (least, wait) => (wait > 0 ? Math.min(least, wait) : least),
      Number.POSITIVE_INFINITY,
    );
  }
}

/** What must be free on a wide trunk to choose from it unlocked: more than others are likely to take meanwhile. */
const AMPLE = 256;

const trunksOf = (numbers: readonly TurnNumber[], width: 'narrow' | 'wide'): string[] => [
  ...new Set(numbers.flatMap((n) => (n.trunkWidth === width && n.trunkId !== null ? [n.trunkId] : []))),
];

const countOn = (started: Started, trunkId: string): number =>
  started.filter((start) => start.trunkId === trunkId).length;
