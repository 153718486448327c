import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readWebFiles } from './web-files.ts';
import { keepWidgetVersion } from './widget-versions.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'callwright-widget-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const kept = (): string => join(home, 'data/widget');
const versionOf = (n: number): string => String(n).padStart(12, '0');

/** A build whose widget has version `n`; returns its folder. */
async function built(n: number): Promise<string> {
  const web = join(home, `release-${n}`);
  const version = versionOf(n);
  await mkdir(join(web, 'widget', version), { recursive: true });
  await writeFile(join(web, 'index.html'), `release ${n}`);
  await writeFile(join(web, 'widget', version, 'widget.js'), `widget ${n}`);
  await writeFile(join(web, 'widget', version, 'widget.js.br'), `packed ${n}`);
  await writeFile(join(web, 'widget/latest.json'), JSON.stringify({ version }));
  return web;
}

/** Starts release `n`, on day `n`; returns what it serves. */
async function started(n: number) {
  const web = await built(n);
  await keepWidgetVersion(web, kept());
  const day = new Date(Date.UTC(2026, 0, n));
  await utimes(join(kept(), versionOf(n)), day, day);
  return (await readWebFiles(web, kept()))!;
}
const widgetIn = (files: Awaited<ReturnType<typeof started>>, n: number) =>
  files.get(`/widget/${versionOf(n)}/widget.js`);

it('the widget of the last five versions is served after an upgrade, with its compressed copy', async () => {
  let files = await started(1);
  for (let n = 2; n <= 6; n += 1) files = await started(n);
  expect([1, 2, 3, 4, 5, 6].map((n) => widgetIn(files, n)?.bytes.toString())).toEqual([
    undefined,
    'widget 2',
    'widget 3',
    'widget 4',
    'widget 5',
    'widget 6',
  ]);
  expect(widgetIn(files, 2)?.brotli?.toString()).toBe('packed 2');
  expect(files.get('/widget/latest.json')?.bytes.toString()).toContain(versionOf(6));
  expect(files.get('/index.html')?.bytes.toString()).toBe('release 6');
  expect((await readdir(kept())).toSorted()).toEqual([2, 3, 4, 5, 6].map(versionOf));
});

it('a version that goes back into use is the newest again', async () => {
  for (let n = 1; n <= 5; n += 1) await started(n);
  await keepWidgetVersion(join(home, 'release-1'), kept());
  const files = await started(6);
  expect([1, 2, 6].map((n) => widgetIn(files, n) !== undefined)).toEqual([true, false, true]);
});

it('a build without a widget keeps nothing', async () => {
  await keepWidgetVersion(join(home, 'nothing'), kept());
  await expect(readdir(kept())).rejects.toThrow('ENOENT');
});
