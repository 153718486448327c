import { createHash } from 'node:crypto';
import { Dice } from './dice.ts';
import type { Target } from './target.ts';

/** More processor time for one input is a finding. */
export const SLOW_MS = 50;
/** Other work, such as a garbage collection, may make an input slow once: one that takes longer runs again, alone. */
const DOUBTFUL_MS = 10;
const REPEATS = 3;
/** A busy machine slows processor time, too: before an input becomes a finding it runs this often in all. */
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
  /** Processor time of the slowest input, ms: the least of its runs. */
  readonly slowestMs: number;
  readonly findings: readonly Finding[];
}

export const inputOf = (target: Target, seed: number, at: number): Buffer =>
  target.make(new Dice(target.name, seed, at));

async function run(target: Target, input: Buffer): Promise<void> {
  const pending = target.run(input);
  if (pending instanceof Promise) await pending;
}

/** Processor time of one run on this thread in milliseconds: other threads and programs do not count. */
async function processorMs(target: Target, input: Buffer): Promise<number> {
  const before = process.threadCpuUsage();
  await run(target, input);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** What is wrong with an input, or null, and its time. An input that takes long is run again, alone. */
export async function judge(target: Target, input: Buffer): Promise<{ what: string | null; ms: number }> {
  try {
    const start = performance.now();
    await run(target, input);
    let ms = performance.now() - start;
    const limitMs = target.slowMs ?? SLOW_MS;
    const isOpen = (repeat: number): boolean =>
      repeat < REPEATS ? ms > DOUBTFUL_MS : repeat < MOST_REPEATS && ms > limitMs;
    for (let repeat = 0; isOpen(repeat); repeat += 1) {
      ms = Math.min(ms, await processorMs(target, input));
    }
    return { what: ms > limitMs ? `takes ${ms.toFixed(0)} ms` : null, ms };
  } catch (error) {
    return { what: error instanceof Error ? `${error.name}: ${error.message}` : String(error), ms: 0 };
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
  let slowestMs = 0;
  let done = 0;
  const start = performance.now();
  for (; done < inputs && findings.length < MAX_FINDINGS; done += 1) {
    const input = inputOf(target, seed, from + done);
    const { what, ms } = await judge(target, input);
    slowestMs = Math.max(slowestMs, ms);
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
  return { inputs: done, seconds: (performance.now() - start) / 1000, slowestMs, findings };
}
