import { LANGUAGES, type Language } from '@callwright/language';
import { vendorOf, type TtsVendorName } from './catalogue.ts';
import { ISO } from './language-codes.ts';

/**
 * The code of a language at a speech vendor; null: the vendor does not speak it. `served`: languages of the operator's own
 * server (`hi`, `hi-IN`); absent or empty: the usual ones.
 */
export function speakerCode(
  name: TtsVendorName,
  language: Language,
  served: readonly string[] = [],
): string | null {
  const vendor = vendorOf(name);
  if (vendor.served === undefined || served.length === 0) return vendor.tts?.languages[language] ?? null;
  return served.includes(language) || served.includes(ISO[language] ?? '') ? ISO[language] : null;
}

/** The languages that a vendor speaks, in the order of `LANGUAGES`. */
export const spokenLanguages = (vendor: TtsVendorName, served?: readonly string[]): readonly Language[] =>
  LANGUAGES.filter((language) => speakerCode(vendor, language, served) !== null);
