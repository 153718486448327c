import { Type } from 'typebox';
import { LANGUAGES } from '@callwright/language';
import { IsoTime, mapOf, Uuid } from '../common/schemas.ts';

export const ListVoicesQuery = Type.Object({
  language: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: `^ *(?:(?:${LANGUAGES.join('|')}) *)?(?:, *(?:(?:${LANGUAGES.join('|')}) *)?)*$`,
      'x-rule': `must list language codes out of ${LANGUAGES.join(', ')}`,
      description: 'One language code or several, comma-separated.',
      example: 'en-US,hi-IN',
    }),
  ),
});

export const VoiceList = Type.Object({
  voices: Type.Array(
    Type.Object({
      id: Uuid,
      name: Type.String(),
      languages: Type.Array(Type.String()),
      voice_previews: mapOf(Type.String(), {
        description: 'Language code to audio URL.',
      }),
      image_url: Type.String(),
      gender: Type.String(),
      description: Type.String(),
      created_at: IsoTime,
      updated_at: IsoTime,
    }),
  ),
});
