import { Type } from 'typebox';
import { EDIT_VOICE_LANGUAGES } from '../../../shared/agent-languages.ts';
import { oneOf, Uuid } from '../../../shared/schema-parts.ts';

const PromptSection = Type.Object({
  section_title: Type.String({ minLength: 1, maxLength: 200 }),
  section_content: Type.String({ maxLength: 30_000 }),
});

export const PromptFields = Type.Object({
  agent_prompt: Type.Union(
    [
      Type.String({ minLength: 1, maxLength: 60_000 }),
      Type.Object({ prompt_sections: Type.Array(PromptSection, { minItems: 1, maxItems: 50 }) }),
    ],
    {
      'x-rule': 'must be a text of 1 to 60000 characters, or an object with prompt_sections',
      description: 'Replaces the whole prompt: a section left out is deleted.',
    },
  ),
});

export const VoiceFields = Type.Object({
  voice_id: Uuid,
  language: oneOf(EDIT_VOICE_LANGUAGES),
  secondary_voice_id: Type.Optional(
    Type.String({
      pattern: '^$|^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
      'x-rule': 'must be a UUID, or empty to remove the secondary voice',
    }),
  ),
});

export const NoiseFields = Type.Object({
  mute_during_intro: Type.Boolean(),
  mute_while_bot_speaking: Type.Boolean({ description: 'The caller cannot interrupt at any time.' }),
});

export const VocabFields = Type.Object({
  vocab: Type.Array(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '\\S',
      'x-rule': 'must be a word or phrase of 1 to 100 characters',
    }),
    { maxItems: 100, description: 'Replaces the list; at most 100 words in total.' },
  ),
});

export const QueryPhraseFields = Type.Object({
  pre_query_response_phrases: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { maxItems: 50 }),
  pre_query_phrase_probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
});

export const VadFields = Type.Object({
  vad_settings: Type.Object({
    interruption_sensitivity: Type.Optional(oneOf(['low', 'default', 'high'])),
  }),
});

const DialKey = oneOf(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#']);

export const DtmfFields = Type.Object({
  dtmf_settings: Type.Object({
    dtmf_capturing_enabled: Type.Boolean({ description: "False: the agent ignores the caller's keys." }),
    dtmf_input: Type.Optional(
      Type.Object({
        digits: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 32,
            description: 'Keys after which the answer is complete.',
          }),
        ),
        timeout: Type.Optional(
          Type.Number({
            minimum: 1,
            maximum: 30,
            description: 'Seconds without a key after which the answer is complete.',
          }),
        ),
        end: Type.Optional(DialKey),
        reset: Type.Optional(DialKey),
      }),
    ),
  }),
});
