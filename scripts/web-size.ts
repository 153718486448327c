import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** Limits of the built dashboard in kB of gzip: what every page loads first, and what one screen adds. */
const SHELL_KB = 180;
const SCREEN_KB = 80;
/** What the texts of a language add for one group of screens: half a screen, so that they may double. */
const TEXTS_KB = 40;
/** All faces of the dashboard, as sent: their format is compressed. */
const FONTS_KB = 60;
/** What a page of somebody else loads for the widget, without the audio worklet. */
const WIDGET_KB = 15;

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}
const folder = new URL('../web/dist/', import.meta.url);
const read = (name: string): Buffer => {
  try {
    return readFileSync(new URL(name, folder));
  } catch {
    throw new Error('the dashboard is not built: run npm run build:web');
  }
};
const manifest = JSON.parse(read('manifest.json').toString()) as Record<string, Chunk>;

/** The files that a chunk loads at once, with those of its imports. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (chunk === undefined || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const style of chunk.css ?? []) seen.add(style);
  for (const inner of chunk.imports ?? []) filesOf(inner, seen);
  return seen;
}
const kilobytes = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(read(file)).length, 0) / 1000;

const DASHBOARD = 'index.html';
const names = Object.keys(manifest);
const shell = filesOf(DASHBOARD);
const sizes = [
  { name: 'shell', size: kilobytes(shell), limit: SHELL_KB },
  ...names
    // The API reference is a page of its own; what it adds to the shell counts as that of a screen.
    .filter(
      (name) => name !== DASHBOARD && (manifest[name]?.isDynamicEntry ?? manifest[name]?.isEntry) === true,
    )
    .map((name) => ({
      name,
      size: kilobytes([...filesOf(name)].filter((file) => !shell.has(file))),
      limit: name.startsWith('src/words/') ? TEXTS_KB : SCREEN_KB,
    })),
];
const fonts = readdirSync(new URL('assets/', folder)).filter((name) => name.endsWith('.woff2'));
const fontSize = {
  name: 'fonts',
  size: fonts.reduce((sum, name) => sum + read(`assets/${name}`).length, 0) / 1000,
  limit: FONTS_KB,
};
const { version } = JSON.parse(read('widget/latest.json').toString()) as { version: string };
const widgetSize = { name: 'widget', size: kilobytes([`widget/${version}/widget.js`]), limit: WIDGET_KB };

for (const { name, size, limit } of [...sizes, fontSize, widgetSize]) {
  if (size <= limit) continue;
  console.error(`${name} has ${size.toFixed(1)} kB as sent; the limit is ${limit}`);
  process.exitCode = 1;
}
const bySize = sizes.slice(1).toSorted((a, b) => b.size - a.size);
const largest = bySize.find(({ limit }) => limit === SCREEN_KB);
const longest = bySize.find(({ limit }) => limit === TEXTS_KB);
console.log(
  `dashboard: shell ${sizes[0]?.size.toFixed(1)} kB of gzip (limit ${SHELL_KB}), largest screen ${largest?.name} ${largest?.size.toFixed(1)} kB (limit ${SCREEN_KB}), texts ${longest?.name} ${longest?.size.toFixed(1)} kB (limit ${TEXTS_KB}), fonts ${fontSize.size.toFixed(1)} kB (limit ${FONTS_KB}), widget ${widgetSize.size.toFixed(1)} kB (limit ${WIDGET_KB})`,
);
