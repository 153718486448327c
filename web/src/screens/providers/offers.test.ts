import { describe, expect, it } from 'vitest';
import { lacksPrices, languageNames, languagesText, pricesText, priceText, type Offer } from './offers.ts';

const NONE = {
  per_minute: null,
  per_million_input_tokens: null,
  per_million_cached_tokens: null,
  per_million_output_tokens: null,
  per_thousand_characters: null,
};
const price = (model: string, amounts: Partial<Offer['prices'][number]>) => ({ ...NONE, ...amounts, model });
const offer = (change: Partial<Offer>): Offer => ({
  part: 'stt',
  vendor: 'deepgram',
  model: null,
  languages: [],
  prices: [],
  ...change,
});
const costs = (change: Partial<Offer>): string => pricesText(offer(change), 'USD');

describe('the languages of a tile', () => {
  const english = offer({ languages: ['en-US', 'en-IN'] });
  const many = offer({ languages: ['en-US', 'hi-IN', 'ta-IN', 'od-IN'] });

  it('are named when they are few, and counted without their countries when they are many', () => {
    expect(languagesText(english, [])).toBe('English');
    expect(languagesText(many, [])).toBe('4 languages');
    expect(languagesText(offer({ languages: [] }), [])).toBe('0 languages');
    expect(languageNames(many.languages ?? [])).toEqual(['English', 'Hindi', 'Tamil', 'Odia']);
  });

  it('say whether those of the assistants are among them', () => {
    expect(languagesText(many, ['hi-IN', 'en-US'])).toBe('4 languages, all of yours');
    expect(languagesText(english, ['en-US', 'hi-IN'])).toBe('English, not Hindi');
    expect(languagesText(english, ['hi-IN', 'ta-IN', 'te-IN'])).toBe('English, not 3 of yours');
  });

  it('are not known of a language model', () => {
    expect(languagesText(offer({ part: 'llm', languages: null }), ['hi-IN'])).toBeNull();
  });
});

describe('the price of a tile', () => {
  it('is the amount for what is used, or none where the service knows none', () => {
    expect(costs({ prices: [price('*', { per_minute: 0.0065 })] })).toBe('$0.0065 a minute');
    expect(costs({ prices: [price('*', { per_thousand_characters: 0.03 })] })).toBe(
      '$0.03 for 1,000 characters',
    );
    const tokens = { per_million_input_tokens: 0.25, per_million_output_tokens: 2 };
    expect(costs({ prices: [price('*', tokens)] })).toBe('$0.25 for a million tokens read, $2.00 written');
    expect(costs({ prices: [price('*', { per_minute: 0 })] })).toBe('no charge');
    expect(costs({ prices: [] })).toBe('price not known here');
  });

  it('is a range for several models whose prices have one unit', () => {
    const prices = [price('nova-3', { per_minute: 0.0048 }), price('flux-*', { per_minute: 0.0078 })];
    expect(costs({ prices })).toMatch(/^\$0\.0048\s?–\s?\$?0\.0078 a minute, by model$/);
    const mixed = [...prices, price('*', { per_thousand_characters: 1 })];
    expect(costs({ prices: mixed })).toBe('price depends on the model');
  });

  it('names the only model that has one, unless the account has chosen it', () => {
    const prices = [price('tts-1', { per_thousand_characters: 0.015 })];
    expect(costs({ prices })).toBe('$0.015 for 1,000 characters with tts-1');
    expect(costs({ model: 'tts-1', prices })).toBe('$0.015 for 1,000 characters');
    expect([lacksPrices(offer({ prices })), lacksPrices(offer({ model: 'tts-1', prices }))]).toEqual([
      true,
      false,
    ]);
  });

  it('has every amount of an entry', () => {
    const both = price('*', { per_minute: 1, per_thousand_characters: 2 });
    expect(priceText(both, 'USD')).toBe('$1.00 a minute, $2.00 for 1,000 characters');
  });
});
