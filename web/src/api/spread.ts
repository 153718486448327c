/*
 * Thousands of pages hear of one change, or of a restart, in the same moment. Each waits a random time of its own, so that the
 * service meets them one after another.
 */

/** A random time up to `ms`. */
export const upTo = (ms: number, random: () => number = Math.random): number => ms * random();

/** A random time around `ms`: half of it to one and a half times. */
export const around = (ms: number, random: () => number = Math.random): number => ms * (0.5 + random());

const FIRST_MS = 2_000;
const LONGEST_MS = 120_000;
/** After 429 other browsers hold all streams of the workspace; after 503 the service has more to do than it can. */
const CROWDED_MS = 60_000;

/**
 * How long a page waits before it opens its stream again. `failures`: tries since the last stream that worked, at least 1; the
 * bound doubles with each. `status`: the answer to the last try; 0: none, such as after a restart.
 */
export function reconnectMs(failures: number, status: number, random: () => number = Math.random): number {
  const bound = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
  return status === 429 || status === 503 ? around(Math.max(CROWDED_MS, bound), random) : upTo(bound, random);
}
