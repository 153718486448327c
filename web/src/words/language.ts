/** The languages of the dashboard. */
export const UI_LANGUAGES = ['en', 'de', 'es', 'hi'] as const;
export type UiLanguage = (typeof UI_LANGUAGES)[number];
/** Each in its own words. */
export const UI_LANGUAGE_NAMES: Readonly<Record<UiLanguage, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  hi: 'हिन्दी',
};
const KEY = 'language';

/** The locale that writes times and numbers: a wanted one of the language, so that the region counts, else the language. */
export const localeOf = (language: UiLanguage, wanted: readonly string[]): string =>
  wanted.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language;

const chosen = (): UiLanguage => {
  const stored = typeof localStorage === 'undefined' ? null : localStorage.getItem(KEY);
  return UI_LANGUAGES.find((each) => each === stored) ?? 'en';
};

/** The language that the reader chose for this browser. It stays while the page is open. */
export const LANGUAGE = chosen();
export const LOCALE = localeOf(LANGUAGE, navigator.languages);

/** Opens the page again in another language. */
export function chooseLanguage(language: UiLanguage): void {
  localStorage.setItem(KEY, language);
  location.reload();
}
