import { Shares } from '../../shared/shares/shares.ts';

/** The places of a process in which steps of erasures run. */
export class ErasurePlaces {
  /** A workspace holds one place at most, so one whose step hangs leaves the others all but one. */
  readonly shares: Shares;
  #choice: Promise<unknown> = Promise.resolve();

  constructor(places: number) {
    this.shares = new Shares({ places, parts: places });
  }

  /**
   * Runs `choose` after the choice under way. So each choice sees the place that the one before it took, and no two of them
   * take a place for the same workspace.
   */
  choose<T>(choose: () => Promise<T>): Promise<T> {
    const chosen = this.#choice.then(choose);
    this.#choice = chosen.catch(() => undefined);
    return chosen;
  }
}
