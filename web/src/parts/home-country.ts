import type { CountryCode } from 'libphonenumber-js/min';
import { COUNTRIES, countryOf } from './phone-number.ts';
import { readerZone } from './time-zones.ts';

const KEY = 'country';

/** The country that the reader chose for this browser; empty: none. */
export const chosenCountry = (): CountryCode | '' => {
  const stored = typeof localStorage === 'undefined' ? null : localStorage.getItem(KEY);
  return COUNTRIES.find(([code]) => code === stored)?.[0] ?? '';
};
export const chooseCountry = (country: CountryCode): void => localStorage.setItem(KEY, country);

/** The country to begin with: the chosen one, else the one whose clock the browser has, else that of its language. */
export function homeCountry(zone = readerZone(), language = navigator.language): CountryCode | '' {
  const chosen = chosenCountry();
  if (chosen !== '') return chosen;
  const ofLanguage = countryOf(language);
  if (ofLanguage !== '' && zonesOf(ofLanguage).includes(zone)) return ofLanguage;
  const ofZone = countryOfZone(zone);
  return ofZone === '' ? ofLanguage : ofZone;
}

/** Browsers have it; the type of the language does not, yet. */
interface RegionLocale {
  readonly getTimeZones?: () => readonly string[] | undefined;
}
/** Browsers call some zones by their old names. */
const NAMES: Readonly<Record<string, string>> = { 'Asia/Calcutta': 'Asia/Kolkata' };

/** The time zones of a country; none where the browser knows none. */
export function zonesOf(country: CountryCode): readonly string[] {
  const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & RegionLocale;
  return (locale.getTimeZones?.() ?? []).map((zone) => NAMES[zone] ?? zone);
}

/** Where most people of a country live, of those with several zones: the alphabet begins elsewhere. */
const USUAL_ZONES: Readonly<Partial<Record<CountryCode, string>>> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  DE: 'Europe/Berlin',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  ID: 'Asia/Jakarta',
  KZ: 'Asia/Almaty',
  MX: 'America/Mexico_City',
  MY: 'Asia/Kuala_Lumpur',
  NZ: 'Pacific/Auckland',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kiev',
  US: 'America/New_York',
};

/** Every zone, UTC first. */
export const ZONES: readonly string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone')
    .filter((zone) => zone !== 'UTC')
    .map((zone) => NAMES[zone] ?? zone),
];

/** A browser needs a millisecond for the zones of one country, so all of them are asked once a zone. */
const countries = new Map<string, CountryCode | ''>();

/** The country whose clock a zone is; empty: none, as of UTC. */
export function countryOfZone(zone: string): CountryCode | '' {
  const known = countries.get(zone);
  if (known !== undefined) return known;
  // Only a zone with a slash is of a place.
  const found = zone.includes('/') ? COUNTRIES.find(([code]) => zonesOf(code).includes(zone)) : undefined;
  const country = found?.[0] ?? '';
  countries.set(zone, country);
  return country;
}

/** The zone of a country for who reads this here: their own where the country has it, else that of most of its people. */
export function zoneOf(country: CountryCode | '', reader = readerZone()): string {
  const zones = country === '' ? [] : zonesOf(country);
  const usual = country === '' ? undefined : USUAL_ZONES[country];
  if (zones.includes(reader)) return reader;
  return usual !== undefined && zones.includes(usual) ? usual : (zones[0] ?? reader);
}
