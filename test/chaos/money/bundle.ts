import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { PROGRAM } from './run.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Bundles the program: its start then loads one file instead of several hundred. Returns its path, below node_modules. */
export async function bundleMoneyProgram(): Promise<string> {
  const outDir = join(root, 'node_modules/.cache/money');
  await build({
    configFile: false,
    logLevel: 'warn',
    root,
    // Not `pg`, which loads its parts as it needs them.
    ssr: {
      noExternal: [/^@callwright\//, 'kysely', 'libphonenumber-js', 'uuid', 'undici', 'typebox', 'ipaddr.js'],
    },
    build: {
      ssr: true,
      target: 'node24',
      outDir,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        input: { program: fileURLToPath(PROGRAM) },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunk-[name]-[hash].js' },
      },
    },
  });
  return join(outDir, 'program.js');
}
