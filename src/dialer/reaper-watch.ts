/**
 * Who has stopped beating, judged by what this process itself has seen: a beat that did not change over `STALE_MS` of
 * uninterrupted looking. Clocks of other machines do not matter, and after a pause of ours (or of the database)
 * everyone gets the whole time again. Pure.
 */
export interface Watch {
  readonly lookedAt: number;
  readonly seen: ReadonlyMap<string, { readonly beat: number; readonly since: number }>;
}

export const STALE_MS = 15_000;
/** A longer gap between two looks means that we, not they, were away. */
const GAP_MS = 5_000;

export const newWatch = (): Watch => ({ lookedAt: Number.NEGATIVE_INFINITY, seen: new Map() });

/** Takes one look at monotonic time `at`. Returns the watch to go on with, and the ids of the dead. */
export function look(
  watch: Watch,
  nodes: readonly { readonly id: string; readonly beat: number }[],
  at: number,
): { watch: Watch; dead: string[] } {
  const isFresh = at - watch.lookedAt > GAP_MS;
  const seen = new Map<string, { beat: number; since: number }>();
  const dead: string[] = [];
  for (const node of nodes) {
    const before = watch.seen.get(node.id);
    const since = before === undefined || isFresh || before.beat !== node.beat ? at : before.since;
    seen.set(node.id, { beat: node.beat, since });
    if (at - since >= STALE_MS) dead.push(node.id);
  }
  return { watch: { lookedAt: at, seen }, dead };
}
