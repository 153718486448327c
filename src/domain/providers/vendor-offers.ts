import type { Language } from '@callwright/language';
import type { ProviderSettings } from '../../store/json/provider-settings.ts';
import { pricesFor, type Price, type PriceTable } from '../../shared/prices.ts';
import type { OperatorProviders } from '../../vendors/accounts.ts';
import {
  isVendorOf,
  PROVIDER_KINDS,
  VENDOR_NAMES,
  type ProviderKind,
  type SttVendorName,
  type TtsVendorName,
  type VendorName,
} from '../../vendors/catalogue.ts';
import { supportedLanguages } from '../../vendors/recogniser-languages.ts';
import { spokenLanguages } from '../../vendors/speaker-languages.ts';
import { modelAccount, recogniserAccount, speakerAccount } from './provider-settings.ts';

/** What a vendor can do in one part of a call, with the account of the workspace or of the installation if there is one. */
export interface VendorOffer {
  readonly part: ProviderKind;
  readonly vendor: VendorName;
  /** The model that the account names; null: none. */
  readonly model: string | null;
  /** Null: of language models none are known. */
  readonly languages: readonly Language[] | null;
  /** Of `model`, or of every model of the vendor. Empty: none is known. */
  readonly prices: readonly Price[];
}

/** Accounts are opened for their models and languages, never for their keys. */
const withoutKey = (): string => 'sealed';

/** Every part of a call that a vendor can do, in the order of the vendors. */
export function vendorOffers(
  operator: OperatorProviders,
  settings: ProviderSettings,
  table: PriceTable,
): readonly VendorOffer[] {
  return VENDOR_NAMES.flatMap((vendor) =>
    PROVIDER_KINDS.filter((part) => isVendorOf(part, vendor)).map((part) => {
      const { model, languages } = abilityOf(operator, settings, part, vendor);
      return { part, vendor, model, languages, prices: pricesFor(table, part, vendor, model) };
    }),
  );
}

function abilityOf(
  operator: OperatorProviders,
  settings: ProviderSettings,
  part: ProviderKind,
  vendor: VendorName,
): Pick<VendorOffer, 'model' | 'languages'> {
  if (isVendorOf('llm', vendor) && part === 'llm') {
    const account = modelAccount(operator, settings, vendor, withoutKey);
    return { model: account?.model ?? settings.vendors[vendor]?.llmModel ?? null, languages: null };
  }
  return part === 'stt'
    ? heardBy(operator, settings, vendor as SttVendorName)
    : spokenBy(operator, settings, vendor as TtsVendorName);
}

function heardBy(operator: OperatorProviders, settings: ProviderSettings, vendor: SttVendorName) {
  const own = settings.vendors[vendor];
  const account = recogniserAccount(operator, settings, vendor, withoutKey)?.settings;
  const { model, languages } = account ?? { model: own?.model ?? null, languages: own?.languages };
  return { model, languages: supportedLanguages(vendor, model, languages) };
}

function spokenBy(operator: OperatorProviders, settings: ProviderSettings, vendor: TtsVendorName) {
  const own = settings.vendors[vendor];
  const account = speakerAccount(operator, settings, vendor, withoutKey)?.settings;
  const { model, languages } = account ?? { model: own?.ttsModel ?? null, languages: own?.languages };
  return { model, languages: spokenLanguages(vendor, languages) };
}
