import { errors } from '../../../errors.ts';
import { MASKED, sealSecret } from '../../tools/tool-secrets.ts';
import type { LlmSettings, StoredSecret } from '../../tools/tool-types.ts';
import { checkReceiverUrl } from '../../webhooks/receiver-rules.ts';
import { withAgentConfig, type EditChange, type EditContext } from './edit-context.ts';

export interface EditLlm {
  llm: {
    provider: 'default' | 'openai_compatible';
    model?: string;
    base_url?: string;
    api_key?: string;
    temperature?: number;
    max_tokens?: number;
  };
}
const OWN_SERVER = ['model', 'base_url', 'api_key'] as const;

/** Replaces the model's settings. `default` is the service's own model, whose server and key are the operator's. */
export function editLlm({ config, seal }: EditContext, input: EditLlm): EditChange {
  const { llm } = input;
  const isOwn = llm.provider === 'openai_compatible';
  for (const key of OWN_SERVER) {
    if (!isOwn && llm[key] !== undefined) {
      throw errors.invalid(`llm.${key}`, 'is only for the provider openai_compatible');
    }
    if (isOwn && key !== 'api_key' && llm[key] === undefined) {
      throw errors.invalid(`llm.${key}`, 'is required for the provider openai_compatible');
    }
  }
  if (llm.base_url !== undefined) checkReceiverUrl('llm.base_url', llm.base_url);
  const before = config.agent_config.llm ?? null;
  const settings: LlmSettings = {
    provider: llm.provider,
    model: llm.model ?? null,
    base_url: llm.base_url ?? null,
    api_key: llm.api_key === undefined ? null : keyOf(seal, llm.api_key, llm.base_url, before),
    temperature: llm.temperature ?? null,
    max_tokens: llm.max_tokens ?? null,
  };
  return withAgentConfig(config, { llm: settings });
}

/** A masked key keeps the stored one, for the same server alone. */
function keyOf(
  seal: EditContext['seal'],
  sent: string,
  url: string | undefined,
  before: LlmSettings | null,
): StoredSecret {
  const isSame = url !== undefined && before?.base_url != null && originOf(url) === originOf(before.base_url);
  if (isSame && before.api_key?.shown === sent) return before.api_key;
  if (MASKED.test(sent)) {
    throw errors.invalid(
      'llm.api_key',
      'is masked and no stored key of this server fits it; send the real key',
    );
  }
  return sealSecret(seal, sent);
}

const originOf = (url: string): string => new URL(url).origin;

/** As shown on read. */
export const showLlm = (llm: LlmSettings | null | undefined) =>
  llm == null ? null : { ...llm, api_key: llm.api_key?.shown ?? null };
