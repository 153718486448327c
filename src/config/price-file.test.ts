import { describe, expect, it } from 'vitest';
import { DEFAULT_PRICES } from '../vendors/prices.ts';
import { readPrices } from './price-file.ts';

describe('a price file', () => {
  it('puts its prices before the built-in ones', () => {
    const { prices, currency } = readPrices(`
prices:
  - { part: stt, vendor: deepgram, model: nova-3, per_minute: 0.004 }
  - { part: tts, vendor: cartesia, per_thousand_characters: 0.03 }
  - part: llm
    vendor: openai
    model: gpt-*
    per_million_input_tokens: 2
    per_million_cached_tokens: 0.5
    per_million_output_tokens: 8
`);
    expect(currency).toBe('USD');
    expect(prices.slice(0, 3)).toEqual([
      { part: 'stt', vendor: 'deepgram', model: 'nova-3', perMinute: 0.004 },
      { part: 'tts', vendor: 'cartesia', model: '*', perThousandCharacters: 0.03 },
      {
        part: 'llm',
        vendor: 'openai',
        model: 'gpt-*',
        perMillionTokens: { input: 2, cached: 0.5, output: 8 },
      },
    ]);
    expect(prices.slice(3)).toEqual(DEFAULT_PRICES.prices);
  });

  it('leaves out the built-in prices in another currency', () => {
    expect(readPrices('{"currency": "INR", "prices": []}')).toEqual({ currency: 'INR', prices: [] });
  });

  it.each([
    ['[', 'is not YAML'],
    ['[]', 'the file must be a mapping'],
    ['prices: 5', 'needs a list prices'],
    ['{currency: rupees, prices: []}', 'needs currency as three capital letters'],
    ['{prices: [], price: 1}', 'has the key price, which is not known'],
    ['prices: [{vendor: x, per_minute: 1}]', 'prices[0].part must be stt, llm or tts'],
    ['prices: [{part: stt, per_minute: 1}]', 'prices[0].vendor is required'],
    ['prices: [{part: stt, vendor: x}]', 'prices[0] has no price'],
    ['prices: [{part: stt, vendor: x, per_hour: 1}]', 'prices[0].per_hour is not known'],
    ['prices: [{part: stt, vendor: x, per_minute: -1}]', 'prices[0].per_minute must be a number from 0'],
    ['prices: [{part: llm, vendor: x, per_million_input_tokens: 1}]', 'per_million_output_tokens together'],
  ])('%s: %s', (text, message) => {
    expect(() => readPrices(text)).toThrow(message);
  });
});
