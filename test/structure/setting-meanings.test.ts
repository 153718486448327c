import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../src/config/settings.ts';
import { TRANSLATED } from '../helpers/words.ts';

const web = resolve(import.meta.dirname, '../../web/src');
type Forms = readonly (readonly [service: string, page: string])[];
const { formOf } = (await import(join(web, 'words/sentence-forms.ts'))) as {
  formOf: (sentence: string) => string;
};
const meaningsOf = async (language: string): Promise<Forms> =>
  ((await import(join(web, `screens/system/meanings/${language}.ts`))) as { MEANINGS: Forms }).MEANINGS;
const TABLES = await Promise.all(
  TRANSLATED.map(async (language) => [language, await meaningsOf(language)] as const),
);
const described = Object.entries(SETTINGS).map(([name, { about }]) => ({ name, about }));
const fits = (form: string, about: string): boolean => new RegExp(`^${formOf(form)}$`).test(about);
const placesOf = (text: string): string =>
  [...text.matchAll(/\{\w+\}/g)]
    .map(([place]) => place)
    .toSorted()
    .join();

describe.each(TABLES)('the descriptions of settings, %s', (_, meanings) => {
  it('are there for every setting that the dashboard shows', () => {
    expect(described.length).toBeGreaterThan(100);
    const missing = described.filter(({ about }) => !meanings.some(([form]) => fits(form, about)));
    expect(missing).toEqual([]);
  });

  it('are each of a setting that the service has', () => {
    const firsts = new Set(described.map(({ about }) => meanings.find(([form]) => fits(form, about))?.[0]));
    expect(meanings.map(([form]) => form).filter((form) => !firsts.has(form))).toEqual([]);
  });

  it('name the same settings and values as the English ones', () => {
    const namesIn = (text: string): string =>
      [...new Set(text.match(/\b[A-Z]+(?:_[A-Z0-9]+)+\b/g))].toSorted().join();
    const differing = meanings.filter(
      ([service, page]) => placesOf(service) !== placesOf(page) || namesIn(service) !== namesIn(page),
    );
    expect(differing).toEqual([]);
  });
});
