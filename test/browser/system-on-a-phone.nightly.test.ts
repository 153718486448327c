import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspect, openPage, type Watched } from '../helpers/browser/chromium.ts';
import { openDashboard, OWNER, type Dashboard } from '../helpers/browser/dashboard.ts';

const [WIDTH, HEIGHT] = [390, 844];
let dashboard: Dashboard;
let phone: Watched;

// Without a provision file the first owner is an operator.
beforeAll(async () => {
  dashboard = await openDashboard();
  phone = await openPage(dashboard.browser, dashboard.service.url, { width: WIDTH, height: HEIGHT });
  const { page } = phone;
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Home', exact: true }).waitFor();
}, 400_000);
afterAll(() => dashboard?.close());

/** Cells of tables that hold several lines in less than half of the window. */
const narrowValues = (page: Page): Promise<string[]> =>
  page.locator('td[data-title] > div').evaluateAll(
    (cells, most) =>
      cells.flatMap((cell) => {
        const { width, height } = cell.getBoundingClientRect();
        return height > 60 && width < most ? [`${Math.round(width)} px: ${cell.textContent}`] : [];
      }),
    WIDTH / 2,
  );

it('the page System has its parts in tabs on a phone, and values that are wide enough to read', async () => {
  const { page, faults } = phone;
  await page.goto('/settings/system');
  const parts = page.getByRole('tablist', { name: 'Parts of the page' });
  const whole = [
    ['State', page.getByRole('heading', { name: 'Checks' })],
    ['Speech on this machine', page.getByRole('heading', { name: 'Not on this machine' })],
    ['Providers', page.getByText(/offline parts/)],
    ['Configuration', page.getByRole('table', { name: 'Settings' })],
  ] as const;
  for (const [name, content] of whole) {
    await parts.getByRole('tab', { name, exact: true }).click();
    await content.first().waitFor();
    await inspect(page, `phone-system-${name.toLowerCase().replaceAll(' ', '-')}`);
    expect(await narrowValues(page), `narrow values of ${name}`).toEqual([]);
    const height = await page.locator('html').evaluate((html) => html.scrollHeight);
    expect(height, `the height of ${name}`).toBeLessThanOrEqual(10 * HEIGHT);
  }
  const settings = page.getByRole('table', { name: 'Settings' }).locator('tbody tr');
  await expect.poll(() => settings.count()).toBe(20);
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  await expect.poll(() => settings.count()).toBeGreaterThan(20);
  await page.getByLabel('Find a setting').fill('rtp_ports');
  await page.getByText('RTP_PORTS', { exact: true }).waitFor();
  expect(faults).toEqual([]);
}, 240_000);

it('shows the models of the machine on a phone, and those that it lacks folded by part', async () => {
  const { page, faults } = phone;
  await page.goto('/settings/system');
  await page.getByRole('tab', { name: 'Speech on this machine', exact: true }).click();
  await page.getByText('No model is installed.').waitFor();
  const height = await page.locator('html').evaluate((html) => html.scrollHeight);
  expect(height, 'the height before a part is opened').toBeLessThanOrEqual(2 * HEIGHT);
  const ears = page.getByRole('list', { name: 'Recogniser', exact: true });
  expect(await ears.isVisible()).toBe(false);
  await page.locator('summary').filter({ hasText: 'Recogniser' }).click();
  await ears.getByRole('button', { name: 'Download vosk-small-en-us' }).waitFor();
  await inspect(page, 'phone-system-recognisers');
  expect(faults).toEqual([]);
}, 240_000);
