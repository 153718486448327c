import type { ProviderSettings, StoredVendor } from '../../store/json/provider-settings.ts';
import type { LlmSettings, StoredSecret } from '../../store/json/tools.ts';
import type { Seal } from '../../shared/seal.ts';
import {
  type LanguageModelAccount,
  type RecogniserAccount,
  type S2sAccount,
  type SpeakerAccount,
  type OperatorAccount,
  type OperatorProviders,
} from '../../vendors/accounts.ts';
import {
  isVendorOf,
  defaultModel,
  vendorOf,
  type LlmVendorName,
  needsKey,
  type ProviderKind,
  type S2sVendorName,
  type SttVendorName,
  type TtsVendorName,
  type VendorName,
} from '../../vendors/catalogue.ts';
import { storedForm } from '../workspaces/api-key.ts';

export const NO_SETTINGS: ProviderSettings = { vendors: {} };

export const toProviderSettings = (stored: ProviderSettings | null): ProviderSettings =>
  stored ?? NO_SETTINGS;

/** A key as shown on read: prefix and last four characters, as for the workspace's API key. */
export function shownKey(key: string): string {
  const { shownPrefix, shownLast4 } = storedForm(key);
  return `${shownPrefix}••••••••${shownLast4}`;
}

export const sealKey = (seal: Seal, key: string): StoredSecret => ({
  sealed: seal.seal(key),
  shown: shownKey(key),
});

type Open = (secret: StoredSecret) => string | null;

type Kind = ProviderKind | 's2s';

/** The address that the workspace set for a part; undefined: it uses the operator's. */
const ownAddress = (own: StoredVendor | undefined, kind: Kind): string | undefined =>
  (kind === 'stt' ? own?.sttBaseUrl : kind === 'tts' ? own?.ttsBaseUrl : undefined) ?? own?.baseUrl;

const operatorAddress = ({ baseUrl, sttBaseUrl, ttsBaseUrl }: OperatorAccount, kind: Kind): string | null =>
  (kind === 'stt' ? sttBaseUrl : kind === 'tts' ? ttsBaseUrl : undefined) ?? baseUrl;

/** A workspace with an address or a key of its own never uses the operator's key: it would reach another server. */
const ownsAccount = (own: StoredVendor | undefined, kind: Kind): own is StoredVendor =>
  own?.apiKey !== undefined || ownAddress(own, kind) !== undefined;

const ownership = (own: StoredVendor | undefined, kind: Kind): { isOwn?: true } =>
  ownsAccount(own, kind) ? { isOwn: true } : {};

/** Whether a vendor can be used: by the workspace's own account, or else by the operator's. */
export function isConfigured(
  operator: OperatorProviders,
  settings: ProviderSettings,
  kind: ProviderKind,
  vendor: VendorName,
): boolean {
  const own = settings.vendors[vendor];
  const account = operator.accounts[vendor];
  if (kind === 'llm' && isVendorOf('llm', vendor)) {
    if (!ownsAccount(own, kind)) return operator.models[vendor] !== undefined;
    if (ownModel(vendor, own) === null) return false;
  }
  const hasKey = (ownsAccount(own, kind) ? own.apiKey : account.apiKey) != null;
  return (hasKey || !needsKey(vendor)) && (ownAddress(own, kind) ?? operatorAddress(account, kind)) !== null;
}

/** The account for calls; null: not configured, or its key was sealed with another SECRET_KEY. */
export function recogniserAccount(
  operator: OperatorProviders,
  settings: ProviderSettings,
  name: SttVendorName,
  open: Open,
): RecogniserAccount | null {
  if (!isConfigured(operator, settings, 'stt', name)) return null;
  const own = settings.vendors[name];
  const account = operator.accounts[name];
  const { apiKey: operatorKey, model, languages } = account;
  const address = ownAddress(own, 'stt');
  const baseUrl = address ?? operatorAddress(account, 'stt');
  const key = ownsAccount(own, 'stt') ? openKey(own, open) : operatorKey;
  if (baseUrl === null || key === undefined) return null;
  const isMoved = address !== undefined;
  const served = own?.languages ?? (isMoved ? undefined : languages);
  return {
    name,
    settings: {
      apiKey: key,
      baseUrl,
      model: own?.model ?? (isMoved ? null : model),
      ...(served === undefined ? {} : { languages: served }),
    },
    isGuarded: isMoved,
    ...ownership(own, 'stt'),
  };
}

