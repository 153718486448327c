import { Type } from 'typebox';
import { errors } from '../../../errors.ts';
import { nullable, oneOf } from '../../../shared/schema-parts.ts';
import { S2S_ENTRIES } from '../../../vendors/accounts.ts';
import { checkS2s } from '../../providers/check-chain.ts';
import { ModelName } from '../../providers/provider-schema.ts';
import { operation, withAgentConfig } from './operation.ts';

/** Replaces the agent's choice of speech to speech. */
export const editS2s = operation(
  Type.Object({
    s2s: nullable(
      Type.Object(
        {
          provider: oneOf(S2S_ENTRIES, {
            description:
              'The vendor whose one model hears and speaks; recognisers, language models and voices take over when it fails. pipeline: they do it.',
            example: 'openai',
          }),
          model: Type.Optional({
            ...ModelName,
            description: 'Default: that of the account.',
            example: 'gpt-realtime-2.1',
          }),
          voice: Type.Optional({
            ...ModelName,
            description:
              "The vendor's own name of the voice. Default: the agent's voice if it is one of the vendor, else that of the account.",
            example: 'marin',
          }),
        },
        { additionalProperties: false, description: 'Null: the choice of the workspace.' },
      ),
    ),
  }),
  async ({ config, providers }, { s2s }) => {
    if (s2s === null) return withAgentConfig(config, { s2s: null });
    const { operator, settings } = await providers();
    checkS2s(operator, settings, 's2s.provider', s2s.provider);
    const { provider, model = null, voice = null } = s2s;
    if (provider === 'pipeline' && (model !== null || voice !== null)) {
      throw errors.invalid('s2s', 'has no model and no voice with pipeline');
    }
    return withAgentConfig(config, { s2s: { provider, model, voice } });
  },
);
