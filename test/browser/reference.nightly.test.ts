import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '../helpers/browser/axe.ts';
import { checkWidth, openPage, RULES, type Watched } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';

let dashboard: Dashboard;
let key: string;
let reader: Watched;
beforeAll(async () => {
  dashboard = await openDashboard();
  key = await dashboard.service.ownKey();
  // Nobody is signed in: the reference needs no session.
  reader = await openPage(dashboard.browser, dashboard.service.url);
});
afterAll(async () => {
  await dashboard?.close();
});

const list = () => reader.page.getByRole('navigation', { name: 'Main' });
const operation = (id: string) => reader.page.locator(`[id^="operations-"][id$="-${id}"]`);

/** Checks the page in both themes. Swagger UI has a link within the button that opens an operation; the rest is ours. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const theme of ['dark', 'light']) {
    await page.locator('html').evaluate((html, wanted) => html.setAttribute('data-theme', wanted), theme);
    await checkWidth(page, `${name}-${theme}`);
    const found = await violationsOf(page, { runOnly: theme === 'dark' ? ['color-contrast'] : RULES });
    const ours = found.filter((line) => !line.startsWith('nested-interactive: '));
    expect(ours, `${name} in the ${theme} theme`).toEqual([]);
  }
}

describe('the API reference', () => {
  it('has the look of the dashboard, a way back, and a list of all operations', async () => {
    const { page } = reader;
    await page.goto('/docs');
    await list().getByRole('link', { name: 'Calling' }).waitFor();
    await list().getByRole('link', { name: 'Agents' }).click();
    await operation('createAgent').waitFor();
    expect(await page.getByRole('link', { name: 'Back to the dashboard' }).getAttribute('href')).toBe('/');
    const face = await page
      .locator('.opblock-summary-description')
      .first()
      .evaluate((node: any) => node.ownerDocument.defaultView.getComputedStyle(node).fontFamily);
    expect(face).toContain('Geist');
    const document: any = await (await page.request.get('/docs/json')).json();
    const tags = document.tags.map(({ name }: { name: string }) => name);
    const names = await list().getByRole('link').allInnerTexts();
    expect(names.map((name) => name.replace(/\s*\d+$/, ''))).toEqual(tags);
    await inspect(page, 'reference');
  });

  it('follows the theme that the dashboard has in this browser', async () => {
    const { page } = reader;
    const shown = () => page.locator('html').getAttribute('data-theme');
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.getByLabel('Theme').selectOption('dark');
    await expect.poll(shown).toBe('dark');
    await expect.poll(ground).not.toBe(light);
    await page.reload();
    await page.locator('.opblock-tag').first().waitFor();
    await expect.poll(shown).toBe('dark');
    await page.getByLabel('Theme').selectOption('system');
    await expect.poll(shown).toBe('light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(shown).toBe('dark');
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('finds an operation and opens it, by the keyboard alone', async () => {
    const { page } = reader;
    await page.keyboard.press('Tab');
    await page.getByRole('searchbox', { name: 'Find an operation' }).focus();
    await page.keyboard.type('voices optionally');
    const link = list().getByRole('link', { name: /^Voices, optionally/ });
    await link.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await link.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await operation('listVoices').locator('.opblock-body').waitFor();
    expect(new URL(page.url()).hash).toMatch(/\/listVoices$/);
    await inspect(page, 'reference-operation');
    await page.getByRole('searchbox').fill('nothing of it');
    await page.getByText('No operation has these words.').waitFor();
    await page.getByRole('searchbox').fill('');
  });

  it('sends a request with the key that the reader gives it', async () => {
    const { page } = reader;
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const sheet = page.locator('.modal-ux');
    await sheet.waitFor();
    await inspect(page, 'reference-key');
    const of = sheet.locator('.auth-container').filter({ hasText: 'apiKey (apiKey)' });
    await of.getByRole('textbox').fill(key);
    await of.locator('button.authorize').click();
    await sheet.getByRole('button', { name: 'Close', exact: true }).last().click();
    const opened = operation('listVoices');
    await opened.getByRole('button', { name: 'Try it out' }).click();
    const answered = page.waitForResponse((response) => response.url().includes('/api/v0/'));
    await opened.getByRole('button', { name: 'Execute' }).click();
    const answer = await answered;
    expect(answer.status()).toBe(200);
    expect(await answer.request().headerValue('x-api-key')).toBe(key);
    await opened.locator('.live-responses-table').getByText('200').first().waitFor();
    await inspect(page, 'reference-answer');
  });

  it('fits a phone, with the list behind a button', async () => {
    const phone = await openPage(dashboard.browser, dashboard.service.url, { width: 390, height: 844 });
    await phone.page.goto('/docs#/Calling');
    await phone.page.locator('.opblock').first().waitFor();
    await inspect(phone.page, 'reference-phone');
    await phone.page.getByRole('button', { name: 'Menu' }).click();
    await phone.page.getByRole('link', { name: 'Back to the dashboard' }).waitFor();
    expect(phone.faults).toEqual([]);
    await phone.context.close();
  });

  it('leads back to the sign-in, loads nothing from elsewhere and breaks no policy', async () => {
    const { page } = reader;
    await page.getByRole('link', { name: 'Back to the dashboard' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(reader.faults).toEqual([]);
  });
});
