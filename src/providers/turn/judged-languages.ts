import type { Language } from '@callwright/language';

/** Languages of ours that smart-turn v3 was trained on. */
const TRAINED: ReadonlySet<Language> = new Set<Language>([
  'en-US',
  'en-GB',
  'en-AU',
  'en-IN',
  'hi-IN',
  'bn-IN',
  'mr-IN',
  'zh-CN',
  'ar-AE',
]);

/** The turn model judges the language. */
export const isJudged = (language: Language): boolean => TRAINED.has(language);
