import { createHash } from 'node:crypto';
import { Dice } from './dice.ts';
import type { Target } from './target.ts';

/** An input that costs more units of work is a finding. A unit is about 1 ms on the machine where the limit was chosen. */
export const SLOW_UNITS = 50;
/** A garbage collection may make an input slow once: one that takes longer runs again, measured in units. */
const DOUBTFUL_MS = 10;
const REPEATS = 3;
const MOST_REPEATS = 20;
const MAX_FINDINGS = 20;
const SHOWN_BYTES = 2_000;

export interface Finding {
  /** Index of the input: with target and seed it makes the same input again. */
  readonly at: number;
  readonly what: string;
  readonly sha256: string;
  /** The whole input, or its start if it is long. */
  readonly hex: string;
}

export interface Outcome {
  readonly inputs: number;
  readonly seconds: number;
  /** Units of work of the slowest input: the least of its runs. */
  readonly slowest: number;
  readonly findings: readonly Finding[];
}

export const inputOf = (target: Target, seed: number, at: number): Buffer =>
  target.make(new Dice(target.name, seed, at));

async function run(target: Target, input: Buffer): Promise<void> {
  const pending = target.run(input);
  if (pending instanceof Promise) await pending;
}

const STEPS_PER_UNIT = 500_000;
/** Enough to be timed by a processor clock that counts in steps of 10 ms. */
const SAMPLE_UNITS = 50;

/** Kept between calls, so that the compiler cannot drop work whose result has no reader. */
let hash = 0x811c9dc5;

/** Does so many units of integer work. */
export function work(units: number): number {
  for (let step = 0; step < units * STEPS_PER_UNIT; step += 1) {
    hash = Math.imul(hash ^ (step & 255), 0x01000193);
    hash ^= hash >>> 13;
  }
  return hash;
}

/** Processor time of `what` on this thread in milliseconds: other threads and programs do not count. */
async function processorMs(what: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await what();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const unitMs = async (): Promise<number> => (await processorMs(() => work(SAMPLE_UNITS))) / SAMPLE_UNITS;
/** The first time of a unit that this process took. */
let typicalUnit: number | undefined;

/**
 * What is wrong with an input, or null, and its cost in units of work. Runs of the input and of a unit alternate, so that a
 * slow or busy machine slows both; the least time of each counts.
 */
export async function judge(target: Target, input: Buffer): Promise<{ what: string | null; units: number }> {
  try {
    const start = performance.now();
    await run(target, input);
    const ms = performance.now() - start;
    const limit = target.slowUnits ?? SLOW_UNITS;
    if (ms <= DOUBTFUL_MS) return { what: null, units: ms };
    typicalUnit ??= await unitMs();
    let own = await processorMs(() => run(target, input));
    let unit = typicalUnit;
    // Clearly quick: half of the limit leaves room for a machine that was busier when the unit was timed.
    const isSlow = (): boolean => own > limit * unit;
    const isDoubtful = (): boolean => 2 * own > limit * unit;
    for (
      let repeat = 0;
      isDoubtful() && (repeat < REPEATS || (repeat < MOST_REPEATS && isSlow()));
      repeat += 1
    ) {
      unit = repeat === 0 ? await unitMs() : Math.min(unit, await unitMs());
      own = Math.min(own, await processorMs(() => run(target, input)));
    }
    const units = own / unit;
    return { what: isSlow() ? `takes ${units.toFixed(0)} units of work` : null, units };
  } catch (error) {
    return { what: error instanceof Error ? `${error.name}: ${error.message}` : String(error), units: 0 };
  }
}

/** Runs a target on the inputs `from` to `from + inputs` of a seed; stops at 20 findings. */
export async function fuzz(
  target: Target,
  range: { readonly seed: number; readonly from?: number; readonly inputs: number },
  onProgress: (done: number, findings: number) => void = () => undefined,
): Promise<Outcome> {
  const { seed, from = 0, inputs } = range;
  const findings: Finding[] = [];
  let slowest = 0;
  let done = 0;
  const start = performance.now();
  for (; done < inputs && findings.length < MAX_FINDINGS; done += 1) {
    const input = inputOf(target, seed, from + done);
    const { what, units } = await judge(target, input);
    slowest = Math.max(slowest, units);
    if (what !== null) {
      findings.push({
        at: from + done,
        what: what.slice(0, 500),
        sha256: createHash('sha256').update(input).digest('hex'),
        hex: input.subarray(0, SHOWN_BYTES).toString('hex'),
      });
    }
    if (done % 100 === 99) onProgress(done + 1, findings.length);
  }
  return { inputs: done, seconds: (performance.now() - start) / 1000, slowest, findings };
}
