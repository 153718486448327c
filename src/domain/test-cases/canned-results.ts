import type { CannedResult } from '../../store/json/test-case.ts';
import { matchesArguments } from './matches-arguments.ts';

/** The answers of tools in one run of a case. */
export class CannedResults {
  readonly #results: readonly CannedResult[];
  readonly #used = new Set<CannedResult>();

  constructor(results: readonly CannedResult[]) {
    this.#results = results;
  }

  /** The first answer that fits and was not used, else the last that fits; null: the case has none for this call. */
  take(tool: string, args: Readonly<Record<string, unknown>>): CannedResult | null {
    const fitting = this.#results.filter(
      (each) => each.tool === tool && matchesArguments(each.arguments, args),
    );
    const chosen = fitting.find((each) => !this.#used.has(each)) ?? fitting.at(-1);
    if (chosen === undefined) return null;
    this.#used.add(chosen);
    return chosen;
  }
}
