import { errors } from '../../errors.ts';
import { LANGUAGES, type Language, isLanguage } from '@callwright/language';

/** A voice as clients see it, without its speech engine. */
export interface Voice {
  readonly id: string;
  readonly name: string;
  readonly languages: readonly Language[];
  readonly gender: string;
  readonly description: string;
}

/** Voices that may be chosen. */
export interface VoiceCatalogue {
  all(): readonly Voice[];
  byId(id: string): Voice | undefined;
  speaks(id: string, language: Language): boolean;
}

/** The voices of the vendors of a workspace, beside those of the installation. */
export interface VendorVoices {
  /** Every voice that the workspace can use. Asks its vendors when their lists are older than ten minutes. */
  list(workspaceId: string): Promise<VoiceCatalogue>;
  /** The voices that the workspace has chosen, and those of `ids`, which it has then chosen. */
  named(workspaceId: string, ids: readonly string[]): Promise<VoiceCatalogue>;
  /** A WAV in which the voice speaks; null: the workspace has no such voice. Rejects when the vendor fails. */
  preview(workspaceId: string, voiceId: string, language: Language): Promise<Buffer | null>;
}

export interface VoiceChoice {
  voiceId: string;
  language: Language;
  secondaryLanguage: Language | null;
  secondaryVoiceId: string | null;
}

/**
 * Checks that the voice speaks the primary language, and that the secondary voice, or the voice if there is none,
 * speaks the secondary language. Returns the ids as the catalogue spells them. Throws 422 for an unknown voice and
 * VOICE_LANGUAGE_MISMATCH.
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
  if (!voices.speaks(choice.voiceId, choice.language)) throw errors.voiceLanguageMismatch(voice.languages);
  const second = choice.secondaryLanguage;
  if (second !== null && !voices.speaks(choice.secondaryVoiceId ?? choice.voiceId, second)) {
    throw errors.voiceLanguageMismatch((secondary ?? voice).languages);
  }
  return { voiceId: voice.id, secondaryVoiceId: secondary?.id ?? null };
}

/**
 * The second voice of an agent that only writes. Nobody hears it: where no voice of `choice` speaks the second language, the service takes
 * the first of the catalogue that does, and so never refuses such an agent for its second language.
 */
export function unheardSecondVoice(voices: VoiceCatalogue, choice: VoiceChoice): string | null {
  const { voiceId, secondaryLanguage: second, secondaryVoiceId } = choice;
  if (second === null || voices.speaks(secondaryVoiceId ?? voiceId, second)) return secondaryVoiceId;
  return voices.all().find(({ id }) => voices.speaks(id, second))?.id ?? secondaryVoiceId;
}

/** Voices that speak at least one of the comma-separated languages; every voice for null. Throws 422. */
export function findVoices(voices: VoiceCatalogue, languages: string | null): readonly Voice[] {
  const requested = (languages ?? '')
    .split(',')
    .map((code) => code.trim())
    .filter((code) => code !== '');
  if (!requested.every(isLanguage)) {
    throw errors.invalid('language', `must list language codes out of ${LANGUAGES.join(', ')}`);
  }
  if (requested.length === 0) return voices.all();
  return voices.all().filter((voice) => requested.some((language) => voices.speaks(voice.id, language)));
}
