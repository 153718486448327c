import type { Answer } from '../api/client.ts';

export type Voice = Answer<'listVoices'>['voices'][number];

/** The chosen voice among those that speak the languages, else the first of them; undefined: none speaks them. Pure. */
export function voiceFor(
  voices: readonly Voice[],
  languages: readonly string[],
  chosen: string,
): Voice | undefined {
  const able = voices.filter((voice) => languages.every((tag) => voice.languages.includes(tag)));
  return able.find(({ id }) => id === chosen) ?? able[0];
}
