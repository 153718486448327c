import { describe, expect, it } from 'vitest';
import { DEFAULT_PRICES } from '../vendors/prices.ts';
import { costOf, pricesFor, type PriceTable, type Used } from './prices.ts';

const used = (more: Partial<Used>): Used => ({
  part: 'stt',
  vendor: 'deepgram',
  model: null,
  audioMs: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  characters: 0,
  ...more,
});

describe('the cost of what was used', () => {
  it('takes the first price that fits the model', () => {
    const ofModel = (model: string | null): number | null =>
      costOf(DEFAULT_PRICES, used({ model, audioMs: 60_000 }));
    expect(ofModel('flux-general-en')).toBeCloseTo(0.0065, 9);
    expect(ofModel('flux-general-multi')).toBeCloseTo(0.0078, 9);
    // No price of the table fits them.
    expect([ofModel('nova-9'), ofModel(null)]).toEqual([null, null]);
  });

  it('counts tokens from the cache at their own price', () => {
    const table = {
      currency: 'USD',
      prices: [
        {
          part: 'llm',
          vendor: 'openai',
          model: '*',
          perMillionTokens: { input: 2, cached: 0.5, output: 10 },
        },
      ],
    } as const;
    const tokens = { inputTokens: 1_000_000, cachedTokens: 400_000, outputTokens: 100_000 };
    expect(costOf(table, used({ part: 'llm', vendor: 'openai', ...tokens }))).toBeCloseTo(1.2 + 0.2 + 1, 9);
  });

  it('is nothing for nothing, whoever it was', () => {
    expect(costOf(DEFAULT_PRICES, used({ vendor: 'somebody' }))).toBe(0);
    expect(costOf(DEFAULT_PRICES, used({ vendor: 'offline', audioMs: 9_000 }))).toBe(0);
    expect(costOf(DEFAULT_PRICES, used({ vendor: 'somebody', characters: 1 }))).toBeNull();
  });
});

describe('the prices of a vendor', () => {
  const table: PriceTable = {
    currency: 'USD',
    prices: [
      { part: 'stt', vendor: 'deepgram', model: 'flux-general-en', perMinute: 1 },
      { part: 'stt', vendor: 'deepgram', model: 'flux-*', perMinute: 2 },
      { part: 'stt', vendor: 'deepgram', model: 'flux-general-multi', perMinute: 3 },
      { part: 'stt', vendor: 'deepgram', model: '*', perMinute: 4 },
      { part: 'stt', vendor: 'deepgram', model: 'nova-3', perMinute: 5 },
      { part: 'tts', vendor: 'deepgram', model: '*', perThousandCharacters: 6 },
      { part: 'stt', vendor: 'sarvam', model: '*', perMinute: 7 },
    ],
  };
  const heard = (model: string | null) =>
    pricesFor(table, 'stt', 'deepgram', model).map((price) => price.perMinute);

  it('are those of every model without the entries that never count', () => {
    expect(heard(null)).toEqual([1, 2, 4]);
    expect(pricesFor(table, 'llm', 'deepgram', null)).toEqual([]);
  });

  it('are the first that fits a model', () => {
    expect([heard('flux-general-multi'), heard('nova-3')]).toEqual([[2], [4]]);
    expect(pricesFor(DEFAULT_PRICES, 'stt', 'deepgram', 'nova-9')).toEqual([]);
  });
});
