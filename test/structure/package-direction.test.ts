import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { productFiles, projectFolder, type SourceFile } from './sources.ts';

/**
 * Libraries of `packages/`. `uses`: the libraries below it, which are all that it may import of this project. `openTo`:
 * folders of `src` that may use its code; `types`: folders that may use its types only.
 */
const PACKAGES: Record<
  string,
  { uses: readonly string[]; openTo: readonly string[]; types?: readonly string[] }
> = {
  audio: {
    uses: [],
    openTo: [
      'telephony',
      'voice',
      'providers',
      'vendors',
      'offline',
      'session',
      'rehearsal',
      'workers',
      'domain',
      'recordings',
      'http',
    ],
    types: ['dialer'],
  },
  language: {
    uses: [],
    openTo: [
      'voice',
      'providers',
      'vendors',
      'offline',
      'session',
      'rehearsal',
      'workers',
      'domain',
      'chat',
      'http',
      'telephony',
    ],
    types: ['store'],
  },
  rtp: {
    uses: ['audio'],
    openTo: ['telephony', 'workers', 'rehearsal'],
    types: ['session', 'dialer', 'voice', 'domain'],
  },
  turns: {
    uses: ['audio', 'language'],
    openTo: [
      'voice',
      'providers',
      'vendors',
      'offline',
      'session',
      'rehearsal',
      'workers',
      'telephony',
      'http',
      'chat',
      'domain',
    ],
    // JSON columns hold what a conversation reports.
    types: ['dialer', 'shared', 'store', 'wire'],
  },
  sip: { uses: ['audio', 'rtp'], openTo: ['telephony', 'rehearsal'], types: ['dialer'] },
  fields: { uses: [], openTo: ['vendors', 'providers', 'offline'] },
  'stand-ins': { uses: ['audio', 'fields'], openTo: ['offline'] },
  sdk: { uses: [], openTo: [] },
  widget: { uses: [], openTo: [] },
};
/** Files that wire or run the program may import everything. */
const FREE = new Set(['app', 'main', 'cli']);

interface Import {
  readonly from: string;
  /** A relative path from the project's folder, or the name of a library. */
  readonly to: string;
  readonly typeOnly: boolean;
}

function importsOf({ file, text }: SourceFile): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, typeOnly: boolean): void => {
    if (specifier.startsWith('@callwright/')) found.push({ from: file, to: specifier, typeOnly });
    if (specifier.startsWith('.')) {
      found.push({ from: file, to: posix.join(dirname(file), specifier), typeOnly });
    }
  };
  for (const match of text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'"]*?from\s+)?['"]([^'"]+)['"]/gm)) {
    add(match[2]!, match[1] !== undefined);
  }
  for (const match of text.matchAll(/import\(\s*['"]([^'"]+)['"]\s*\)/g)) add(match[1]!, false);
  return found;
}

/** The library that holds the file; null: a file of the service. */
const packageOf = (path: string): string | null => /^packages\/([^/]+)\//.exec(path)?.[1] ?? null;
const folderOf = (path: string): string => path.split('/')[1]!.replace(/\.ts$/, '');

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const library = /^@callwright\/(\w[\w-]*)$/.exec(to)?.[1];
  const own = packageOf(from);
  if (library === undefined) {
    // A library imports files of its own folder; the service imports no file of a library past its index.
    return own === null ? packageOf(to) === null : to.startsWith(`packages/${own}/`);
  }
  if (own !== null) return PACKAGES[own]?.uses.includes(library) ?? false;
  const rule = PACKAGES[library];
  const folder = folderOf(from);
  if (rule === undefined) return false;
  return (
    FREE.has(folder) || rule.openTo.includes(folder) || (typeOnly && (rule.types ?? []).includes(folder))
  );
}

describe('directions of imports between libraries and the service', () => {
  const edges = productFiles().flatMap(importsOf);
  const folders = readdirSync(join(projectFolder, 'packages'));

  it('names every library', () => {
    expect(folders.filter((name) => PACKAGES[name] === undefined)).toEqual([]);
    expect(Object.keys(PACKAGES).filter((name) => !folders.includes(name))).toEqual([]);
  });

  it('lets a library import nothing of the service, and the service no file behind an index', () => {
    expect(edges.filter(({ to }) => to.startsWith('@callwright/')).length).toBeGreaterThan(80);
    expect(edges.filter((edge) => !isAllowed(edge)).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('declares in its package.json every library and package that it imports', () => {
    const lists = folders.map((name) => {
      const file = join(projectFolder, 'packages', name, 'package.json');
      const { dependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
        dependencies?: Record<string, string>;
      };
      const imported = productFiles()
        .filter((source) => packageOf(source.file) === name)
        .flatMap(({ text }) => [...text.matchAll(/^(?:import|export)\s[^'"]*?from\s+'([^'.][^']*)'/gm)])
        .map((match) => match[1]!)
        .filter((specifier) => !specifier.startsWith('node:'));
      return {
        name,
        declared: Object.keys(dependencies).toSorted(),
        imported: [...new Set(imported)].toSorted(),
      };
    });
    expect(lists.filter(({ declared, imported }) => declared.join() !== imported.join())).toEqual([]);
  });

  it('detects a forbidden import', () => {
    const code = (from: string, to: string): boolean => isAllowed({ from, to, typeOnly: false });
    expect(code('packages/rtp/src/rtp-leg.ts', 'src/shared/clock.ts')).toBe(false);
    expect(code('packages/rtp/src/rtp-leg.ts', '@callwright/sip')).toBe(false);
    expect(code('src/telephony/signalling.ts', 'packages/sip/src/user-agent.ts')).toBe(false);
    expect(code('src/dialer/live-call.ts', '@callwright/sip')).toBe(false);
    expect(isAllowed({ from: 'src/dialer/live-call.ts', to: '@callwright/sip', typeOnly: true })).toBe(true);
  });
});
