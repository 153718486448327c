/**
 * Packs libraries of `packages/` as they would be published: `node scripts/pack-library.ts FOLDER [NAME...]` writes one
 * tarball a library, with those that it depends on. In the tarball, `exports` points to JavaScript with declarations in `dist`.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const project = resolve(import.meta.dirname, '..');
const SCOPE = '@callwright/';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
const sourceOf = (name: string): string => join(project, 'packages', name.slice(SCOPE.length));
const installedAt = (name: string): string => join(project, 'node_modules', name);

/** Names of all libraries. */
export const libraries = (): string[] =>
  readdirSync(join(project, 'packages')).map((folder) => `${SCOPE}${folder}`);

/** What a package needs at run time, itself last: each package after those that it depends on. */
export function closureOf(name: string, found: string[] = []): readonly string[] {
  const folder = name.startsWith(SCOPE) ? sourceOf(name) : installedAt(name);
  for (const dependency of Object.keys(manifestOf(folder).dependencies ?? {})) {
    if (!found.includes(dependency)) closureOf(dependency, found);
  }
  if (!found.includes(name)) found.push(name);
  return found;
}

/** `./src/x.ts` becomes the JavaScript and the declarations that are built from it. */
function builtExports(value: unknown): unknown {
  if (typeof value === 'string') {
    const [, path] = /^\.\/src\/(.+)\.ts$/.exec(value) ?? [];
    return path === undefined ? value : { types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` };
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, builtExports(inner)]));
}

/** The published package.json: libraries among the dependencies have the versions of this project. */
function published({ private: _private, scripts: _scripts, ...manifest }: Manifest): Manifest {
  const dependencies = Object.entries(manifest.dependencies ?? {}).map(([name, range]) => [
    name,
    name.startsWith(SCOPE) ? manifestOf(sourceOf(name)).version : range,
  ]);
  return {
    ...manifest,
    exports: builtExports(manifest.exports),
    ...(dependencies.length === 0 ? {} : { dependencies: Object.fromEntries(dependencies) }),
  };
}

/** Builds one library into `work`; the libraries that it depends on are built there. */
async function build(name: string, work: string): Promise<string> {
  const source = sourceOf(name);
  const target = join(work, 'node_modules', name);
  const stage = join(work, 'source', basename(source));
  cpSync(source, stage, {
    recursive: true,
    filter: (path) => !/\/(?:node_modules|dist|test)$|\.test\.ts$/.test(path.slice(source.length)),
  });
  const own = join(source, 'tsconfig.json');
  const config = join(stage, 'tsconfig.pack.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: existsSync(own) ? own : join(project, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        outDir: join(target, 'dist'),
        rootDir: join(stage, 'src'),
        typeRoots: [join(work, 'node_modules/@types')],
      },
      include: [join(stage, 'src')],
      exclude: [],
    }),
  );
  const compiler = join(dirname(installedAt('typescript/package.json')), 'bin/tsc');
  await run(process.execPath, [compiler, '-p', config]).catch((error: unknown) => {
    throw new Error(`${name}: ${(error as { stdout?: string }).stdout ?? String(error)}`);
  });
  // Data files keep their place beside the code that reads them.
  cpSync(join(stage, 'src'), join(target, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('.ts'),
  });
  const manifest = published(manifestOf(source));
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  if (existsSync(join(source, 'README.md'))) cpSync(join(source, 'README.md'), join(target, 'README.md'));
  cpSync(join(project, 'LICENSE'), join(target, 'LICENSE'));
  return target;
}

/** Packs the libraries and everything that they depend on into `folder`; returns the tarballs by package. */
export async function packLibraries(
  names: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const work = mkdtempSync(join(tmpdir(), 'callwright-pack-'));
  try {
    mkdirSync(join(work, 'node_modules', SCOPE), { recursive: true });
    symlinkSync(installedAt('@types'), join(work, 'node_modules/@types'));
    mkdirSync(folder, { recursive: true });
    const found: string[] = [];
    for (const name of names) closureOf(name, found);
    const folders: string[] = [];
    for (const name of found) {
      if (name.startsWith(SCOPE)) folders.push(await build(name, work));
      else {
        folders.push(installedAt(name));
        mkdirSync(dirname(join(work, 'node_modules', name)), { recursive: true });
        symlinkSync(installedAt(name), join(work, 'node_modules', name));
      }
    }
    // One run for all: a start of npm costs more than a tarball.
    const pack = ['pack', ...folders, '--pack-destination', folder, '--ignore-scripts', '--silent'];
    const files = (await run('npm', pack, { cwd: work })).stdout.trim().split('\n');
    const tarballs = new Map(found.map((name, index) => [name, join(folder, files[index] ?? name)]));
    return tarballs;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const [folder, ...names] = process.argv.slice(2);
  if (folder === undefined) {
    console.error('usage: scripts/pack-library.ts FOLDER [NAME...]');
    process.exit(2);
  }
  const wanted = names.length === 0 ? libraries() : names.map((name) => `${SCOPE}${name}`);
  for (const tarball of (await packLibraries(wanted, resolve(folder))).values()) console.log(tarball);
}
