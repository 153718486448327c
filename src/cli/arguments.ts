import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';

const HIGHEST_PORT = 65_535;

/** The first word of a file: the key, in a file of keys. */
export function firstWord(file: string): string {
  try {
    return /\S+/u.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : 'It cannot be read.');
  }
}

/** Parses a whole number from 1 to `most`. */
const numberUpTo =
  (most: number) =>
  (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > most) throw new InvalidArgumentError(`It must be a number from 1 to ${most}.`);
    return value;
  };

export const portNumber = numberUpTo(HIGHEST_PORT);
export const callCount = numberUpTo(9_999_999);
/** At most an hour: no call lasts longer. */
export const seconds = numberUpTo(3600);
