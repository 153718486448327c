import type { LlmSettings, OnModelFailure, StoredSecret } from '../../../store/json/tools.ts';
import { errors } from '../../../errors.ts';
import { wireName } from '../../../shared/wire-names.ts';
import { MASKED, sealSecret } from '../../tools/tool-secrets.ts';
import { checkChain } from '../../providers/check-chain.ts';
import { checkReceiverUrl } from '../../webhooks/receiver-rules.ts';
import { operation, withAgentConfig, type EditContext } from './operation.ts';

/** Absent fields are unset. */
interface LlmEdit {
  readonly provider: LlmSettings['provider'];
  readonly providers?: NonNullable<LlmSettings['providers']>;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly onModelFailure?: OnModelFailure;
}

/** Fields that only a server of the agent's owner takes. */
const OWN_SERVER = ['model', 'baseUrl', 'apiKey'] as const;

/** Replaces the model settings. The operator sets the server and the key of the model `default`. */
export const editLlm = operation<{ llm: LlmEdit }>(async (context, { llm }) => {
  const { config, seal, guard, providers, workspaceId } = context;
  const isOwn = llm.provider === 'openai_compatible';
  for (const key of OWN_SERVER) {
    const isOfVendor = key === 'model' && llm.providers !== undefined && llm.providers[0] !== 'offline';
    if (!isOwn && !isOfVendor && llm[key] !== undefined) {
      throw errors.invalid(
        `llm.${wireName(key)}`,
        key === 'model'
          ? 'is only for the provider openai_compatible, or with providers'
          : 'is only for the provider openai_compatible',
      );
    }
    if (isOwn && key !== 'apiKey' && llm[key] === undefined) {
      throw errors.invalid(`llm.${wireName(key)}`, 'is required for the provider openai_compatible');
    }
  }
  if (llm.providers !== undefined) {
    if (isOwn) throw errors.invalid('llm.providers', 'is only for the provider default');
    const { operator, settings } = await providers();
    checkChain(operator, settings, 'llm', 'llm.providers', llm.providers);
  }
  if (llm.baseUrl !== undefined) {
    checkReceiverUrl({ guard, purpose: 'llm', workspaceId }, 'llm.base_url', llm.baseUrl);
  }
  const before = config.agentConfig.llm ?? null;
  const settings: LlmSettings = {
    provider: llm.provider,
    ...(llm.providers === undefined ? {} : { providers: llm.providers }),
    model: llm.model ?? null,
    baseUrl: llm.baseUrl ?? null,
    apiKey: llm.apiKey === undefined ? null : keyOf(seal, llm.apiKey, llm.baseUrl, before),
    temperature: llm.temperature ?? null,
    maxTokens: llm.maxTokens ?? null,
    onModelFailure: llm.onModelFailure ?? 'apologise',
  };
  return withAgentConfig(config, { llm: settings });
});

/** A masked key keeps the stored one only for the same server: otherwise a key holder could redirect the secret. */
function keyOf(
  seal: EditContext['seal'],
  sent: string,
  url: string | undefined,
  before: LlmSettings | null,
): StoredSecret {
  const isSame = url !== undefined && before?.baseUrl != null && originOf(url) === originOf(before.baseUrl);
  if (isSame && before.apiKey?.shown === sent) return before.apiKey;
  if (MASKED.test(sent)) {
    throw errors.invalid(
      'llm.api_key',
      'is masked and no stored key of this server fits it; send the real key',
    );
  }
  return sealSecret(seal, sent);
}

const originOf = (url: string): string => new URL(url).origin;
