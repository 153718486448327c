/** Steps that people count in, of a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10];

/**
 * Values of an axis from 0 to at least `most`, about `count` steps of a round size; whole numbers only with `isWhole`.
 * `most` is 0 or more.
 */
export function niceTicks(most: number, count = 4, isWhole = true): readonly number[] {
  const raw = (most > 0 ? most : 1) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const found = STEPS.map((step) => step * power).find(
    (step) => step >= raw * (1 - 1e-9) && (!isWhole || Number.isInteger(step)),
  );
  const step = found ?? Math.ceil(raw);
  const steps = Math.max(1, Math.ceil(most / step - 1e-9));
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}

/** Every how many bars of a width have a name under them, so that names of `namePx` do not touch. */
export const nameEvery = (barPx: number, namePx: number): number =>
  barPx <= 0 ? 1 : Math.max(1, Math.ceil(namePx / barPx));
