/** Which results of a test run count. Pure: scripts/test.ts runs the tests. */

/** A test that is known to fail now and then, with what is known of it. */
export interface KnownFlake {
  /** `<file>: <full name>`, as the summary prints it. */
  readonly test: string;
  readonly cause: string;
  /** The day it was first seen, ISO. An entry older than `FORGIVEN_DAYS` forgives nothing. */
  readonly since: string;
}

/** Mend a flake or remove its test; do not add to this list what you have not understood. */
export const KNOWN_FLAKES: readonly KnownFlake[] = [];

export const FORGIVEN_DAYS = 14;
const DAY_MS = 86_400_000;

/**
 * The failures of a file that count. A test that fails beside others counts even if it passes alone: only a known flake
 * that then passes is forgiven. `failures` and `alone` are `<file>: <full name>` lines, each with what failed behind it.
 */
export function failuresThatCount(
  failures: readonly string[],
  alone: readonly string[],
  now: number,
  known: readonly KnownFlake[] = KNOWN_FLAKES,
): readonly string[] {
  const nameOf = (failure: string): string => failure.split('\n')[0] ?? '';
  const failedTwice = new Set(alone.map(nameOf));
  const forgiven = new Set(
    known.filter(({ since }) => now - Date.parse(since) < FORGIVEN_DAYS * DAY_MS).map(({ test }) => test),
  );
  return failures.filter((failure) => failedTwice.has(nameOf(failure)) || !forgiven.has(nameOf(failure)));
}

/** The titles that several tests of a file have: a red line would not say which of them failed. */
export const duplicateTitles = (titles: readonly string[]): readonly string[] => [
  ...new Set(titles.filter((title, index) => titles.indexOf(title) !== index)),
];
