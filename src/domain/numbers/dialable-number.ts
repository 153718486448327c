import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';
import { errors } from '../../errors.ts';

/** `+`, country code, at most 15 digits in all (ITU-T E.164): nothing a carrier could read as more than a number. */
const E164 = /^\+[1-9]\d{6,14}$/;

/** Kinds that bill the caller a premium, or on which toll fraud lives. */
const REFUSED_KINDS = new Set(['PREMIUM_RATE', 'SHARED_COST', 'PERSONAL_NUMBER', 'PAGER', 'VOICEMAIL']);
/** Satellite and other codes without a country (ITU list): premium by nature. */
const REFUSED_CODES = new Set(['808', '870', '878', '881', '882', '883', '888', '979']);

export interface DialRules {
  /** The workspace has asked to dial premium, shared-cost and satellite numbers. */
  allowPremium: boolean;
}

export interface DialableNumber {
  e164: string;
  /** False: it has a possible length, but belongs to no range in the numbering plan. */
  inNumberingPlan: boolean;
}

/** Checks a number to be dialled; throws 422 naming `field`. */
export function dialableNumber(field: string, text: string, rules: DialRules): DialableNumber {
  const parsed = E164.test(text) ? parsePhoneNumberFromString(text) : undefined;
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

/** Why a number is not dialled, wherever it is written down; null: it may be. */
export function whyNotDialled(number: PhoneNumber, rules: DialRules): string | null {
  if (!number.isPossible()) return 'is not a possible phone number: wrong length';
  const kind = number.getType();
  const isPremium =
    REFUSED_CODES.has(number.countryCallingCode) || (kind !== undefined && REFUSED_KINDS.has(kind));
  return isPremium && !rules.allowPremium
    ? 'is a premium, shared-cost, personal or satellite number, which are not dialled'
    : null;
}

export const isE164 = (text: string): boolean => E164.test(text);

/** Throws 422 for the first number that is not in E.164 form, naming its place in the list. */
export function checkNumbers(field: string, numbers: readonly string[]): void {
  const index = numbers.findIndex((number) => !isE164(number));
  if (index !== -1) {
    throw errors.invalid(
      `${field}[${index}]`,
      'must be a phone number in E.164 form with country code, such as +14155550100',
    );
  }
}