/** As `recogniserAccount`, for voices. */
export function speakerAccount(
  operator: OperatorProviders,
  settings: ProviderSettings,
  name: TtsVendorName,
  open: Open,
): SpeakerAccount | null {
  if (!isConfigured(operator, settings, 'tts', name)) return null;
  const own = settings.vendors[name];
  const account = operator.accounts[name];
  const address = ownAddress(own, 'tts');
  const baseUrl = address ?? operatorAddress(account, 'tts');
  const key = ownsAccount(own, 'tts') ? openKey(own, open) : account.apiKey;
  if (baseUrl === null || key === undefined) return null;
  const isMoved = address !== undefined;
  const languages = own?.languages ?? (isMoved ? undefined : account.languages);
  return {
    name,
    settings: {
      apiKey: key,
      baseUrl,
      model: own?.ttsModel ?? (isMoved ? null : (account.ttsModel ?? null)),
      voice: own?.voice ?? (isMoved ? null : (account.voice ?? null)),
      ...(languages === undefined || vendorOf(name).served === undefined ? {} : { languages }),
    },
    isGuarded: isMoved,
    ...ownership(own, 'tts'),
  };
}

/** As `recogniserAccount`, for speech to speech. Both vendors need a key. */
export function s2sAccount(
  operator: OperatorProviders,
  settings: ProviderSettings,
  name: S2sVendorName,
  open: Open,
): S2sAccount | null {
  const own = settings.vendors[name];
  const account = operator.accounts[name];
  const address = ownAddress(own, 's2s');
  const baseUrl = address ?? operatorAddress(account, 's2s');
  const apiKey = ownsAccount(own, 's2s') ? openKey(own, open) : account.apiKey;
  if (baseUrl === null || apiKey == null) return null;
  const isMoved = address !== undefined;
  return {
    name,
    settings: {
      apiKey,
      baseUrl,
      model: own?.s2sModel ?? (isMoved ? null : (account.s2sModel ?? null)),
      voice: own?.voice ?? (isMoved ? null : (account.voice ?? null)),
    },
    isGuarded: isMoved,
    ...ownership(own, 's2s'),
  };
}

/** As `recogniserAccount`, for a language model. */
export function modelAccount(
  operator: OperatorProviders,
  settings: ProviderSettings,
  vendor: LlmVendorName,
  open: Open,
): LanguageModelAccount | null {
  if (!isConfigured(operator, settings, 'llm', vendor)) return null;
  const own = settings.vendors[vendor];
  const model = own?.llmModel;
  if (!ownsAccount(own, 'llm')) {
    const known = operator.models[vendor];
    if (known === undefined) return null;
    return { ...known, ...(model === undefined ? {} : { model }), isGuarded: false };
  }
  const key = openKey(own, open);
  const baseUrl = own.baseUrl ?? operator.accounts[vendor].baseUrl;
  const name = ownModel(vendor, own);
  if (key === undefined || baseUrl === null || name === null) return null;
  return { vendor, key, baseUrl, model: name, isGuarded: own.baseUrl !== undefined, isOwn: true };
}

/** The agent's own server as an account; null: the agent has none. */
export function agentsModel(llm: LlmSettings | null, open: Open): LanguageModelAccount | null {
  if (llm === null || llm.provider === 'default') return null;
  const { baseUrl, model, apiKey: stored } = llm;
  if (baseUrl === null || model === null) return null;
  const key = stored === null ? null : open(stored);
  const address = { baseUrl, isWholeUrl: true, isGuarded: true, isAgents: true } as const;
  return { vendor: 'openai-compatible', key, model, ...address, isOwn: true };
}

/** Null: none is stored; undefined: another SECRET_KEY sealed it. */
function openKey({ apiKey: key }: StoredVendor, open: Open): string | null | undefined {
  return key === undefined ? null : (open(key) ?? undefined);
}

const ownModel = (vendor: LlmVendorName, { llmModel: model }: StoredVendor): string | null =>
  model ?? defaultModel(vendor, 'llm');
