import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';
import { errors } from '../../errors.ts';
import { isE164 } from './e164.ts';
import { REFUSED_KINDS } from './usual-number.ts';

const refusedKinds: ReadonlySet<string> = new Set(REFUSED_KINDS);
/** Country codes without a country, such as satellite networks (ITU list): premium. */
const REFUSED_CODES = new Set(['808', '870', '878', '881', '882', '883', '888', '979']);

export interface DialRules {
  /** The workspace may dial premium, shared-cost and satellite numbers. */
  allowPremium: boolean;
}

export interface DialableNumber {
  e164: string;
  /** False: the length is possible, but no range of the numbering plan matches. */
  inNumberingPlan: boolean;
}

/** Checks a number to be dialled; throws 422 naming `field`. */
export function dialableNumber(field: string, text: string, rules: DialRules): DialableNumber {
  const parsed = isE164(text) ? parsePhoneNumberFromString(text) : undefined;
  if (parsed === undefined || parsed.number !== text) {
    throw errors.invalid(
      field,
      'must be a phone number in E.164 form with country code, such as +14155550100',
    );
  }
  const refusal = whyNotDialled(parsed, rules);
  if (refusal !== null) throw errors.invalid(field, refusal);
  return { e164: parsed.number, inNumberingPlan: parsed.isValid() };
}

/** The reason to refuse a number; null if it may be dialled. */
export function whyNotDialled(number: PhoneNumber, rules: DialRules): string | null {
  if (!number.isPossible()) return 'is not a possible phone number: wrong length';
  return isPremium(number) && !rules.allowPremium
    ? 'is a premium, shared-cost, personal or satellite number, which the service does not dial'
    : null;
}

/** A premium, shared-cost, personal or satellite number. `number` must come from libphonenumber's full metadata. */
export function isPremium(number: PhoneNumber): boolean {
  const kind = number.getType();
  return REFUSED_CODES.has(number.countryCallingCode) || (kind !== undefined && refusedKinds.has(kind));
}

/** Throws 422 naming the index of the first number that is not in E.164 form. */
export function checkNumbers(field: string, numbers: readonly string[]): void {
  const index = numbers.findIndex((number) => !isE164(number));
  if (index !== -1) {
    throw errors.invalid(
      `${field}[${index}]`,
      'must be a phone number in E.164 form with country code, such as +14155550100',
    );
  }
}
