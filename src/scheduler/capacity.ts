import type { DestinationLimit } from '../domain/workspaces/limits.ts';
import type { BatchNumber } from '../store/scheduler/batch-facts.ts';

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
    // A number without a trunk cannot dial, and one on a paused trunk not now.
    numbers.set(number.id, number.trunkId === null || number.isPaused === true ? 0 : free);
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
