import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TRANSLATED, wordGroups } from '../helpers/words.ts';

const root = resolve(import.meta.dirname, '../../web/src');
/** The page /design is for developers, in English. */
const files = new Set(
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^(?:words|screens\/design)\//.test(file),
  ),
);
/** A part that the dashboard loads with a group of texts, as the sources write it. */
const PART = /(?:screen|withWords)\(\s*'([a-z]+)',\s*\(\) =>\s*import\('(\.[^']+)'\)/g;
const target = (file: string, path: string): string => posix.join(dirname(file), path);
const sourceOf = new Map([...files].map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const parts = [...sourceOf].flatMap(([file, source]) =>
  [...source.matchAll(PART)]
    .map(([, group = '', path = '']) => ({ group, file: target(file, path) }))
    .filter(({ group }) => group !== 'common'),
);

/** A file and all that it loads, without parts that bring texts of their own. */
function closureOf(file: string, seen = new Set<string>()): Set<string> {
  const source = sourceOf.get(file);
  if (source === undefined || seen.has(file)) return seen;
  seen.add(file);
  for (const [, path = ''] of source.replaceAll(PART, '').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g))
    closureOf(target(file, path), seen);
  return seen;
}

/** The groups of every part that loads a file; a part within a part has the texts of both. */
const groupsOf = new Map<string, Set<string>>();
for (const { group, file } of [{ group: 'common', file: 'main.tsx' }, ...parts])
  for (const each of closureOf(file)) groupsOf.set(each, (groupsOf.get(each) ?? new Set()).add(group));
/** The page of an assistant loads the part that draws its flow. */
const WITHIN: Readonly<Record<string, readonly string[]>> = { flow: ['assistants'] };

const isNamed = (text: string, source: string): boolean =>
  source.includes(`'${text.replaceAll("'", "\\'")}'`) || source.includes(`"${text}"`);

describe('the texts of a group of screens', () => {
  it('are told apart by the parts that load them', () => {
    expect(parts.length).toBeGreaterThan(35);
    expect(parts.filter(({ file }) => !files.has(file))).toEqual([]);
  });

  it('are in the same group in every language', async () => {
    const homes = new Map<string, Set<string>>();
    for (const language of TRANSLATED)
      for (const [group, words] of await wordGroups(language))
        for (const text of Object.keys(words)) homes.set(text, (homes.get(text) ?? new Set()).add(group));
    expect([...homes].filter(([, groups]) => groups.size > 1)).toEqual([]);
  });

  it('are there wherever a screen names them', async () => {
    const groups = await wordGroups('de');
    const missing: string[] = [];
    for (const [file, source] of sourceOf) {
      // The addresses of the screens are no texts.
      if (file === 'routes.tsx') continue;
      for (const [home, words] of groups) {
        const without = [...(groupsOf.get(file) ?? [])].filter(
          (group) => home !== 'common' && group !== home && WITHIN[group]?.includes(home) !== true,
        );
        if (without.length === 0) continue;
        for (const text of Object.keys(words))
          if (isNamed(text, source)) missing.push(`${file}: “${text}” of ${home}, not of ${without.join()}`);
      }
    }
    expect(missing).toEqual([]);
  });

  it('are read when they are drawn, not when the file loads', () => {
    const early: string[] = [];
    for (const [file, source] of sourceOf) {
      let statement = '';
      for (const line of source.split('\n')) {
        statement = /^[^\s)}\]]/.test(line) ? line : statement + line;
        if (/(?<!\w)(?:t|rich)\(/.test(line) && !/=>|\b(?:function|class)\b/.test(statement))
          early.push(`${file}: ${line.trim()}`);
      }
    }
    expect(early).toEqual([]);
  });
});
