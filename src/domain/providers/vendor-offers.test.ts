import { describe, expect, it } from 'vitest';
import { operatorWith } from '../../../test/helpers/database/providers-of.ts';
import { DEFAULT_PRICES } from '../../vendors/prices.ts';
import type { ProviderSettings } from '../../store/json/provider-settings.ts';
import { NO_SETTINGS } from './provider-settings.ts';
import { vendorOffers } from './vendor-offers.ts';

const operator = operatorWith({
  deepgram: { baseUrl: 'https://api.deepgram.com' },
  anthropic: { baseUrl: 'https://api.anthropic.com' },
});
const offerOf = (part: string, vendor: string, settings: ProviderSettings = NO_SETTINGS) =>
  vendorOffers(operator, settings, DEFAULT_PRICES).find(
    (offer) => offer.part === part && offer.vendor === vendor,
  );
const apiKey = { sealed: 'sealed', shown: 'sk_••••' };

describe('what a vendor offers', () => {
  it('has its languages and the prices of all its models where no account names one', () => {
    const heard = offerOf('stt', 'deepgram');
    expect(heard?.model).toBeNull();
    expect(heard?.languages).toContain('hi-IN');
    expect(heard?.languages).not.toContain('od-IN');
    expect(heard?.prices.map(({ model }) => model)).toEqual(['flux-general-en', 'flux-*', 'nova-3']);
    expect(offerOf('tts', 'deepgram')?.languages).toEqual(['en-US', 'en-GB', 'en-AU', 'en-IN']);
    expect(offerOf('llm', 'deepgram')).toBeUndefined();
  });

  it('has the languages and the price of the model that the account names', () => {
    const vendors = { deepgram: { apiKey, model: 'flux-general-en' } };
    expect(offerOf('stt', 'deepgram', { vendors })).toMatchObject({
      model: 'flux-general-en',
      languages: ['en-US', 'en-GB', 'en-AU', 'en-IN'],
      prices: [{ perMinute: 0.0065 }],
    });
  });

  it('has the languages that the own server of a workspace serves', () => {
    const own = { baseUrl: 'https://speech.example', languages: ['hi'] };
    const settings = { vendors: { 'openai-compatible': own } };
    expect(offerOf('stt', 'openai-compatible', settings)?.languages).toEqual(['hi-IN']);
    expect(offerOf('tts', 'openai-compatible', settings)?.languages).toEqual(['hi-IN']);
  });

  it('has no languages of a language model, and no price that the table lacks', () => {
    const vendors = { anthropic: { apiKey } };
    expect(offerOf('llm', 'anthropic', { vendors })).toEqual({
      part: 'llm',
      vendor: 'anthropic',
      model: 'claude-haiku-5-5',
      languages: null,
      prices: [],
    });
    expect(offerOf('tts', 'cartesia')?.prices).toEqual([]);
  });
});
