import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ICONS } from '../../web/src/ui/icon-shapes.ts';

const root = resolve(import.meta.dirname, '../../web/src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
const code = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
const styles = files.filter((file) => file.endsWith('.css') && file !== 'tokens.css');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const found = (list: readonly string[], pattern: RegExp): string[] =>
  list.flatMap((file) => [...read(file).matchAll(pattern)].map(([text]) => `${file}: ${text}`));

/** Primitives that send requests, and parts that others draw. */
const NOT_ALONE = new Set([
  'AgentFilter',
  'CampaignFilter',
  'ChartFrame',
  'CopyCurl',
  'DownloadButton',
  'Legend',
  'LinePath',
  'Loaded',
]);

describe('the page /design', () => {
  it('shows every primitive', () => {
    const pages = code
      .filter((file) => file.startsWith('screens/design/'))
      .map(read)
      .join('\n');
    const primitives = code
      .filter((file) => /^ui\/.*\.tsx$/.test(file))
      .flatMap((file) => [...read(file).matchAll(/^export (?:function|const) ([A-Z][a-z]\w*)/gm)])
      .map(([, name]) => name ?? '');
    expect(primitives.length).toBeGreaterThan(30);
    const missing = primitives.filter((name) => !NOT_ALONE.has(name) && !pages.includes(`<${name}`));
    expect(missing).toEqual([]);
  });

  it('is no page of the built dashboard', () => {
    expect(read('routes.tsx')).toMatch(/import\.meta\.env\.DEV/);
  });
});

describe('the tokens of the dashboard', () => {
  it('are the only place with a colour', () => {
    expect(
      found([...code, ...styles], /#[\da-f]{3,8}\b(?=[;'"`\s)])|\b(?:hsla?|rgba?|oklch)\((?!0 0 0)/gi),
    ).toEqual([]);
    const palette =
      /\b(?:text|bg|border|fill|stroke|accent|ring)-(?:white|black|(?:red|blue|green|gray|slate|zinc|neutral|amber|teal|indigo|orange|yellow|sky|rose|violet)-\d+)\b/g;
    expect(found(code, palette)).toEqual([]);
  });

  it('are the only place with a size of text, a corner, a shadow or an inner distance', () => {
    expect(
      found(code, /\b(?:text|rounded|shadow|leading|tracking|font|gap|p|px|py|pt|pb|pl|pr)-\[[^\]]*\]/g),
    ).toEqual([
      // The sign-in stands at an eighth of the window.
      'shell/entrance.tsx: py-[12vh]',
    ]);
    expect(found(code, /\b(?:fontSize|borderRadius|boxShadow|lineHeight)\b/g)).toEqual([]);
  });

  it('have no icon that no screen shows', () => {
    const screens = code
      .filter((file) => file !== 'ui/icon-shapes.ts')
      .map(read)
      .join('\n');
    const unused = Object.keys(ICONS).filter(
      (name) => !screens.includes(`'${name}'`) && !screens.includes(`"${name}"`),
    );
    expect(unused).toEqual([]);
  });
});
