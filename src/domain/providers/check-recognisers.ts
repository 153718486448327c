import type { SttSettings, VersionConfig } from '../../store/json/agent-version.ts';
import type { ProviderSettings } from '../../store/json/provider-settings.ts';
import { errors } from '../../errors.ts';
import type { Language } from '@callwright/language';
import { recogniserCode, supportedLanguages } from '../../vendors/recogniser-languages.ts';
import type { OperatorProviders } from '../../vendors/accounts.ts';
import { isVendorOf } from '../../vendors/catalogue.ts';
import { recogniserAccount } from './provider-settings.ts';

interface Providers {
  readonly operator: OperatorProviders;
  readonly settings: ProviderSettings;
}

/** Throws 400 when an edit of language or recognisers leaves a recogniser without the agent's language. */
export async function checkLanguage(
  before: VersionConfig,
  after: VersionConfig,
  providers: () => Promise<Providers>,
): Promise<void> {
  const { stt } = after.agentConfig;
  if (stt == null) return;
  if (before.language === after.language && before.agentConfig.stt === stt) return;
  const { operator, settings } = await providers();
  checkRecognisers(operator, settings, stt, after.language);
}

/** Throws 400 when a recogniser of the agent's own choice does not recognise its language; lists those it does. */
function checkRecognisers(
  operator: OperatorProviders,
  settings: ProviderSettings,
  stt: SttSettings,
  language: Language,
): void {
  for (const [index, name] of stt.providers.entries()) {
    if (!isVendorOf('stt', name)) continue;
    // The languages depend on no key.
    const account = recogniserAccount(operator, settings, name, () => '')?.settings;
    const model = (index === 0 ? stt.model : null) ?? account?.model ?? null;
    if (recogniserCode(name, model, language, account?.languages) !== null) continue;
    const named = model === null ? name : `${name} with the model ${model}`;
    throw errors.recogniserLanguageMismatch(
      named,
      language,
      supportedLanguages(name, model, account?.languages),
    );
  }
}
