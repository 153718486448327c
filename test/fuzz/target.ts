import type { Dice } from './dice.ts';

/** One parser or state machine that meets outside bytes. */
export interface Target {
  readonly name: string;
  /** Inputs in the nightly run, a quarter of them in `npm test`; 2,000 without it. */
  readonly nightly?: number;
  /** Cost of one input that is a finding, in units of work; `SLOW_UNITS` without it. */
  readonly slowUnits?: number;
  /** An input, as bytes so that a finding can be replayed from its hex. */
  readonly make: (dice: Dice) => Buffer;
  /** Throws when an invariant does not hold. */
  readonly run: (input: Buffer) => unknown;
  readonly close?: () => Promise<void>;
}

/** Thrown when the code under test breaks an invariant of its target. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Broken(what);
}
