import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closureOf, libraries, packLibraries } from '../../scripts/pack-library.ts';

const run = promisify(execFile);
/** Compilers and npm on a busy machine. */
const LONGEST_MS = 600_000;
const packages = resolve(import.meta.dirname, '../../packages');

/** Its examples need a running service: test/processes/doc-examples.test.ts runs them from its tarball. */
const SDK = '@callwright/sdk';

interface Example {
  readonly name: string;
  readonly code: string;
  /** What the README says that it prints; null: it says nothing. */
  readonly prints: string | null;
}

/** The first block of JavaScript in a README, and the block of output after the words `It prints:`. */
function exampleOf(name: string): Example[] {
  const readme = join(packages, name.split('/')[1] ?? '', 'README.md');
  const text = existsSync(readme) ? readFileSync(readme, 'utf8') : '';
  const code = /```js\n([^]*?)```/.exec(text)?.[1];
  const prints = /It prints:\n\n```console\n([^]*?)```/.exec(text)?.[1] ?? null;
  return code === undefined ? [] : [{ name, code, prints }];
}

describe('the README example of a library', () => {
  const examples = libraries().flatMap(exampleOf);
  let folder: string;
  let tarballs: ReadonlyMap<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'callwright-libraries-'));
    tarballs = await packLibraries(libraries(), join(folder, 'tarballs'));
  }, LONGEST_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('exists in every library', () => {
    const named = new Set(examples.map(({ name }) => name));
    expect(libraries().filter((name) => !named.has(name) && name !== SDK)).toEqual([]);
  });

  it.each(examples)(
    'runs from the packed $name in an empty folder',
    { timeout: LONGEST_MS },
    async ({ name, code, prints }) => {
      const cwd = join(folder, name);
      mkdirSync(cwd, { recursive: true });
      writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
      // Packages of others come from this project's node_modules, as tarballs too, so that npm needs no network.
      const files = closureOf(name).map((needed) => tarballs.get(needed) ?? needed);
      const env = { PATH: process.env['PATH'], npm_config_cache: join(folder, 'empty-cache') };
      await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...files], {
        cwd,
        env,
      });
      writeFileSync(join(cwd, 'example.js'), code);
      const { stdout, stderr } = await run(process.execPath, ['example.js'], { cwd, env });
      expect(stderr).toBe('');
      expect(stdout).toBe(prints ?? stdout);
      expect(stdout).not.toBe('');
    },
  );
});
