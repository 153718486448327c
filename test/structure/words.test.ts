import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FLOW_TEMPLATES } from '../../src/shared/flow-templates/list.ts';
import { VOICE_DESCRIPTIONS } from '../helpers/voice-descriptions.ts';
import { wordsOf } from '../helpers/words.ts';

const root = resolve(import.meta.dirname, '../../web/src');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^words\//.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');
const LANGUAGES = { de: await wordsOf('de'), es: await wordsOf('es'), hi: await wordsOf('hi') };
const used = new Set(
  [...sources.matchAll(/\b(?:t|rich)\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)")/g)].map(([, single, double]) =>
    (single ?? double ?? '').replaceAll("\\'", "'"),
  ),
);
/** The singular and plural texts that `formatCount` takes. */
const counted = [...sources.matchAll(/\bformatCount\([^'"`]*?, '([a-z ]+)'(?:, '([a-z ]+)')?/g)].flatMap(
  ([, one = '', many = `${one}s`]) => [one, many],
);
const templates = FLOW_TEMPLATES.flatMap(({ name, summary }) => [name, summary]);

describe('the languages of the dashboard', () => {
  it.each(Object.entries(LANGUAGES))('have every text that a screen names, %s', (_, words) => {
    expect(used.size).toBeGreaterThan(60);
    expect(counted.length).toBeGreaterThan(30);
    expect([...used, ...counted, ...templates].filter((text) => words[text] === undefined)).toEqual([]);
  });

  it.each(Object.entries(LANGUAGES))('have what the service says of its voices, %s', (_, words) => {
    expect(VOICE_DESCRIPTIONS.length).toBeGreaterThan(15);
    expect(VOICE_DESCRIPTIONS.filter((text) => words[text] === undefined)).toEqual([]);
  });

  it.each(Object.entries(LANGUAGES))('have no text that no screen shows, %s', (_, words) => {
    const known = (text: string): boolean =>
      (text.endsWith('s') && words[text.slice(0, -1)] !== undefined) ||
      sources.includes(`'${text.replaceAll("'", "\\'")}'`) ||
      sources.includes(`"${text}"`) ||
      templates.includes(text) ||
      VOICE_DESCRIPTIONS.includes(text);
    // Names of states come from the codes of the service, plurals from their singular.
    const states = new Set([
      'Busy',
      'Inbound',
      'Outbound',
      'Paused',
      'Scheduled',
      'Completed',
      'Failed',
      'Terminated',
    ]);
    expect(Object.keys(words).filter((text) => !known(text) && !states.has(text))).toEqual([]);
  });

  it.each(Object.entries(LANGUAGES))('put the same values into every text, %s', (_, words) => {
    const names = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();
    expect(Object.entries(words).filter(([text, word]) => names(text).join() !== names(word).join())).toEqual(
      [],
    );
  });
});
