import type { PriceTable } from '../shared/prices.ts';
import { VENDORS } from './list.ts';
import { heard, spoken } from './price.ts';
import type { Vendor } from './vendor.ts';

/** List prices of September 2026; a plan may differ. Those of language models depend on it: the operator sets them. */
export const DEFAULT_PRICES: PriceTable = {
  currency: 'USD',
  prices: [
    ...VENDORS.flatMap((vendor: Vendor) => vendor.prices ?? []),
    heard('offline', '*', 0),
    spoken('offline', '*', 0),
    { part: 'llm', vendor: 'offline', model: '*', perMillionTokens: { input: 0, output: 0 } },
  ],
};
