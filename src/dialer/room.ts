import type { DestinationLimit } from '../domain/workspaces/limits.ts';
import type { TurnNumber } from '../store/lanes.ts';

/** How many more calls may start, each shared limit counted down once for every call that uses it. Pure. */
export interface Room {
  tenant: number;
  /** Campaigns; individual calls stand under no limit of this kind. */
  readonly lanes: Map<string, number>;
  readonly numbers: Map<string, number>;
  readonly trunks: Map<string, number>;
  /** Limited destinations by their name. */
  readonly destinations: Map<string, number>;
}

export interface RoomInput {
  readonly callLimit: number;
  /** Live calls of the workspace, whatever they are. */
  readonly live: number;
  /** The most to take in one turn, and what the node can still carry. */
  readonly capacity: number;
  readonly lanes: ReadonlyMap<string, number>;
  readonly numbers: readonly TurnNumber[];
  readonly liveOfNumber: ReadonlyMap<string, number>;
  /** Calls that may start on each trunk with a limit; an absent one has none. */
  readonly trunks: ReadonlyMap<string, number>;
  readonly destinations: ReadonlyMap<string, number>;
}

const atLeastNone = (entries: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...entries].map(([id, free]) => [id, Math.max(0, free)]));

/** The room of one tenant's turn. */
export function roomOf(input: RoomInput): Room {
  const numbers = new Map<string, number>();
  for (const number of input.numbers) {
    const limit = number.callLimit ?? Number.POSITIVE_INFINITY;
    const free = Math.max(0, limit - (input.liveOfNumber.get(number.id) ?? 0));
    // A number without a trunk has nowhere to dial through.
    numbers.set(number.id, number.trunkId === null ? 0 : free);
  }
  return {
    tenant: Math.max(0, Math.min(input.callLimit - input.live, input.capacity)),
    lanes: atLeastNone(input.lanes),
    numbers,
    trunks: atLeastNone(input.trunks),
    destinations: atLeastNone(input.destinations),
  };
}

/** Room for a call of a lane (null: an individual one) from a number: the least of every limit it stands under. */
export function freeOf(room: Room, number: TurnNumber, laneId: string | null): number {
  if (number.trunkId === null) return 0;
  return Math.min(
    room.tenant,
    room.numbers.get(number.id) ?? 0,
    room.trunks.get(number.trunkId) ?? Number.POSITIVE_INFINITY,
    laneId === null ? Number.POSITIVE_INFINITY : (room.lanes.get(laneId) ?? 0),
  );
}

/** The first destination limit without room, if any. */
export const crowdedOf = (
  room: Room,
  destinations: readonly DestinationLimit[],
): DestinationLimit | undefined => destinations.find((limit) => (room.destinations.get(limit.to) ?? 0) <= 0);

/** Counts one started call down. */
export function takeRoom(
  room: Room,
  number: TurnNumber,
  laneId: string | null,
  destinations: readonly DestinationLimit[] = [],
): void {
  room.tenant -= 1;
  const less = (from: Map<string, number>, id: string | null): void => {
    const free = id === null ? undefined : from.get(id);
    if (id !== null && free !== undefined) from.set(id, free - 1);
  };
  less(room.lanes, laneId);
  less(room.numbers, number.id);
  less(room.trunks, number.trunkId);
  for (const limit of destinations) less(room.destinations, limit.to);
}
