import type { Language } from '../../../shared/languages.ts';
import { checkVoices } from '../voice-catalogue.ts';
import type { EditChange, EditContext } from './edit-context.ts';

export interface EditVoice {
  voice_id: string;
  language: Language;
  /** An empty string removes the secondary voice; absent keeps it. */
  secondary_voice_id?: string;
}

/** Changes voice and language together; 400 when the voice does not speak the language. */
export function editVoice({ config, voices }: EditContext, input: EditVoice): EditChange {
  const wanted =
    input.secondary_voice_id === undefined ? config.secondary_voice_id : input.secondary_voice_id || null;
  const { voiceId, secondaryVoiceId } = checkVoices(voices, {
    voiceId: input.voice_id,
    language: input.language,
    secondaryLanguage: config.secondary_language,
    secondaryVoiceId: wanted,
  });
  return {
    config: {
      ...config,
      voice_id: voiceId,
      language: input.language,
      secondary_voice_id: secondaryVoiceId,
    },
  };
}
