import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { build, type Rolldown } from 'vite';

/**
 * Builds the widget and its audio worklet into web/dist/widget/<version>/: self-contained scripts, whose version is the
 * digest of both. `latest.json` names the version and the integrity hash for the snippet.
 */
const compress = promisify(brotliCompress);
const web = fileURLToPath(new URL('../web/', import.meta.url));

async function bundle(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    root: web,
    build: {
      write: false,
      target: 'es2022',
      lib: {
        entry: fileURLToPath(new URL(`../packages/widget/src/${entry}.ts`, import.meta.url)),
        formats: ['iife'],
        name: 'callwright',
      },
    },
  });
  const [output] = [built].flat() as Rolldown.RolldownOutput[];
  const chunk = output?.output[0];
  if (chunk?.type !== 'chunk') throw new Error(`${entry} was not built`);
  return chunk.code;
}

const scripts = { 'widget.js': await bundle('element'), 'worklet.js': await bundle('worklet') };
const digest = createHash('sha256');
for (const code of Object.values(scripts)) digest.update(code);
const version = digest.digest('hex').slice(0, 12);
const folder = `${web}dist/widget`;
await rm(folder, { recursive: true, force: true });
await mkdir(`${folder}/${version}`, { recursive: true });
for (const [name, code] of Object.entries(scripts)) {
  await writeFile(`${folder}/${version}/${name}`, code);
  await writeFile(`${folder}/${version}/${name}.br`, await compress(code));
}
const integrity = `sha384-${createHash('sha384').update(scripts['widget.js']).digest('base64')}`;
const latest = { version, script: `/widget/${version}/widget.js`, integrity };
await writeFile(`${folder}/latest.json`, JSON.stringify(latest));
