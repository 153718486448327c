import {
  isVendorOf,
  type CallProviders,
  type OperatorProviders,
  type ProviderKind,
  type VendorOf,
} from '../../shared/vendor-accounts.ts';
import type { SttSettings } from '../agents/agent-version.ts';
import type { LlmSettings, StoredSecret } from '../tools/tool-types.ts';
import {
  modelAccount,
  recogniserAccount,
  type ChainEntry,
  type ProviderSettings,
} from './provider-settings.ts';

/** What an agent's version chooses. */
export interface AgentChoice {
  readonly stt?: SttSettings | null;
  readonly llm?: LlmSettings | null;
}

/**
 * The providers of one call: the agent's version over the workspace over the environment. A vendor that has lost its
 * account is left out. A part is absent when the environment alone decides. Pure.
 */
export function resolveProviders(
  operator: OperatorProviders,
  settings: ProviderSettings,
  { stt, llm }: AgentChoice,
  open: (secret: StoredSecret) => string | null,
): CallProviders {
  const recognisers = chainOf('stt', operator, settings, stt?.providers);
  const models = chainOf('llm', operator, settings, llm?.providers);
  return {
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
    ...(models === null
      ? {}
      : {
          llm: models.flatMap((name, index) => {
            const account = modelAccount(operator, settings, name, open);
            const model = index === 0 && llm?.provider === 'default' ? llm.model : null;
            if (account === null) return [];
            return [model === null ? account : { ...account, model }];
          }),
        }),
  };
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
