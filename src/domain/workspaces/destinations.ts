import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { DestinationLimit, WorkspaceLimits } from './limits.ts';

/** A destination is a prefix of E.164 numbers (`+91`, `+1212`) or a country (`IN`). */
const isPrefix = (destination: string): boolean => destination.startsWith('+');

/** The country of an E.164 number; null for one that no country has. */
export const countryOf = (number: string): string | null =>
  parsePhoneNumberFromString(number)?.country ?? null;

/** Where `number` lies among `destinations`; its country is looked up only where one of them is a country. */
function matching<D>(
  destinations: readonly D[],
  nameOf: (destination: D) => string,
  number: string,
): readonly D[] {
  if (destinations.length === 0) return [];
  let country: string | null | undefined;
  return destinations.filter((destination) => {
    const name = nameOf(destination);
    if (isPrefix(name)) return number.startsWith(name);
    country ??= countryOf(number);
    return name === country;
  });
}

/** Whether the workspace may dial `number` at all. */
export function mayDial(limits: Pick<WorkspaceLimits, 'allowed' | 'denied'>, number: string): boolean {
  const own = (name: string): string => name;
  if (matching(limits.denied, own, number).length > 0) return false;
  return limits.allowed.length === 0 || matching(limits.allowed, own, number).length > 0;
}

/** The limited destinations that a call to `number` counts towards. */
export const destinationsOf = (
  limits: Pick<WorkspaceLimits, 'destinations'>,
  number: string,
): readonly DestinationLimit[] => matching(limits.destinations, (limit) => limit.to, number);
