/** The languages that the tables cover, as BCP 47 tags. */
export const LANGUAGES = [
  'en-US',
  'en-GB',
  'en-AU',
  'en-IN',
  'hi-IN',
  'ta-IN',
  'te-IN',
  'bn-IN',
  'mr-IN',
  'kn-IN',
  'ms-MY',
  'zh-CN',
  'od-IN',
  'pa-IN',
  'my-MM',
  'gu-IN',
  'ar-AE',
] as const;
export type Language = (typeof LANGUAGES)[number];

export const isLanguage = (code: string): code is Language => (LANGUAGES as readonly string[]).includes(code);
export const isEnglish = (code: Language): boolean => code.startsWith('en-');
