import type { VendorUse } from '../../domain/calls/details.ts';
import { costOf, type PriceTable, type Used } from '../../shared/prices.ts';

/** Six decimals: a token costs less than a thousandth of a cent. */
const money = (value: number): number => Math.round(value * 1_000_000) / 1_000_000;
const moneyOrNull = (value: number | null): number | null => (value === null ? null : money(value));

/** What was used of one model, and its price; null: the price table has none. */
export const toUse = (use: Used, prices: PriceTable) => ({
  part: use.part,
  vendor: use.vendor,
  model: use.model,
  audio_seconds: Math.round(use.audioMs) / 1000,
  input_tokens: use.inputTokens,
  cached_tokens: use.cachedTokens,
  output_tokens: use.outputTokens,
  characters: use.characters,
  cost: moneyOrNull(costOf(prices, use)),
});

/** The cost of what was used; what has no price is left out. */
export function toCost(usage: readonly Used[], prices: PriceTable, talkMs: number | null) {
  const total = usage.reduce((sum, use) => sum + (costOf(prices, use) ?? 0), 0);
  return {
    currency: prices.currency,
    cost: money(total),
    cost_per_minute: talkMs === null || talkMs === 0 ? null : money((total * 60_000) / talkMs),
  };
}

/** The vendors of a call. `is_complete`: every one has a price. */
export const toUsage = (usage: readonly VendorUse[], prices: PriceTable, talkMs: number | null) => ({
  ...toCost(usage, prices, talkMs),
  vendors: usage.map((use) => toUse(use, prices)),
  is_complete: usage.every((use) => costOf(prices, use) !== null),
});
