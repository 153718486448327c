import * as fc from 'fast-check';

/**
 * Property tests draw the same cases in each run, so that a change fails by what it changed and not by luck.
 * PROPERTY_SEED=random draws new ones, PROPERTY_SEED=<integer> those of an earlier failure.
 */
const FIXED_SEED = 20_261_128;

const wanted = process.env['PROPERTY_SEED'] ?? String(FIXED_SEED);
if (wanted !== 'random') {
  const seed = Number(wanted);
  if (!Number.isInteger(seed))
    throw new Error(`PROPERTY_SEED is "${wanted}": it must be an integer or "random"`);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}
