import type { Catalogue } from './catalogue.ts';
import { LANGUAGE, type UiLanguage } from './language.ts';

const CATALOGUES: Readonly<Record<Exclude<UiLanguage, 'en'>, () => Promise<{ WORDS: Catalogue }>>> = {
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  hi: () => import('./hi.ts'),
};
let words: Catalogue = {};

/** Loads the texts of the chosen language, before the first screen is drawn. English needs none. */
export async function loadWords(): Promise<void> {
  document.documentElement.lang = LANGUAGE;
  if (LANGUAGE === 'en') return;
  // Without them the page is in English.
  words = await CATALOGUES[LANGUAGE]().then(
    (loaded) => loaded.WORDS,
    () => ({}),
  );
}

/** A text in the chosen language, with its values; English where the catalogue lacks it. */
export const t = (english: string, values: Readonly<Record<string, string | number>> = {}): string =>
  fill(words[english] ?? english, values);

/** A text with its values in place of `{name}`; a name without a value stays. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (name, key: string) => String(values[key] ?? name));

/** A name within a sentence: only German keeps its capitals. */
export const within = (name: string): string => (LANGUAGE === 'de' ? name : name.toLowerCase());
