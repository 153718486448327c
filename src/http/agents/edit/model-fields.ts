import { Type } from 'typebox';
import { chainOf, ModelName } from '../../../wire/provider-schema.ts';
import { ON_MODEL_FAILURE } from '../../../domain/tools/tool-types.ts';
import { nullable, oneOf } from '../../../shared/schema-parts.ts';
import { S2S_ENTRIES } from '../../../vendors/accounts.ts';

/** Which models, recognisers and voices an agent uses. */
export const LlmFields = Type.Object({
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
});

export const SttFields = Type.Object({
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
        busy_line: Type.Optional(
          nullable(
            Type.String({
              minLength: 1,
              maxLength: 300,
              pattern: String.raw`^[^\p{Cc}]+$`,
              'x-rule': 'must be one line of at most 300 characters',
              description:
                'What an inbound caller hears in the voice of the agent, before the call is hung up, while every recogniser of the machine is in use. Default: RECOGNISER_BUSY_LINE of the installation, and busy (486) without it.',
              example: 'All our lines are busy, please call again in a few minutes.',
            }),
          ),
        ),
      },
      { additionalProperties: false, description: 'Null: the recognisers of the workspace.' },
    ),
  ),
});

export const S2sFields = Type.Object({
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
});
