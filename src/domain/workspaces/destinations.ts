import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { isPremium } from '../numbers/dialable-number.ts';
import { mayBeRefusedKind } from '../numbers/usual-number.ts';
import type { DestinationLimit, WorkspaceLimits } from './limits.ts';

/** A destination is a prefix of E.164 numbers (`+91`, `+1212`) or a country (`IN`). */
const isPrefix = (destination: string): boolean => destination.startsWith('+');

/** The country of an E.164 number; null if none matches. */
export const countryOf = (number: string): string | null =>
  parsePhoneNumberFromString(number)?.country ?? null;

/** The destinations that match `number`; its country is parsed only if a destination is a country. */
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

/** The destinations that the operator opens and closes, for the installation and for one workspace. */
export type Destinations = Pick<WorkspaceLimits, 'allowed' | 'denied' | 'installation' | 'allowPremium'>;

export const destinationsIn = ({
  allowed,
  denied,
  installation,
  allowPremium,
}: Destinations): Destinations => ({
  allowed,
  denied,
  installation,
  allowPremium,
});

const own = (name: string): string => name;
const isOutside = (destinations: readonly string[], number: string): boolean =>
  destinations.length > 0 && matching(destinations, own, number).length === 0;

/** The rule that closes an E.164 number, worded to follow a field's path; null if it may be dialled. */
export function whyClosed(limits: Destinations, number: string): string | null {
  if (isOutside(limits.installation, number)) return 'is a destination that this installation does not dial';
  if (
    matching(limits.denied, own, number).length > 0 ||
    limits.allowed.some((list) => isOutside(list, number))
  ) {
    return 'is a destination that the workspace does not dial';
  }
  return null;
}

/** Whether the workspace may dial `number` at all. */
export function mayDial(limits: Destinations, number: string): boolean {
  if (whyClosed(limits, number) !== null) return false;
  // The claim asks this of every candidate: the fast path costs a fiftieth of parsing the number.
  if (limits.allowPremium || !mayBeRefusedKind(number)) return true;
  const parsed = parsePhoneNumberFromString(number);
  return parsed === undefined || !isPremium(parsed);
}

/** The destination limits that apply to a call to `number`. */
export const destinationsOf = (
  limits: Pick<WorkspaceLimits, 'destinations'>,
  number: string,
): readonly DestinationLimit[] => matching(limits.destinations, (limit) => limit.to, number);
