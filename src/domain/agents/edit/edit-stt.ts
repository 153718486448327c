import { Type } from 'typebox';
import { nullable } from '../../../shared/schema-parts.ts';
import { checkChain } from '../../providers/check-chain.ts';
import { chainOf, ModelName } from '../../providers/provider-schema.ts';
import { errors } from '../../../errors.ts';
import { operation, withAgentConfig } from './operation.ts';

/** Replaces the agent's choice of recognisers. `editAgent` checks the languages afterwards. */
export const editStt = operation(
  Type.Object({
    stt: nullable(
      Type.Object(
        {
          providers: chainOf(
            'stt',
            'Speech recognisers in order of preference; each must recognise the language of the agent. offline always comes last.',
          ),
          model: Type.Optional({
            ...ModelName,
            description: 'Model of the first one. Default: that of its account, or chosen by language.',
            example: 'nova-3',
          }),
        },
        { additionalProperties: false, description: 'Null: the recognisers of the workspace.' },
      ),
    ),
  }),
  async ({ config, providers }, { stt }) => {
    if (stt === null) return withAgentConfig(config, { stt: null });
    const { operator, settings } = await providers();
    checkChain(operator, settings, 'stt', 'stt.providers', stt.providers);
    if (stt.model !== undefined && stt.providers[0] === 'offline') {
      throw errors.invalid('stt.model', 'is for the first of stt.providers, and offline has no models');
    }
    return withAgentConfig(config, { stt: { providers: stt.providers, model: stt.model ?? null } });
  },
);
