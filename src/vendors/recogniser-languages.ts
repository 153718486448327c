import { LANGUAGES, type Language } from '@callwright/language';
import { vendorOf, type SttVendorName } from './catalogue.ts';
import { ENGLISH_ONLY, ISO } from './language-codes.ts';
import type { LanguageCodes, RecogniserLanguages } from './vendor.ts';

/** Every recogniser that an agent may be given; `offline` recognises phrases only. */
export type RecogniserName = SttVendorName | 'offline';

/** The languages of a recogniser, with any model and with some. */
export function recogniserLanguages(name: RecogniserName): RecogniserLanguages {
  return (name === 'offline' ? undefined : vendorOf(name).stt?.languages) ?? { any: ENGLISH_ONLY };
}

function codesOf(vendor: RecogniserName, model: string | null): LanguageCodes {
  const { any, models = [] } = recogniserLanguages(vendor);
  return models.find(([names]) => model !== null && names.test(model))?.[1] ?? any;
}

/**
 * The code to send for a language; null: the recogniser does not have it with this model. `model` null: chosen by
 * language. `served`: languages that the operator's own server serves (`hi`, `hi-IN`); absent or empty: the usual ones.
 */
export function recogniserCode(
  vendor: RecogniserName,
  model: string | null,
  language: Language,
  served: readonly string[] = [],
): string | null {
  const isOwnServer = vendor !== 'offline' && vendorOf(vendor).served !== undefined;
  if (isOwnServer && served.length > 0) {
    const isServed = served.some(
      (one) => one === language || one === ISO[language] || one === language.slice(0, 2),
    );
    return isServed ? ISO[language] : null;
  }
  return codesOf(vendor, model)[language];
}

/** The languages that a recogniser understands with a model, in the order of `LANGUAGES`. Parameters: `recogniserCode`. */
export const supportedLanguages = (
  vendor: RecogniserName,
  model: string | null,
  served?: readonly string[],
): readonly Language[] =>
  LANGUAGES.filter((language) => recogniserCode(vendor, model, language, served) !== null);
