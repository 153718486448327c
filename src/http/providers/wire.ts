import type { ProviderSettings } from '../../store/json/provider-settings.ts';
import type { VendorOffer } from '../../domain/providers/vendor-offers.ts';
import type { VendorTrouble } from '../../domain/providers/vendor-health.ts';
import { isConfigured, s2sAccount } from '../../domain/providers/provider-settings.ts';
import type { OperatorProviders } from '../../vendors/accounts.ts';
import { type ProviderKind, S2S_VENDOR_NAMES, type VendorName, VENDORS_OF } from '../../vendors/catalogue.ts';
import { iso } from '../common/values.ts';

/** A workspace's providers with masked keys. */
export function toProviders(operator: OperatorProviders, settings: ProviderSettings) {
  const available = (kind: ProviderKind): VendorName[] =>
    (VENDORS_OF[kind] as readonly VendorName[]).filter((name) =>
      isConfigured(operator, settings, kind, name),
    );
  const inUse = (kind: ProviderKind): VendorName[] =>
    (settings[kind] ?? operator.chains[kind]).filter(
      (name): name is Exclude<typeof name, 'offline'> =>
        name !== 'offline' && isConfigured(operator, settings, kind, name),
    );
  return {
    stt: settings.stt === undefined ? null : [...settings.stt],
    llm: settings.llm === undefined ? null : [...settings.llm],
    tts: settings.tts === undefined ? null : [...settings.tts],
    s2s: settings.s2s ?? null,
    vendors: Object.fromEntries(
      Object.entries(settings.vendors).map(([name, vendor]) => [
        name,
        {
          api_key: vendor.apiKey?.shown ?? null,
          base_url: vendor.baseUrl ?? null,
          stt_base_url: vendor.sttBaseUrl ?? null,
          tts_base_url: vendor.ttsBaseUrl ?? null,
          model: vendor.model ?? null,
          llm_model: vendor.llmModel ?? null,
          tts_model: vendor.ttsModel ?? null,
          s2s_model: vendor.s2sModel ?? null,
          voice: vendor.voice ?? null,
          languages: vendor.languages === undefined ? null : [...vendor.languages],
        },
      ]),
    ),
    in_use: { stt: inUse('stt'), llm: inUse('llm'), tts: inUse('tts') },
    available: {
      stt: available('stt'),
      llm: available('llm'),
      tts: available('tts'),
      s2s: S2S_VENDOR_NAMES.filter((name) => s2sAccount(operator, settings, name, () => 'sealed') !== null),
    },
  };
}

export const toVendorTroubles = (troubles: readonly VendorTrouble[]) =>
  troubles.map(({ part, vendor, kind, status, message, lastAt, count }) => ({
    part,
    vendor,
    reason: kind,
    status,
    message,
    last_at: iso(new Date(lastAt)),
    count,
  }));

export const toOffers = (offers: readonly VendorOffer[]) =>
  offers.map(({ part, vendor, model, languages, prices }) => ({
    part,
    vendor,
    model,
    languages: languages === null ? null : [...languages],
    prices: prices.map((price) => ({
      model: price.model,
      per_minute: price.perMinute ?? null,
      per_million_input_tokens: price.perMillionTokens?.input ?? null,
      per_million_cached_tokens: price.perMillionTokens?.cached ?? null,
      per_million_output_tokens: price.perMillionTokens?.output ?? null,
      per_thousand_characters: price.perThousandCharacters ?? null,
    })),
  }));
