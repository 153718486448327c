/**
 * A number in [0, 1) that depends on the seed and the key alone. Draws have names instead of an order, so that two versions of
 * an agent that take different ways still meet the same caller.
 */
export function draw(seed: number, ...key: readonly (string | number)[]): number {
  let hash = (seed ^ 0x9e3779b9) >>> 0;
  for (const part of key) hash = mixed(typeof part === 'number' ? add(hash, part) : text(hash, part));
  return mixed(hash) / 4_294_967_296;
}

/** One of a list; throws for an empty one. */
export function pick<T>(list: readonly T[], seed: number, ...key: readonly (string | number)[]): T {
  const chosen = list[Math.floor(draw(seed, ...key) * list.length)];
  if (chosen === undefined) throw new Error('a list to choose from is empty');
  return chosen;
}

/** A draw from a log-normal distribution, given by its median and 99th percentile. */
export function spread(
  { median, p99 }: { readonly median: number; readonly p99: number },
  seed: number,
  ...key: readonly (string | number)[]
): number {
  if (p99 <= median) return median;
  const radius = Math.sqrt(-2 * Math.log(1 - draw(seed, ...key, 'radius')));
  const normal = radius * Math.cos(2 * Math.PI * draw(seed, ...key, 'angle'));
  return median * Math.exp((normal * Math.log(p99 / median)) / Z99);
}

/** The standard normal deviate that 99 % stay below. */
const Z99 = 2.326;

/** The seed of one call of a run. */
export const seedOf = (seed: number, call: number): number =>
  Math.floor(draw(seed, 'call', call) * 4_294_967_296);

const add = (hash: number, value: number): number =>
  (Math.imul(hash, 0x01000193) ^ Math.imul(value | 0, 0x85ebca6b)) >>> 0;

function text(hash: number, value: string): number {
  let sum = hash;
  for (let at = 0; at < value.length; at++) sum = Math.imul(sum ^ value.charCodeAt(at), 0x01000193);
  return sum >>> 0;
}

/** The finaliser of MurmurHash3: every bit of the result depends on every bit of `hash`. */
function mixed(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
