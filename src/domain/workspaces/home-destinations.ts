import type { JsonObject } from '../../store/schema.ts';
import type { StoredLimits } from './limits.ts';
import { countryOf } from './destinations.ts';

/**
 * New workspaces are closed: they dial the countries of their own numbers, until an owner opens others. Kept in the settings, so
 * that the claim reads nothing more; a workspace from before this rule has no such settings and stays open.
 */
interface StoredDestinations {
  closed_destinations?: boolean;
  /** The countries of the numbers of the workspace and its children on carriers. */
  home_countries?: string[];
  open_destinations?: string[] | 'all';
}

/** Settings of a new workspace. */
export const CLOSED: JsonObject = { closed_destinations: true };

/** A trunk whose calls leave the machine: neither the test carrier nor a PBX at a loopback address. */
export function isCarrier(trunk: { readonly kind?: unknown; readonly uri?: unknown }): boolean {
  if (trunk.kind === 'test' || typeof trunk.uri !== 'string') return false;
  const host = /^sips?:(?:[^@]*@)?(\[[^\]]*\]|[^:;?]+)/i.exec(trunk.uri)?.[1] ?? '';
  return !/^(localhost|127\.[\d.]+|\[::1\])$/i.test(host);
}

/** The countries of numbers. */
export const countriesOf = (numbers: readonly string[]): string[] =>
  [...new Set(numbers.flatMap((number) => countryOf(number) ?? []))].sort();

/**
 * The only destinations of a closed workspace; null: every one is open, because the workspace is from before the rule, the
 * operator has listed `allowed_destinations`, the owner has opened all, or it has no number of a carrier. Pure.
 */
export function closedList(settings: JsonObject): readonly string[] | null {
  const { closed_destinations, home_countries = [], open_destinations = [] } = settings as StoredDestinations;
  const { allowed_destinations: declared } = (settings['limits'] ?? {}) as StoredLimits;
  if (closed_destinations !== true || declared !== undefined || home_countries.length === 0) return null;
  return open_destinations === 'all' ? null : [...home_countries, ...open_destinations];
}
