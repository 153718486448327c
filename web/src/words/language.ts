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

/** The stored choice of the reader, else the first language of the browser that the dashboard speaks, else English. */
export function languageOf(stored: string | null, wanted: readonly string[]): UiLanguage {
  const offered = [stored ?? '', ...wanted.map((tag) => tag.replace(/-.*$/, ''))];
  return offered.flatMap((each) => UI_LANGUAGES.find((language) => language === each) ?? [])[0] ?? 'en';
}

/** The language of the pages in this browser. It stays while a page is open. Tests, which store nothing, read English. */
export const LANGUAGE =
  typeof localStorage === 'undefined' ? 'en' : languageOf(localStorage.getItem(KEY), navigator.languages);
export const LOCALE = localeOf(LANGUAGE, navigator.languages);

/** Opens the page again in another language. */
export function chooseLanguage(language: UiLanguage): void {
  localStorage.setItem(KEY, language);
  location.reload();
}
