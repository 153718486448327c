import { AREAS } from './callee-zone-areas.ts';
import { ONE_ZONE_COUNTRIES } from './callee-zone-countries.ts';
import { NORTH_AMERICA } from './callee-zone-north-america.ts';

/** Leading digits of an international number to the zones it may ring in. */
const zonesByPrefix: ReadonlyMap<string, readonly string[]> = readTables();
const LONGEST = Math.max(...[...zonesByPrefix.keys()].map((prefix) => prefix.length));

/**
 * The zones in which a number in E.164 form may ring, by its country and area code: one where its digits name a
 * place, several where they do not. Empty for numbers of no country, such as satellite ones.
 */
export function zonesOfNumber(e164: string): readonly string[] {
  for (let length = Math.min(LONGEST, e164.length - 1); length > 0; length -= 1) {
    const zones = zonesByPrefix.get(e164.slice(1, length + 1));
    if (zones !== undefined) return zones;
  }
  return [];
}

function readTables(): Map<string, string[]> {
  const zones = new Map<string, string[]>();
  const add = (prefix: string, zone: string): void => {
    const listed = zones.get(prefix);
    if (listed === undefined) zones.set(prefix, [zone]);
    else listed.push(zone);
  };
  for (const [, code, zone] of ONE_ZONE_COUNTRIES.matchAll(/(\d+) (\S+)/g)) add(code ?? '', zone ?? '');
  for (const { code, zones: areas } of [NORTH_AMERICA, ...AREAS]) {
    for (const [zone, prefixes] of Object.entries(areas)) {
      for (const prefix of prefixes.split(/\s+/)) add(prefix === '*' ? code : code + prefix, zone);
    }
  }
  return zones;
}
