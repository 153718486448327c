import { everyAligned } from '../shared/aligned.ts';
import { trimMemory } from '../shared/trim-memory.ts';

const MB = 1_048_576;
/** A flood of large bodies leaves holes in the allocator's memory. So much growth is worth a look at them. */
const GROWN_BYTES = 64 * MB;
/** A trim that returns less found no holes: what has grown is in use. */
const WORTH_BYTES = 8 * MB;

export interface GrownMemoryDeps {
  /** Memory of the process that is in RAM, bytes. */
  rss(): number;
  /** Returns unused memory to the system. */
  trim(): void;
}

/** Returns the memory that finished work of the process left behind. */
export class GrownMemory {
  readonly #deps: GrownMemoryDeps;
  /** What the process needs, as far as it is known, bytes. */
  #needed = Number.POSITIVE_INFINITY;

  constructor(deps: GrownMemoryDeps) {
    this.#deps = deps;
  }

  /** Trims when the process has grown since the last look. */
  look(): void {
    const before = this.#deps.rss();
    this.#needed = Math.min(this.#needed, before);
    if (before - this.#needed < GROWN_BYTES) return;
    this.#deps.trim();
    const after = this.#deps.rss();
    if (before - after < WORTH_BYTES) this.#needed = after;
  }
}

/** A trim takes a few milliseconds, a look less than one. */
const LOOK_MS = 4_000;

/** Looks at the memory of this process until the returned function is called. */
export function watchMemory(): () => void {
  const memory = new GrownMemory({ rss: () => process.memoryUsage.rss(), trim: trimMemory });
  return everyAligned(LOOK_MS, () => memory.look());
}
