import { errors } from '../../errors.ts';
import { isLanguage, LANGUAGES } from '../../shared/languages.ts';
import type { VoiceCatalogue } from './voice-catalogue.ts';

/** The catalogue came with the program: its voices have no life of their own. */
const CATALOGUE_DATE = '2026-01-01T00:00:00.000Z';

/** Voices that speak at least one of the comma-separated languages; all for null. 422 for an unknown language. */
export function findVoices(
  deps: { voices: VoiceCatalogue; link: { publicUrl: string } },
  languages: string | null,
) {
  const wanted = (languages ?? '')
    .split(',')
    .map((code) => code.trim())
    .filter((code) => code !== '');
  if (!wanted.every(isLanguage)) {
    throw errors.invalid('language', `must list language codes out of ${LANGUAGES.join(', ')}`);
  }
  const base = `${deps.link.publicUrl}/voices`;
  return deps.voices
    .all()
    .filter(
      (voice) => wanted.length === 0 || wanted.some((language) => deps.voices.speaks(voice.id, language)),
    )
    .map((voice) => ({
      id: voice.id,
      name: voice.name,
      languages: [...voice.languages],
      voice_previews: Object.fromEntries(
        voice.languages.map((language) => [language, `${base}/${voice.id}/preview/${language}.wav`]),
      ),
      image_url: `${base}/${voice.id}/image.svg`,
      gender: voice.gender,
      description: voice.description,
      created_at: CATALOGUE_DATE,
      updated_at: CATALOGUE_DATE,
    }));
}
