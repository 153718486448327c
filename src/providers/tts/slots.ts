/** A bounded number of things at once, first come first served. */
export interface Slots {
  /** Runs `start` when a slot is free; the caller gives the slot back once through `release`. */
  take(start: (release: () => void) => void): { cancel(): void };
  waiting(): number;
}

export function slots(limit: number): Slots {
  const queue = new Set<(release: () => void) => void>();
  let used = 0;

  const next = (): void => {
    while (used < limit) {
      const [start] = queue;
      if (start === undefined) return;
      queue.delete(start);
      used++;
      let released = false;
      start(() => {
        if (released) return;
        released = true;
        used--;
        next();
      });
    }
  };

  return {
    take(start) {
      const entry = (release: () => void): void => start(release);
      queue.add(entry);
      next();
      return { cancel: () => void queue.delete(entry) };
    },
    waiting: () => queue.size,
  };
}
