import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { CountryCode } from 'libphonenumber-js/min';
import { LOCALE } from '../words/language.ts';

const names = new Intl.DisplayNames(LOCALE, { type: 'region' });

/** The countries of phone numbers, by name: code, name and calling code. */
export const COUNTRIES: readonly (readonly [CountryCode, string])[] = getCountries()
  .map((code) => [code, `${names.of(code) ?? code} (+${getCountryCallingCode(code)})`] as const)
  .toSorted(([, a], [, b]) => a.localeCompare(b));

/** The country of a browser's language, such as US of en-US; empty: it names none. */
export function countryOf(language: string): CountryCode | '' {
  const { region } = new Intl.Locale(language).maximize();
  return COUNTRIES.find(([code]) => code === region)?.[0] ?? '';
}

/** A number as typed, in the form with + and country code; null: it is no number of the country. */
export function internationalNumber(typed: string, country: CountryCode | ''): string | null {
  const number = parsePhoneNumberFromString(typed, country === '' ? undefined : country);
  return number?.isPossible() === true ? number.number : null;
}

/** The country of an E.164 number; null: none, such as satellite phones. */
export const countryOfNumber = (e164: string): CountryCode | null =>
  parsePhoneNumberFromString(e164)?.country ?? null;

/** `+1 415 555 0123`. */
export const spacedNumber = (e164: string): string =>
  parsePhoneNumberFromString(e164)?.formatInternational() ?? e164;

/** `+1` of US; empty for none. */
export function callingCode(country: string | null): string {
  const known = COUNTRIES.find(([code]) => code === country)?.[0];
  return known === undefined ? '' : `+${getCountryCallingCode(known)}`;
}

export const countryName = (country: CountryCode): string => names.of(country) ?? country;
