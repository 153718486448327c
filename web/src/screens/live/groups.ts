import { needyFirst, type FlaggedCall, type Limits } from './flags.ts';
import type { Wall } from './wall.ts';

/** What a wall can be grouped by. */
export const GROUPINGS = ['none', 'campaign', 'assistant'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** A call with what it may be grouped by. */
interface GroupedCall extends FlaggedCall {
  /** Its campaign. */
  readonly bulk_list_id: string | null;
  readonly agent_name: string | null;
}

/** The live calls of one campaign or assistant. */
interface CallGroup<Call> {
  /** Of the campaign or assistant; empty: none. */
  readonly id: string;
  readonly name: string;
  readonly calls: readonly Call[];
}

/**
 * The calls in the order of the wall, by campaign or assistant: groups by name, at the end the calls without one, and in
 * each group calls with a flag first. A campaign without a known name has its id. `none`: all calls as one group.
 */
export function groupsOf<Call extends GroupedCall>(
  by: Grouping,
  calls: readonly Call[],
  campaigns: ReadonlyMap<string, string>,
  wall: Wall,
  limits: Limits,
  nowMs: number,
): readonly CallGroup<Call>[] {
  const idOf = (call: Call): string =>
    ({ none: '', campaign: call.bulk_list_id ?? '', assistant: call.agent_id })[by];
  const nameOf = (id: string, first: Call | undefined): string =>
    (by === 'assistant' ? first?.agent_name : campaigns.get(id)) ?? id;
  const groups = Map.groupBy(needyFirst(calls, wall, limits, nowMs), idOf);
  return [...groups]
    .map(([id, those]) => ({ id, name: nameOf(id, those[0]), calls: those }))
    .toSorted((a, b) => Number(a.id === '') - Number(b.id === '') || a.name.localeCompare(b.name));
}
