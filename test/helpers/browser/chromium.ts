import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { delayAnswers } from './late-answers.ts';
import { IS_NIGHTLY } from '../service/nightly.ts';

export { openChromium } from './open-chromium.ts';

/** Screenshots are written here when it is set. */
const SHOTS = process.env['SCREENSHOTS'];

/** A page of its own browser profile that collects what must not happen. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Violations of the content security policy, script errors, and requests to other hosts. */
  readonly faults: string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  size = { width: 1280, height: 900 },
): Promise<Watched> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: size,
    locale: 'en-GB',
    timezoneId: 'Asia/Kolkata',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    permissions: ['clipboard-write', 'clipboard-read'],
  });
  context.setDefaultTimeout(90_000);
  await delayAnswers(context);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`script error: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    const target = request.url();
    if (/^(https?|wss?):/.test(target) && !target.startsWith(url)) faults.push(`request to ${target}`);
  });
  return { page, context, faults };
}

/** Waits for a message about what was done, and closes it. */
export const closeMessage = (page: Page, text: string): Promise<void> =>
  page
    .locator('#toasts [role=status] > div')
    .filter({ hasText: text })
    .getByRole('button', { name: 'Close the message' })
    .click();

/** Runs an action whose message stays until it is pressed: what is checked before that may take longer than messages show. */
export async function keepingMessage(page: Page, act: () => Promise<void>): Promise<void> {
  await page.evaluate(() => localStorage.setItem('keep-messages', 'yes'));
  await act();
  await page.evaluate(() => localStorage.removeItem('keep-messages'));
}

export const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Checks that the page scrolls down only, and stores a screenshot when SCREENSHOTS names a folder. */
export async function checkWidth(page: Page, name: string): Promise<void> {
  const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
  expect(overflow, `${name} is wider than the window by`).toBe(0);
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
}

let inspections = 0;

/**
 * Checks the width of the screen and the rules of axe in the light theme, and in the dark one the contrast of its colours:
 * at night on each screen, in CI on every second. Stores screenshots when SCREENSHOTS names a folder.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  inspections += 1;
  const isWhole = IS_NIGHTLY || SHOTS !== undefined || inspections % 2 === 0;
  for (const theme of isWhole ? ['dark', 'light'] : ['light']) {
    await page.locator('html').evaluate((html, wanted) => html.setAttribute('data-theme', wanted), theme);
    await checkWidth(page, `${name}-${theme}`);
    // Only the colours differ between the themes.
    const runOnly = theme === 'dark' ? ['color-contrast'] : RULES;
    const found = await violationsOf(page, { runOnly });
    expect(found, `${name} in the ${theme} theme`).toEqual([]);
  }
}
