import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { openChromium } from '../test/helpers/browser/open-chromium.ts';
import { DEVELOPER_SCREENS, SCREENS } from '../test/helpers/browser/places.ts';
import { TRANSLATED, wordsOf } from '../test/helpers/words.ts';
import type { Catalogue } from '../web/src/words/catalogue.ts';
import { startService } from '../test/helpers/service/service.ts';
import { openPractice } from './screens/practice.ts';

/**
 * Pictures of every screen in three widths and both themes, of a practice after its first day: to look at, to compare
 * before and after a change, and for docs/images (scripts/pictures.ts). `--out`: their folder; `--only`: screens whose
 * name has one of these words, such as `home,call`; `--width` and `--theme`: one of them; `--language`: another than
 * English; `--whole`: each page to its end.
 */
const { values: args } = parseArgs({
  options: {
    out: { type: 'string', default: 'screens' },
    only: { type: 'string', default: '' },
    width: { type: 'string' },
    theme: { type: 'string' },
    language: { type: 'string', default: 'en' },
    whole: { type: 'boolean', default: false },
  },
});
const THEMES = ['light', 'dark'].filter((theme) => args.theme === undefined || args.theme === theme);
const translated = TRANSLATED.find((each) => each === args.language);
const texts: Catalogue = translated === undefined ? {} : await wordsOf(translated);
/** A text of the page as it stands there. */
const shown = (english: string): string => texts[english] ?? english;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
].filter(({ width }) => args.width === undefined || width === Number(args.width));
const PASSWORD = 'a long enough passphrase';

interface Screen {
  readonly name: string;
  readonly path: string;
  /** Done before the page is opened. */
  readonly before?: () => Promise<void>;
  /** Done on the page before its picture. */
  readonly on?: (page: Page) => Promise<void>;
}
const named = (path: string): Screen => ({
  name: path === '/' ? 'home' : path.slice(1).replaceAll(/[/?=]/g, '-'),
  path,
});

async function take(page: Page, { name, path, before, on }: Screen, folder: string): Promise<void> {
  await before?.();
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await on?.(page);
  // The reference writes of uploading.
  if (name !== 'reference') await page.getByText(shown('Loading')).first().waitFor({ state: 'detached' });
  for (const theme of THEMES) {
    await page.locator('html').evaluate((html, wanted) => html.setAttribute('data-theme', wanted), theme);
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`), fullPage: args.whole });
  }
}

const service = await startService({ ownDatabase: true });
const browser = await openChromium([], { isWhole: true });
try {
  const context = await browser.newContext({
    baseURL: service.url,
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.goto(await service.ownerLink());
  await page.getByLabel('Email').fill('maria@riverside.example');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  const practice = await openPractice(service);
  await page.evaluate((language) => localStorage.setItem('language', language), args.language);
  const { agentId, flowId, campaignId, callId } = practice;
  const screens: readonly Screen[] = [
    // The first three while people are on the phone.
    {
      name: 'live',
      path: '/live',
      before: () => practice.ring(),
      on: (at: Page) => at.locator('main li').first().waitFor(),
    },
    {
      name: 'home-first-steps',
      path: '/',
      on: (at: Page) => at.getByRole('heading', { name: shown('First steps') }).waitFor(),
    },
    {
      name: 'home',
      path: '/',
      on: async (at: Page) => {
        const close = at.getByRole('button', { name: shown('Close'), exact: true });
        await at.getByRole('heading', { name: shown('Latest results') }).waitFor();
        if ((await close.count()) > 0) await close.click();
      },
    },
    ...[...SCREENS, ...DEVELOPER_SCREENS].filter((path) => path !== '/' && path !== '/live').map(named),
    { name: 'reference', path: '/docs', on: (at: Page) => at.locator('.opblock').first().waitFor() },
    named('/welcome'),
    named('/agents/new'),
    named('/campaigns/new'),
    { name: 'campaign', path: `/campaigns/${campaignId}` },
    { name: 'agent', path: `/agents/${agentId}` },
    { name: 'agent-behaviour', path: `/agents/${agentId}?tab=behaviour` },
    {
      name: 'flow',
      path: `/agents/${flowId}?tab=flow`,
      on: async (at: Page) => {
        await at.getByRole('button', { name: shown('Graph'), exact: true }).click();
        await at.getByRole('button', { name: shown('Show all') }).click();
      },
    },
    { name: 'playground', path: `/agents/${agentId}/playground` },
    {
      name: 'call',
      path: `/calls/${callId}`,
      on: (at: Page) =>
        at
          .getByRole('region', { name: shown('Recording') })
          .locator('svg')
          .first()
          .waitFor(),
    },
  ].filter(({ name }) => args.only.split(',').some((words) => name.includes(words)));
  for (const size of SIZES) {
    const folder = join(args.out, String(size.width));
    await mkdir(folder, { recursive: true });
    await page.setViewportSize(size);
    for (const screen of screens) await take(page, screen, folder);
    // The next width shows the first steps again.
    await page.evaluate(`localStorage.removeItem('no-first-steps')`);
  }
  console.log(
    `${screens.length} screens in ${SIZES.length} widths and ${THEMES.length} themes are in ${args.out}`,
  );
} finally {
  await browser.close();
  await service.dispose();
}
