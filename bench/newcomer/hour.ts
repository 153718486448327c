import { stripVTControlCharacters } from 'node:util';

/** One success of a newcomer's hour. */
export interface Step {
  readonly name: string;
  /** When the newcomer of 187fa90 reached it by hand, in minutes since the start. */
  readonly reviewMinutes: number;
  /** Reaches the success and returns the obstacles on the way; throws when it cannot be reached. */
  readonly run: () => Promise<string[]>;
}

export interface Reached {
  readonly name: string;
  readonly reviewMinutes: number;
  readonly startedAtMs: number;
  readonly tookMs: number;
  readonly obstacles: readonly string[];
  /** Why the success was not reached; null: it was. */
  readonly failure: string | null;
}

const LIMIT_MS = 600_000;
const PAUSE_MS = 100;

/**
 * Runs the steps in order; a step that fails, or takes longer than `limitMs`, does not stop the others. Prints progress
 * to stderr.
 */
export async function runHour(steps: readonly Step[], limitMs: number): Promise<Reached[]> {
  const begin = performance.now();
  const reached: Reached[] = [];
  for (const { name, reviewMinutes, run } of steps) {
    const startedAtMs = performance.now() - begin;
    process.stderr.write(`${(startedAtMs / 1000).toFixed(1).padStart(6)} s  ${name}\n`);
    const { obstacles, failure } = await within(limitMs, name, run()).then(
      (found) => ({ obstacles: found, failure: null }),
      (error: unknown) => ({ obstacles: [], failure: reasonOf(error) }),
    );
    for (const text of [...obstacles, ...(failure === null ? [] : [`failed: ${failure}`])]) {
      process.stderr.write(`          ${text}\n`);
    }
    const tookMs = performance.now() - begin - startedAtMs;
    reached.push({ name, reviewMinutes, startedAtMs, tookMs, obstacles, failure });
  }
  return reached;
}

/** The result of a step; rejects with its name after `limitMs`. */
async function within<T>(limitMs: number, name: string, step: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`“${name}” took longer than ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([step, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What failed, and what the browser waited for. */
function reasonOf(error: unknown): string {
  const [first = '', ...rest] = stripVTControlCharacters(
    error instanceof Error ? error.message : String(error),
  ).split('\n');
  const waited = /waiting for .*/.exec(rest.join('\n'))?.[0];
  return `${first}${waited === undefined ? '' : ` (${waited})`}`.slice(0, 200);
}

/** The first result of `read` that is not null or undefined. */
export async function waitFor<T>(what: string, read: () => Promise<T | null | undefined>): Promise<T> {
  const end = performance.now() + LIMIT_MS;
  while (performance.now() < end) {
    const value = await read();
    if (value !== null && value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`no ${what} within ${LIMIT_MS / 1000} s`);
}

/** The sentence if `holds` is false. */
export const obstacle = (holds: boolean, sentence: string): string[] => (holds ? [] : [sentence]);
