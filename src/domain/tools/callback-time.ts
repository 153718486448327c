import { isLanguage, phrasesOf, readTime, resolveTime } from '@callwright/language';

/** Callbacks further ahead are refused: the caller did not mean them. */
const FURTHEST_MS = 90 * 86_400_000;

/**
 * When a caller who asks in `zone` at `now` wants the callback ("tomorrow at 3 pm", or ISO 8601); epoch ms. Null
 * where the words name no future time.
 */
export function callbackTime(when: string, now: number, zone: string, language: string): number | null {
  const table = phrasesOf(isLanguage(language) ? language : 'en-US');
  const spoken = readTime(when.slice(0, 200), table);
  const at = resolveTime(spoken, { now, zone })?.at ?? null;
  return at === null || at <= now || at - now > FURTHEST_MS ? null : at;
}
