import type { Tx } from '../store/database.ts';
import type { TurnNumber } from '../store/lanes.ts';
import type { JsonObject } from '../store/schema.ts';
import { limitedTrunks, lockTrunks, savePaces, type LimitedTrunk, type TrunkPace } from '../store/trunks.ts';
import { callsFree, take, waitMs, type Pace } from './pacing.ts';
import { pacesOf, trunkRoom } from './turn-facts.ts';

/** Others have filled a trunk while a turn's calls were being written: nothing of the turn may stay. */
export class TrunkFilledError extends Error {}

/** Trunks that `started` calls go through, by call. */
type Started = readonly { readonly trunkId: string }[];

/**
 * The trunks of a turn: shared between workspaces, so that their rows are what dialers wait for each other at. A
 * narrow one is locked before calls are chosen, for what is left of it decides the choice. One with plenty of room is
 * chosen from as it was last seen and locked when all else of the turn is written, which is held against it then:
 * it is locked for two short statements, not for the writing of the calls. Narrow ones before wide ones, each by id,
 * so that nobody waits in a circle.
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
    const narrow = trunksOf(numbers, 'narrow');
    const wide = trunksOf(numbers, 'wide');
    const configs = await lockTrunks(tx, narrow, { workspaceId, ids: versionIds });
    let late = wide;
    let seen = await limitedTrunks(tx, [...narrow, ...wide]);
    const room = trunkRoom(seen, pacesOf(seen, now));
    if (wide.length > 0 && (isCareful || wide.some((id) => (room.get(id) ?? 0) < AMPLE))) {
      late = [];
      await lockTrunks(tx, wide);
      seen = await limitedTrunks(tx, [...narrow, ...wide]);
    }
    return { trunks: new TrunkTurn(now, late, seen), configs };
  }

  /** Calls that may start on each; for `lasting` the pace, which the next moment changes, is left out. */
  room(lasting = false): Map<string, number> {
    return trunkRoom(this.#trunks, lasting ? new Map() : this.#paces);
  }

  /** Says of calls that are written that they have started. Throws when a trunk has filled meanwhile. */
  async end(tx: Tx, started: Started): Promise<void> {
    const used = this.#late.filter((id) => countOn(started, id) > 0);
    let paces = [...this.#paces].filter(([id]) => !this.#late.includes(id) && countOn(started, id) > 0);
    if (used.length > 0) {
      await lockTrunks(tx, used);
      const trunks = await limitedTrunks(tx, used);
      const found = pacesOf(trunks, this.#now);
      // The calls of this turn are live already, but not yet in the pace.
      const isOver = trunks.some(({ id, maxCalls, live }) => {
        const pace = found.get(id);
        const isPaced = pace === undefined || callsFree(pace) >= countOn(started, id);
        return !isPaced || (maxCalls !== null && live > maxCalls);
      });
      if (isOver) throw new TrunkFilledError('a trunk has filled');
      paces = [...paces, ...found];
    }
    await savePaces(
      tx,
      paces.map(([id, pace]): TrunkPace => {
        const { tokens, at } = take(pace, countOn(started, id));
        return { id, tokens, at: new Date(at) };
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
