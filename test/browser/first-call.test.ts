import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect, openChromium, openPage, type Watched } from '../helpers/browser/chromium.ts';
import { OWNER } from '../helpers/browser/dashboard.ts';
import { startService, type Service } from '../helpers/service/service.ts';

let service: Service;
let browser: Browser;
let watched: Watched;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService({}), openChromium()]);
  watched = await openPage(browser, service.url);
});
afterAll(async () => {
  await browser?.close();
  await service?.dispose();
});

const LIMIT_MS = 120_000;
const MOST_TABS = 80;
/** The name of the focused element: its label, else its text. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const label = element.labels?.[0]?.textContent;
  return (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim();
})()`;

/** Presses Tab until the element of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let n = 0; n < MOST_TABS; n += 1) {
    if ((await page.evaluate(FOCUSED)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${name}`);
}
/** Reaches it and presses Enter. */
async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

describe('the first run', () => {
  it(
    'leads to a finished call on the built-in carrier within two minutes, by keyboard alone',
    async () => {
      const { page, faults } = watched;
      await page.goto(await service.ownerLink());
      await page.getByLabel('Email').waitFor();
      await page.keyboard.type(OWNER.email);
      await page.keyboard.press('Tab');
      await page.keyboard.type(OWNER.password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Welcome' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Screen, action/ }).waitFor();
      await page.keyboard.type('assistants');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Demo: appointment confirmation', exact: true }).waitFor();
      await press(page, 'Demo: appointment confirmation');
      await page.getByRole('button', { name: 'Call', exact: true }).waitFor();
      await press(page, 'Call');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Call from').waitFor();
      await tabTo(page, 'Number with country code');
      await page.keyboard.type('+1 415 555 0123');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Priya');
      await inspect(page, 'assistant-call');
      await tabTo(page, 'Name of the person');
      await page.keyboard.press('Enter');
      const live = page.getByRole('region', { name: 'Live call' });
      await live.getByText('Maya').first().waitFor();
      await press(page, 'Hang up');
      await press(page, 'Hang up');
      await page.getByText('Ended by the workspace').first().waitFor();
      await page.getByRole('slider', { name: 'Place in the recording' }).waitFor();
      expect(new URL(page.url()).pathname).toMatch(/^\/calls\/[0-9a-f-]{36}$/);
      expect(faults).toEqual([]);
    },
    LIMIT_MS,
  );
});
