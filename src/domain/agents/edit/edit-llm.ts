import type { LlmSettings, StoredSecret } from '../../../store/json/tools.ts';
import { Type } from 'typebox';
import { errors } from '../../../errors.ts';
import { oneOf } from '../../../shared/schema-parts.ts';
import { MASKED, sealSecret } from '../../tools/tool-secrets.ts';
import { ON_MODEL_FAILURE } from '../../tools/tool-types.ts';
import { checkChain } from '../../providers/check-chain.ts';
import { chainOf } from '../../providers/provider-schema.ts';
import { checkReceiverUrl } from '../../webhooks/receiver-rules.ts';
import { operation, withAgentConfig, type EditContext } from './operation.ts';

/** Fields that only a server of the agent's owner takes. */
const OWN_SERVER = ['model', 'base_url', 'api_key'] as const;

/** Replaces the model settings. The operator sets the server and the key of the model `default`. */
export const editLlm = operation(
  Type.Object({
    llm: Type.Object(
      {
        provider: oneOf(['default', 'openai_compatible'], {
          description: "default: the service's own model; openai_compatible: a server of yours.",
        }),
        providers: Type.Optional(
          chainOf(
            'llm',
            'With the provider default: vendors of the workspace or the service in order of preference. offline always comes last.',
          ),
        ),
        model: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            example: 'my-model',
            description: 'The model of your server, or of the first of providers.',
          }),
        ),
        base_url: Type.Optional(
          Type.String({ minLength: 1, maxLength: 2048, example: 'https://llm.example.com/v1' }),
        ),
        api_key: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 500,
            description:
              'Stored encrypted and shown as four characters and ***; send the mask to keep the key.',
          }),
        ),
        temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
        max_tokens: Type.Optional(Type.Integer({ minimum: 16, maximum: 4000 })),
        on_model_failure: Type.Optional(
          oneOf(ON_MODEL_FAILURE, {
            description:
              'When no model answers. apologise (default): the agent says that it had a problem and asks the model again at the next turn; a second failure in a row ends the conversation politely. script: the offline script engine replies, which follows only what the prompt says word by word.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
  }),
  async ({ config, seal, guard, providers }, { llm }) => {
    const isOwn = llm.provider === 'openai_compatible';
    for (const key of OWN_SERVER) {
      const isOfVendor = key === 'model' && llm.providers !== undefined && llm.providers[0] !== 'offline';
      if (!isOwn && !isOfVendor && llm[key] !== undefined) {
        throw errors.invalid(
          `llm.${key}`,
          key === 'model'
            ? 'is only for the provider openai_compatible, or with providers'
            : 'is only for the provider openai_compatible',
        );
      }
      if (isOwn && key !== 'api_key' && llm[key] === undefined) {
        throw errors.invalid(`llm.${key}`, 'is required for the provider openai_compatible');
      }
    }
    if (llm.providers !== undefined) {
      if (isOwn) throw errors.invalid('llm.providers', 'is only for the provider default');
      const { operator, settings } = await providers();
      checkChain(operator, settings, 'llm', 'llm.providers', llm.providers);
    }
    if (llm.base_url !== undefined) checkReceiverUrl(guard, 'llm.base_url', llm.base_url);
    const before = config.agent_config.llm ?? null;
    const settings: LlmSettings = {
      provider: llm.provider,
      ...(llm.providers === undefined ? {} : { providers: llm.providers }),
      model: llm.model ?? null,
      base_url: llm.base_url ?? null,
      api_key: llm.api_key === undefined ? null : keyOf(seal, llm.api_key, llm.base_url, before),
      temperature: llm.temperature ?? null,
      max_tokens: llm.max_tokens ?? null,
      on_model_failure: llm.on_model_failure ?? 'apologise',
    };
    return withAgentConfig(config, { llm: settings });
  },
);

/** A masked key keeps the stored one only for the same server: otherwise a key holder could redirect the secret. */
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
