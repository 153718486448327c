import { Type } from 'typebox';
import { EDIT_VOICE_LANGUAGES } from '../../../shared/agent-languages.ts';
import { oneOf, Uuid } from '../../../shared/schema-parts.ts';
import { checkVoices } from '../voice-catalogue.ts';
import { operation } from './operation.ts';

/**
 * Changes voice and language together; 400 when the voice does not speak the language. An empty `secondary_voice_id`
 * removes the secondary voice, an absent one keeps it.
 */
export const editVoice = operation(
  Type.Object({
    voice_id: Uuid,
    language: oneOf(EDIT_VOICE_LANGUAGES),
    secondary_voice_id: Type.Optional(
      Type.String({
        pattern: '^$|^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
        'x-rule': 'must be a UUID, or empty to remove the secondary voice',
      }),
    ),
  }),
  ({ config, voices }, input) => {
    const sent = input.secondary_voice_id;
    const { voiceId, secondaryVoiceId } = checkVoices(voices, {
      voiceId: input.voice_id,
      language: input.language,
      secondaryLanguage: config.secondary_language,
      secondaryVoiceId: sent === undefined ? config.secondary_voice_id : sent || null,
    });
    return {
      config: {
        ...config,
        voice_id: voiceId,
        language: input.language,
        secondary_voice_id: secondaryVoiceId,
      },
    };
  },
);
