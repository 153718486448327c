import { errors } from '../../errors.ts';
import type { Language } from '../../shared/languages.ts';

/** A voice as clients see it; the speech engines behind it are not the domain's business. */
export interface Voice {
  readonly id: string;
  readonly name: string;
  readonly languages: readonly Language[];
  readonly gender: string;
  readonly description: string;
}

/** The voices of this installation. */
export interface VoiceCatalogue {
  all(): readonly Voice[];
  byId(id: string): Voice | undefined;
  speaks(id: string, language: Language): boolean;
}

export interface VoiceChoice {
  voiceId: string;
  language: Language;
  secondaryLanguage: Language | null;
  secondaryVoiceId: string | null;
}

/**
 * Holds a choice of voices to the rule: the voice speaks the primary language, and it or a secondary voice
 * speaks the secondary one. Returns their ids as the catalogue writes them. Throws 422 for a voice that does not
 * exist and 400 for one that cannot speak.
 */
export function checkVoices(
  voices: VoiceCatalogue,
  choice: VoiceChoice,
): { voiceId: string; secondaryVoiceId: string | null } {
  const unknown = 'does not name a voice of this service; GET /agent/voices lists them';
  const voice = voices.byId(choice.voiceId);
  if (voice === undefined) throw errors.invalid('voice_id', unknown);
  const secondary = choice.secondaryVoiceId === null ? null : voices.byId(choice.secondaryVoiceId);
  if (secondary === undefined) throw errors.invalid('secondary_voice_id', unknown);
  if (!voices.speaks(choice.voiceId, choice.language)) throw errors.voiceLanguageMismatch();
  const second = choice.secondaryLanguage;
  if (second !== null && !voices.speaks(choice.secondaryVoiceId ?? choice.voiceId, second)) {
    throw errors.voiceLanguageMismatch();
  }
  return { voiceId: voice.id, secondaryVoiceId: secondary?.id ?? null };
}
