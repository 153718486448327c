import type { ChainEntry, ProviderSettings } from '../../store/json/provider-settings.ts';
import { errors } from '../../errors.ts';
import type { OperatorProviders, S2sEntry } from '../../vendors/accounts.ts';
import { needsKey, type ProviderKind, type VendorName } from '../../vendors/catalogue.ts';
import { settingPrefix } from '../../vendors/vendor.ts';
import { OFFLINE } from '../../wire/provider-schema.ts';
import { isConfigured, s2sAccount } from './provider-settings.ts';

const SETTINGS: Readonly<Record<ProviderKind, string>> = {
  stt: 'a speech recogniser',
  llm: 'a language model',
  tts: 'a speaker',
};

/** Throws 422 for a chain with a vendor that has no account, or with a vendor after `offline`. */
export function checkChain(
  operator: OperatorProviders,
  settings: ProviderSettings,
  kind: ProviderKind,
  path: string,
  chain: readonly ChainEntry[],
): void {
  for (const [index, name] of chain.entries()) {
    const field = `${path}[${index}]`;
    if (name === OFFLINE) {
      if (index < chain.length - 1)
        throw errors.invalid(field, 'is offline, which must come last: it never fails');
      continue;
    }
    if (isConfigured(operator, settings, kind, name)) continue;
    const missing = missingOf(kind, name, settings);
    throw errors.invalid(
      field,
      `names ${name}, which is not configured as ${SETTINGS[kind]}: PUT /workspace/providers with vendors.${name}.${missing}, or let the operator set ${settingPrefix(name)}_${missing.toUpperCase()}`,
    );
  }
}

/** Throws 422 for a speech-to-speech vendor without an account. */
export function checkS2s(
  operator: OperatorProviders,
  settings: ProviderSettings,
  path: string,
  entry: S2sEntry,
): void {
  if (entry === 'pipeline' || s2sAccount(operator, settings, entry, () => 'sealed') !== null) return;
  throw errors.invalid(
    path,
    `names ${entry}, which has no account: PUT /workspace/providers with vendors.${entry}.api_key, or let the operator set ${settingPrefix(entry)}_API_KEY`,
  );
}

/** The field whose absence keeps a vendor from being used. */
function missingOf(kind: ProviderKind, name: VendorName, { vendors }: ProviderSettings): string {
  const own = vendors[name];
  if (needsKey(name)) return own?.apiKey === undefined ? 'api_key' : 'base_url';
  return kind === 'llm' && own?.baseUrl !== undefined ? 'llm_model' : 'base_url';
}
