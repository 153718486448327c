/**
 * Makes the pictures of the documentation from those of `npm run bench:screens`:
 * `node scripts/pictures.ts FOLDER`, where FOLDER is the bench's `--out`. Chromium compresses them.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openChromium } from '../test/helpers/browser/open-chromium.ts';

/** The main screens, by their name in the bench. */
const SCREENS = ['home', 'calls', 'call', 'campaign', 'live', 'flow', 'analytics'] as const;
const WIDTH = '1440';
/** A page of the documentation shows several. */
const MOST_BYTES = 120_000;
const QUALITIES = [0.9, 0.82, 0.74, 0.66];
/** Runs in the browser. */
const COMPRESS = `async ([data, quality]) => {
  const picture = new Image();
  picture.src = 'data:image/png;base64,' + data;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d').drawImage(picture, 0, 0);
  return canvas.toDataURL('image/webp', quality).split(',')[1];
}`;
const target = resolve(import.meta.dirname, '../docs/images');

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: scripts/pictures.ts FOLDER');
  process.exit(2);
}
const browser = await openChromium();
try {
  const page = await browser.newPage();
  /** The picture as WebP in base64. */
  const compress = (png: string, quality: number): Promise<string> =>
    page.evaluate<string>(`(${COMPRESS})(${JSON.stringify([png, quality])})`);
  for (const screen of SCREENS) {
    for (const theme of ['light', 'dark']) {
      const name = `${screen}-${theme}`;
      const png = (await readFile(join(folder, WIDTH, `${name}.png`))).toString('base64');
      let webp: Buffer | null = null;
      for (const quality of QUALITIES) {
        webp = Buffer.from(await compress(png, quality), 'base64');
        if (webp.length <= MOST_BYTES) break;
      }
      if (webp === null || webp.length > MOST_BYTES)
        throw new Error(`${name} stays above ${MOST_BYTES} bytes`);
      await writeFile(join(target, `${name}.webp`), webp);
      console.log(`${name}.webp ${(webp.length / 1000).toFixed(0)} kB`);
    }
  }
} finally {
  await browser.close();
}
