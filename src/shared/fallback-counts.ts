import type { Engine } from './spoken-by.ts';

export type FallbackCount = readonly [engine: Engine, count: number];

/** Counts replies of another engine than the agent's first model. */
export class FallbackCounts {
  readonly #counts = new Map<Engine, number>();

  add(engine: Engine): void {
    this.#counts.set(engine, (this.#counts.get(engine) ?? 0) + 1);
  }

  list(): readonly FallbackCount[] {
    return [...this.#counts];
  }
}
