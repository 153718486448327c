import { AREAS } from './callee-zone-areas.ts';
import { ONE_ZONE_COUNTRIES } from './callee-zone-countries.ts';
import { NORTH_AMERICA } from './callee-zone-north-america.ts';

/** Prefix of an international number → its possible time zones. */
const zonesByPrefix: ReadonlyMap<string, readonly string[]> = readTables();
/** The digits of a number, without its `+`, that decide its zones. */
export const ZONE_DIGITS = Math.max(...[...zonesByPrefix.keys()].map((prefix) => prefix.length));

/**
 * The possible time zones of an E.164 number by country and area code: one if its prefix names a place, several
 * otherwise. Empty for numbers of no country, such as satellite phones.
 */
export function zonesOfNumber(e164: string): readonly string[] {
  for (let length = Math.min(ZONE_DIGITS, e164.length - 1); length > 0; length -= 1) {
    const zones = zonesByPrefix.get(e164.slice(1, length + 1));
    if (zones !== undefined) return zones;
  }
  return [];
}

/** Numbers with the same zones share a key: the zones, separated by `|`. */
export const zoneKey = (e164: string): string => zonesOfNumber(e164).join('|');

function readTables(): Map<string, string[]> {
  const zones = new Map<string, string[]>();
  const add = (prefix: string, zone: string): void => {
    const listed = zones.get(prefix);
    if (listed === undefined) zones.set(prefix, [zone]);
    else listed.push(zone);
  };
  for (const [, code, zone] of ONE_ZONE_COUNTRIES.matchAll(/(?<!\d)(\d+) (\S+)/g))
    add(code ?? '', zone ?? '');
  for (const { code, zones: areas } of [NORTH_AMERICA, ...AREAS]) {
    for (const [zone, prefixes] of Object.entries(areas)) {
      for (const prefix of prefixes.split(/\s+/)) add(prefix === '*' ? code : code + prefix, zone);
    }
  }
  return zones;
}
