/** Seeded random numbers, so that a run is reproducible. */
export interface Dice {
  /** From 0 to 1, exclusive. */
  next(): number;
  /** An integer from `min` to `max`, inclusive. */
  int(min: number, max: number): number;
  pick<T>(from: readonly T[]): T;
  /** An independent sequence, for concurrent work that must not disturb this one. */
  split(name: string): Dice;
}

export function rollDice(seed: number): Dice {
  let state = seed >>> 0;
  // Weyl sequence through a 32-bit mixing function.
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    int,
    pick: (from) => {
      const found = from[int(0, from.length - 1)];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
    split: (name) => {
      let own = seed;
      for (const byte of Buffer.from(name)) own = Math.imul(own ^ byte, 0x01000193);
      return rollDice(own);
    },
  };
}
