import type { Catalogue } from './catalogue.ts';
import { LANGUAGE } from './language.ts';

/** What the texts of every language are split by: those of a group of screens, and those that several groups share. */
export type WordGroup =
  | 'common'
  | 'home'
  | 'calls'
  | 'campaigns'
  | 'assistants'
  | 'flow'
  | 'rehearsals'
  | 'knowledge'
  | 'numbers'
  | 'developers'
  | 'settings'
  | 'entrance';

const FILES = import.meta.glob<{ WORDS: Catalogue }>(['./de/*.ts', './es/*.ts', './hi/*.ts']);
const words: Record<string, string> = {};
const loaded = new Set<WordGroup>();

/** Loads the texts of a group in the chosen language. English needs none. */
async function loadWords(group: WordGroup): Promise<void> {
  if (LANGUAGE === 'en' || loaded.has(group)) return;
  const file = await FILES[`./${LANGUAGE}/${group}.ts`]?.();
  Object.assign(words, file?.WORDS);
  loaded.add(group);
}

/** Loads the texts that every screen shares, before the first is drawn. */
export async function loadCommonWords(): Promise<void> {
  document.documentElement.lang = LANGUAGE;
  // Without them the page is in English.
  await loadWords('common').catch(() => {});
}

/** Loads a part of the dashboard with its texts: it is drawn once both are there, never in another language first. */
export const withWords =
  <T>(group: WordGroup, load: () => Promise<T>): (() => Promise<T>) =>
  async () =>
    (await Promise.all([load(), loadWords(group)]))[0];

/** A text in the chosen language, with its values; English where the catalogue lacks it. */
export const t = (english: string, values: Readonly<Record<string, string | number>> = {}): string =>
  fill(words[english] ?? english, values);

/** A text with its values in place of `{name}`; a name without a value stays. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.includes('{')
    ? text.replaceAll(/\{(\w+)\}/g, (name, key: string) => String(values[key] ?? name))
    : text;

/** A name within a sentence: only German keeps its capitals. */
export const within = (name: string): string => (LANGUAGE === 'de' ? name : name.toLowerCase());
