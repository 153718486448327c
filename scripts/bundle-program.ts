/**
 * Builds the released program into an empty folder: `node scripts/bundle-program.ts FOLDER`, in the project's folder. A
 * start loads a few files per thread instead of several hundred, which saves a third of its processor time.
 *
 * The folder has the layout of the project: the code in `src`, and every file that the code reads where it expects it. Its
 * package.json lists the packages that are not in the bundle; `npm install` there fetches them.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build, type Plugin } from 'vite';

const root = resolve(import.meta.dirname, '..');
const source = join(root, 'src');
const packages = join(root, 'packages');
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: scripts/bundle-program.ts FOLDER');
  process.exit(2);
}
const target = resolve(folder);
/** Packages of many modules. Not `pg`: tests that kill a program at its queries patch the installed one. */
const BUNDLED = [
  '@fastify/fast-json-stringify-compiler',
  '@fastify/multipart',
  '@fastify/rate-limit',
  '@fastify/swagger',
  'ajv',
  'ajv-formats',
  'avvio',
  'csv-parse',
  'fast-json-stringify',
  'fastify',
  'find-my-way',
  'ipaddr.js',
  'kysely',
  'libphonenumber-js',
  'minisearch',
  'prom-client',
  'typebox',
  'undici',
  'uuid',
  'ws',
  'yaml',
];
/** A bundled package tries to load these, and works without them. */
const TRIED = ['supports-color'];
/** What the program reads at run time, beside its code. The dashboard is there once `npm run build:web` has made it. */
const FILES = [
  'assets/models',
  'assets/speech',
  'src/store/migrations',
  'web/dist',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'config.example.env',
  'deploy',
  'docs',
];
/** A running service shows the reference of the API, and the pictures are large. */
const LEFT_OUT = ['docs/api.md', 'docs/openapi.json', 'docs/images'];
/** Programs of their own: they are started by their file. */
const STARTED = globSync('**/*.{thread,process}.ts', { cwd: source });
const ENTRIES: Readonly<Record<string, string>> = {
  main: 'main.ts',
  cli: 'cli/main.ts',
  ...Object.fromEntries(STARTED.map((file) => [basename(file, '.ts'), file])),
};
/** In every file of the bundle, all of which lie in `src`: the URL and the path of a file below the bundle's folder. */
const PLACES = [
  'const bundledUrl = (file) => new URL(`../${file}`, import.meta.url).href;',
  "const bundledPath = (file) => process.getBuiltinModule('node:url').fileURLToPath(bundledUrl(file));",
].join('\n');

const gitHead = commit();
const { name, version, description, license, type, engines, dependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as Record<string, object>;
const installed = Object.entries(dependencies ?? {}).filter(
  ([dependency]) => !BUNDLED.includes(dependency) && !dependency.startsWith('@callwright/'),
);

/** The commit that `callwright --version` names; null: git knows none here. */
function commit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}

/** BUNDLED and what they need, but what a release installs in any case: an installation has no other packages. */
function bundledPackages(): string[] {
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name) || installed.some(([one]) => one === name)) return;
    const file = join(root, 'node_modules', name, 'package.json');
    if (!existsSync(file)) return;
    found.add(name);
    const { dependencies: needs = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    Object.keys(needs).forEach(add);
  };
  BUNDLED.forEach(add);
  return [...found];
}

/** A module that looks for files beside itself finds them at the same place of the bundle's folder. */
const places: Plugin = {
  name: 'places',
  enforce: 'pre',
  transform(code, id) {
    if (!(id.startsWith(source) || id.startsWith(packages)) || !code.includes('import.meta')) return null;
    const file = relative(root, id);
    return code
      .replaceAll(
        /new URL\('\.\/([\w-]+\.(?:thread|process))\.ts', import\.meta\.url\)/g,
        (_, started: string) => `new URL(bundledUrl('src/${started}.js'))`,
      )
      .replaceAll('import.meta.url', `bundledUrl(${JSON.stringify(file)})`)
      .replaceAll('import.meta.dirname', `bundledPath(${JSON.stringify(dirname(file))})`)
      .replaceAll('import.meta.filename', `bundledPath(${JSON.stringify(file)})`);
  },
};

await build({
  configFile: false,
  logLevel: 'warn',
  root,
  plugins: [places],
  ssr: { noExternal: [...bundledPackages(), /^@callwright\//] },
  build: {
    ssr: true,
    target: 'node24',
    outDir: join(target, 'src'),
    emptyOutDir: true,
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(source, file)])),
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunk-[name]-[hash].js', banner: PLACES },
    },
  },
});

for (const file of FILES) {
  if (!existsSync(join(root, file))) continue;
  cpSync(join(root, file), join(target, file), {
    recursive: true,
    filter: (from) => !LEFT_OUT.includes(relative(root, from)),
  });
}
writeFileSync(
  join(target, 'package.json'),
  `${JSON.stringify(
    {
      name,
      version,
      ...(gitHead === null ? {} : { gitHead }),
      description,
      license,
      type,
      bin: { callwright: './bin/callwright' },
      scripts: { start: 'exec node src/main.js' },
      engines,
      dependencies: Object.fromEntries(installed),
      optionalDependencies,
    },
    null,
    2,
  )}\n`,
);
mkdirSync(join(target, 'bin'), { recursive: true });
const launcher = readFileSync(join(root, 'bin/callwright'), 'utf8').replace('src/cli/main.ts', 'src/cli.js');
writeFileSync(join(target, 'bin/callwright'), launcher, { mode: 0o755 });

/** A package that no installation has would end the program where it is first used. */
const absent = new Set<string>();
for (const file of globSync('src/*.js', { cwd: target })) {
  const code = readFileSync(join(target, file), 'utf8');
  for (const loaded of code.matchAll(/(?:^import [^"\n]*|__require\(|\bimport\()"([^"./][^"]*)"/gm)) {
    const id = loaded[1] ?? '';
    const name = id.split('/', id.startsWith('@') ? 2 : 1).join('/');
    if (!isBuiltin(id) && !TRIED.includes(name) && !installed.some(([one]) => one === name)) absent.add(name);
  }
}
if (absent.size > 0) {
  console.error(`the bundle loads packages that it does not install: ${[...absent].join(', ')}`);
  process.exit(1);
}
