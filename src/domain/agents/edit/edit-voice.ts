import type { Language } from '@callwright/language';
import { checkVoices } from '../voice-catalogue.ts';
import { operation } from './operation.ts';

interface VoiceEdit {
  readonly voiceId: string;
  readonly language: Language;
  /** Empty removes the secondary voice, absent keeps it. */
  readonly secondaryVoiceId?: string;
}

/** Changes voice and language together; 400 when the voice does not speak the language. */
export const editVoice = operation<VoiceEdit>(({ config, voices }, input) => {
  const sent = input.secondaryVoiceId;
  const { voiceId, secondaryVoiceId } = checkVoices(voices, {
    voiceId: input.voiceId,
    language: input.language,
    secondaryLanguage: config.secondaryLanguage,
    secondaryVoiceId: sent === undefined ? config.secondaryVoiceId : sent || null,
  });
  return { config: { ...config, voiceId, language: input.language, secondaryVoiceId } };
});
