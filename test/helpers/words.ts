import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Catalogue } from '../../web/src/words/catalogue.ts';

const root = resolve(import.meta.dirname, '../../web/src/words');
/** The languages of the dashboard that have texts in files. */
export const TRANSLATED = ['de', 'es', 'hi'] as const;
export type Translated = (typeof TRANSLATED)[number];

/** The texts of a language by the group of screens that loads them. */
export async function wordGroups(language: Translated): Promise<ReadonlyMap<string, Catalogue>> {
  const files = readdirSync(join(root, language)).toSorted();
  return new Map(
    await Promise.all(
      files.map(async (file): Promise<[string, Catalogue]> => {
        const { WORDS } = (await import(join(root, language, file))) as { WORDS: Catalogue };
        return [file.replace(/\.ts$/, ''), WORDS];
      }),
    ),
  );
}

/** All texts of a language. */
export const wordsOf = async (language: Translated): Promise<Catalogue> =>
  Object.assign({}, ...(await wordGroups(language)).values()) as Catalogue;
