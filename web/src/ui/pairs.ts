export type Pair = readonly [name: string, value: string];
export const pairsOf = (values: Readonly<Record<string, string>>): readonly Pair[] => Object.entries(values);
/** Without the pairs that have no name yet. */
export const fromPairs = (pairs: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(
    pairs.filter(([name]) => name.trim() !== '').map(([name, value]) => [name.trim(), value]),
  );
