import type { RowProblem } from '../../../store/json/contact-import.ts';

/** Keeps the problems of the lowest row numbers, in whichever order they are found. */
export class FirstProblems {
  readonly #most: number;
  #kept: RowProblem[] = [];
  /** Rows from this number on are not kept. */
  #bound = Number.POSITIVE_INFINITY;

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds all problems of one row. */
  add(problems: readonly RowProblem[]): void {
    if ((problems[0]?.row ?? this.#bound) >= this.#bound) return;
    this.#kept.push(...problems);
    // Sorting only when the list has doubled amortises its cost.
    if (this.#kept.length < 2 * this.#most) return;
    this.#kept = this.list();
    this.#bound = this.#kept.at(-1)?.row ?? this.#bound;
  }

  /** Problems by row number. */
  list(): RowProblem[] {
    return this.#kept.toSorted((a, b) => a.row - b.row).slice(0, this.#most);
  }
}
