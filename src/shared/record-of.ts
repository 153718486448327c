/** A record with a value for each name. */
export const recordOf = <K extends string, V>(
  names: readonly K[],
  valueOf: (name: K, index: number) => V,
): Record<K, V> =>
  Object.fromEntries(names.map((name, index) => [name, valueOf(name, index)])) as Record<K, V>;
