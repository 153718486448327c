import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PRELOAD = new URL('./loop-steps-preload.ts', import.meta.url).href;

/** A step is written down so much later at most. */
const WRITTEN_MS = 300;

/** By the clock a step contains the time in which the machine ran other threads. */
export interface LongestStep {
  readonly clockMs: number;
  readonly processorMs: number;
}

/** The longest steps of the event loops of the service's call workers. While a step runs, the worker sends no frame. */
export class LoopSteps {
  readonly #folder = mkdtempSync(join(tmpdir(), 'callwright-loop-steps-'));

  /** Has the call workers of a service write down their steps. */
  get env(): Record<string, string> {
    return { LOOP_STEPS: this.#folder, NODE_OPTIONS: `--import ${PRELOAD}` };
  }

  /** The longest steps that ended in one of these spans of `Date.now()`; NaN: none was measured. */
  longest(spans: readonly { readonly from: number; readonly to: number }[]): LongestStep {
    const steps = readdirSync(this.#folder)
      .flatMap((file) => readFileSync(join(this.#folder, file), 'utf8').trim().split('\n'))
      .map((line) => line.split(' ').map(Number))
      .filter(([at = 0]) => spans.some(({ from, to }) => at >= from && at <= to + WRITTEN_MS));
    const most = (column: number): number =>
      steps.length === 0 ? Number.NaN : Math.max(...steps.map((step) => step[column] ?? Number.NaN));
    return { clockMs: most(1), processorMs: most(2) };
  }
}
