import type { DtmfDigit } from '@callwright/audio';

const DIGITS: ReadonlySet<unknown> = new Set('0123456789*#ABCD');

/** The key that a carrier names; null: it is none. */
export const digitOf = (value: unknown): DtmfDigit | null =>
  DIGITS.has(value) ? (value as DtmfDigit) : null;
