/** The alphabet of Kokoro's nets for American English, and its stress marks. Rules of misaki 0.9.4 (Apache-2.0, hexgrad). */
export const VOWELS: ReadonlySet<string> = new Set('AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ'.split(''));
export const CONSONANTS: ReadonlySet<string> = new Set('bdfhjklmnpstvwzðŋɡɹɾʃʒʤʧθ'.split(''));
const LONG: ReadonlySet<string> = new Set('AIOQWYʤʧ'.split(''));
export const PRIMARY = 'ˈ';
export const SECONDARY = 'ˌ';

const isStressed = (phonemes: string): boolean => phonemes.includes(PRIMARY) || phonemes.includes(SECONDARY);

/** The length of a word in phonemes, in which diphthongs and affricates count twice. */
export const weightOf = (phonemes: string): number =>
  phonemes.split('').reduce((sum, one) => sum + (LONG.has(one) ? 2 : 1), 0);

/**
 * How strongly a word is stressed: -2 not at all; -1 its strongest syllable becomes secondary; -0.5 and 0 the same, and 0 gives
 * a word without stress a secondary one, as 0.5 does; 1 makes a secondary stress primary; 2 also gives a word without
 * stress a primary one. Null: as the dictionary has it.
 */
export type Stress = -2 | -1 | -0.5 | 0 | 0.5 | 1 | 2 | null;

export function stressed(phonemes: string, stress: Stress): string {
  if (stress === null) return phonemes;
  if (stress < -1) return phonemes.replaceAll(PRIMARY, '').replaceAll(SECONDARY, '');
  if (stress === -1 || (stress <= 0 && phonemes.includes(PRIMARY))) {
    return phonemes.replaceAll(SECONDARY, '').replaceAll(PRIMARY, SECONDARY);
  }
  const isBare = !isStressed(phonemes);
  if (stress >= 0 && stress <= 1 && isBare) return marked(phonemes, SECONDARY);
  if (stress >= 1 && !phonemes.includes(PRIMARY) && phonemes.includes(SECONDARY)) {
    return phonemes.replaceAll(SECONDARY, PRIMARY);
  }
  return stress > 1 && isBare ? marked(phonemes, PRIMARY) : phonemes;
}

/** The mark before the first vowel; a word without vowels has none. */
function marked(phonemes: string, mark: string): string {
  const all = phonemes.split('');
  const at = all.findIndex((one) => VOWELS.has(one));
  return at < 0 ? phonemes : [...all.slice(0, at), mark, ...all.slice(at)].join('');
}
