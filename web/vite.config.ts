import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const compress = promisify(brotliCompress);
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

/** Stores a Brotli copy beside every text file, so that the service compresses nothing at run time. */
function brotliCopies(): Plugin {
  return {
    name: 'brotli-copies',
    async writeBundle({ dir = '' }) {
      const names = await readdir(dir, { recursive: true });
      const texts = names.filter((name) => /\.(js|css|html|svg)$/.test(name));
      await Promise.all(
        texts.map(async (name) => {
          const path = join(dir, name);
          await writeFile(`${path}.br`, await compress(await readFile(path), QUALITY));
        }),
      );
    },
  };
}

// oxlint-disable-next-line import/no-default-export -- Vite reads the default export.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), brotliCopies()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    manifest: 'manifest.json',
    // The content security policy allows no data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The dashboard, and the API reference, which needs no session.
      input: ['index.html', 'reference.html'].map((page) => join(import.meta.dirname, page)),
    },
  },
  // `npx vite web` during development, beside a running service.
  server: {
    proxy: Object.fromEntries(
      ['/api', '/dashboard-api', '/docs', '/recordings', '/voices'].map((path) => [
        path,
        'http://127.0.0.1:8080',
      ]),
    ),
  },
});
