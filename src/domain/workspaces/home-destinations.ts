import {
  declaredLimits,
  declaredSettings,
  destinationSettings,
} from '../../store/json/workspace-settings.ts';
import type { JsonObject } from '../../store/schema.ts';
import { isCarrierKind } from '../../shared/carrier-kinds.ts';
import { countryOf } from './destinations.ts';

/**
 * Settings of a new workspace, which is closed: it dials the countries of its own numbers, until an owner opens others. Kept in
 * the settings, so that the claim reads nothing more; a workspace from before this rule has no such settings and stays open.
 */
export const CLOSED: JsonObject = destinationSettings.write({ closedDestinations: true });

/** A trunk whose calls leave the machine: neither the test carrier nor a PBX at a loopback address. */
export function isCarrier(trunk: { readonly kind?: unknown; readonly uri?: unknown }): boolean {
  if (isCarrierKind(trunk.kind)) return true;
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
  const { isClosed, homeCountries, openDestinations } = declaredSettings(settings);
  const isListed = declaredLimits(settings).allowedDestinations !== undefined;
  if (!isClosed || isListed || homeCountries.length === 0) return null;
  return openDestinations === 'all' ? null : [...homeCountries, ...openDestinations];
}
