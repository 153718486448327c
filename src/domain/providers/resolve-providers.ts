import type { S2sSettings, SttSettings } from '../../store/json/agent-version.ts';
import type { LlmSettings, StoredSecret } from '../../store/json/tools.ts';
import type { ChainEntry, ProviderSettings } from '../../store/json/provider-settings.ts';
import type {
  CallProviders,
  LanguageModelAccount,
  OperatorProviders,
  S2sAccount,
} from '../../vendors/accounts.ts';
import { isVendorOf, type ProviderKind, type TtsVendorName, type VendorOf } from '../../vendors/catalogue.ts';
import {
  agentsModel,
  isConfigured,
  modelAccount,
  recogniserAccount,
  s2sAccount,
  speakerAccount,
} from './provider-settings.ts';

/** What an agent's version chooses. */
export interface AgentChoice {
  readonly stt?: SttSettings | null;
  readonly llm?: LlmSettings | null;
  readonly s2s?: S2sSettings | null;
  /** The vendors of its voices. */
  readonly speakers?: readonly TtsVendorName[];
}

/**
 * The providers of one call: the agent's version over the workspace over the environment. A vendor that has lost its
 * account is left out. A part is absent when the environment alone decides. Pure.
 */
export function resolveProviders(
  operator: OperatorProviders,
  settings: ProviderSettings,
  { stt, llm, s2s, speakers: ofVoices = [] }: AgentChoice,
  open: (secret: StoredSecret) => string | null,
): CallProviders {
  const recognisers = chainOf('stt', operator, settings, stt?.providers);
  const models = modelsOf(operator, settings, llm ?? null, open);
  const speakers = speakersOf(operator, settings, ofVoices);
  const talker = talkerOf(operator, settings, s2s ?? null, open);
  return {
    ...(talker === null ? {} : { s2s: talker }),
    ...(recognisers === null
      ? {}
      : {
          stt: recognisers.flatMap((name, index) => {
            const account = recogniserAccount(operator, settings, name, open);
            const model = index === 0 ? (stt?.model ?? null) : null;
            if (account === null) return [];
            return [model === null ? account : { ...account, settings: { ...account.settings, model } }];
          }),
        }),
    ...(models === null ? {} : { llm: models }),
    ...(speakers === null
      ? {}
      : { tts: speakers.flatMap((name) => speakerAccount(operator, settings, name, open) ?? []) }),
  };
}

/** The agent's own model, or the models of the chain in order; null: as the environment has them. */
function modelsOf(
  operator: OperatorProviders,
  settings: ProviderSettings,
  llm: LlmSettings | null,
  open: (secret: StoredSecret) => string | null,
): readonly LanguageModelAccount[] | null {
  const own = agentsModel(llm, open);
  if (own !== null) return [own];
  const chain = chainOf('llm', operator, settings, llm?.providers);
  if (chain === null) return null;
  return chain.flatMap((name, index) => {
    const account = modelAccount(operator, settings, name, open);
    const model = index === 0 && llm?.provider === 'default' ? llm.model : null;
    if (account === null) return [];
    return [model === null ? account : { ...account, model }];
  });
}

/** The models that steps of the agent's flow name: each a model of the first vendor, or of the agent's own server. */
export function stepModelsOf(
  operator: OperatorProviders,
  settings: ProviderSettings,
  llm: LlmSettings | null,
  names: readonly string[],
  open: (secret: StoredSecret) => string | null,
): Readonly<Record<string, readonly LanguageModelAccount[]>> {
  const chain = llm?.providers ?? settings.llm ?? operator.chains.llm;
  const providers = chain.filter((name): name is VendorOf<'llm'> => isVendorOf('llm', name));
  const base = llm ?? OF_THE_CHAIN;
  return Object.fromEntries(
    names.flatMap((model) => {
      const accounts = modelsOf(operator, settings, { ...base, providers, model }, open) ?? [];
      return accounts.length === 0 ? [] : [[model, accounts] as const];
    }),
  );
}
const OF_THE_CHAIN: LlmSettings = {
  provider: 'default',
  model: null,
  baseUrl: null,
  apiKey: null,
  temperature: null,
  maxTokens: null,
};

/** The speech-to-speech account; null: the pipeline hears and speaks. */
function talkerOf(
  operator: OperatorProviders,
  settings: ProviderSettings,
  ofAgent: S2sSettings | null,
  open: (secret: StoredSecret) => string | null,
): S2sAccount | null {
  const entry = ofAgent?.provider ?? settings.s2s ?? operator.s2s;
  const account = entry === 'pipeline' ? null : s2sAccount(operator, settings, entry, open);
  if (account === null || ofAgent === null) return account;
  const { model, voice } = ofAgent;
  return {
    ...account,
    settings: {
      ...account.settings,
      ...(model === null ? {} : { model }),
      ...(voice === null ? {} : { voice }),
    },
  };
}

/** Every account that the workspace set, and those of its chains, for a check of them all. */
export function workspaceAccounts(
  operator: OperatorProviders,
  settings: ProviderSettings,
  open: (secret: StoredSecret) => string | null,
): CallProviders {
  const talker = talkerOf(operator, settings, null, open);
  const namesOf = <K extends ProviderKind>(kind: K): VendorOf<K>[] => {
    const named = new Set<string>([...(settings[kind] ?? []), ...Object.keys(settings.vendors)]);
    return [...named].filter((name): name is VendorOf<K> => isVendorOf(kind, name));
  };
  return {
    stt: namesOf('stt').flatMap((name) => recogniserAccount(operator, settings, name, open) ?? []),
    tts: namesOf('tts').flatMap((name) => speakerAccount(operator, settings, name, open) ?? []),
    llm: namesOf('llm').flatMap((name) => modelAccount(operator, settings, name, open) ?? []),
    ...(talker === null ? {} : { s2s: talker }),
  };
}

/** The speakers in order, those of the agent's voices first; null: as the environment has them, with its accounts. */
function speakersOf(
  operator: OperatorProviders,
  settings: ProviderSettings,
  ofVoices: readonly TtsVendorName[],
): readonly TtsVendorName[] | null {
  const chain = chainOf('tts', operator, settings, undefined);
  const configured = ofVoices.filter((name) => isConfigured(operator, settings, 'tts', name));
  const isOperators = configured.every(
    (name) => settings.vendors[name] === undefined && operator.chains.tts.includes(name),
  );
  if (chain === null && isOperators) return null;
  return [...new Set([...configured, ...(chain ?? operator.chains.tts)])];
}

/** The vendors of a part in order; null: as the environment has them, with its accounts. */
function chainOf<K extends ProviderKind>(
  kind: K,
  { chains }: OperatorProviders,
  settings: ProviderSettings,
  ofAgent: readonly ChainEntry[] | undefined,
): readonly VendorOf<K>[] | null {
  const chosen: readonly ChainEntry[] | undefined = ofAgent ?? settings[kind];
  const chain = (chosen ?? chains[kind]).filter((name): name is VendorOf<K> => isVendorOf(kind, name));
  const isOperators = chosen === undefined && chain.every((name) => settings.vendors[name] === undefined);
  return isOperators ? null : chain;
}
