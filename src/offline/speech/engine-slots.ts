/** How urgent an engine run is. */
export interface Rank {
  /** A caller hears silence until its audio is there: goes before everything else. */
  readonly waiting: boolean;
  /** When its audio is needed, ms. */
  readonly due: number;
}

/** A place in the queue for an engine process. */
export interface Turn {
  raise(rank: Rank): void;
  cancel(): void;
}

/** A counting semaphore that gives a free slot to the most urgent entry, in order of arrival among equals. */
export interface EngineSlots {
  /** Runs `start` when a slot is free; the caller calls `release` once. */
  take(rank: Rank, start: (release: () => void) => void): Turn;
  waiting(): number;
}

const isBefore = (a: Rank, b: Rank): boolean =>
  a.waiting === b.waiting ? a.due < b.due : a.waiting && !b.waiting;

export const moreUrgent = (a: Rank, b: Rank): Rank => (isBefore(a, b) ? a : b);

export function engineSlots(limit: number): EngineSlots {
  const queue = new Set<{ rank: Rank; readonly start: (release: () => void) => void }>();
  let used = 0;

  const next = (): void => {
    while (used < limit) {
      let first: { rank: Rank; readonly start: (release: () => void) => void } | undefined;
      for (const entry of queue) if (first === undefined || isBefore(entry.rank, first.rank)) first = entry;
      if (first === undefined) return;
      queue.delete(first);
      used++;
      let released = false;
      first.start(() => {
        if (released) return;
        released = true;
        used--;
        next();
      });
    }
  };

  return {
    take(rank, start) {
      const entry = { rank, start };
      queue.add(entry);
      next();
      return {
        raise: (higher) => {
          entry.rank = higher;
        },
        cancel: () => void queue.delete(entry),
      };
    },
    waiting: () => queue.size,
  };
}
