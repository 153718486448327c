import type { RowProblem } from './contact-row.ts';

/** The problems of the first rows of a list, however late a row is found to be invalid. */
export class FirstProblems {
  readonly #most: number;
  #kept: RowProblem[] = [];
  /** No row from this one on is among the first. */
  #bound = Number.POSITIVE_INFINITY;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes everything that is wrong with one row. */
  add(problems: readonly RowProblem[]): void {
    if ((problems[0]?.row ?? this.#bound) >= this.#bound) return;
    this.#kept.push(...problems);
    // Sorted now and then, not every time.
    if (this.#kept.length < 2 * this.#most) return;
    this.#kept = this.list();
    this.#bound = this.#kept.at(-1)?.row ?? this.#bound;
  }

  /** In the order of the file. */
  list(): RowProblem[] {
    return this.#kept.toSorted((a, b) => a.row - b.row).slice(0, this.#most);
  }
}
