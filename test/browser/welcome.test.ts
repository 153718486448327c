import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspect, openPage, type Watched } from '../helpers/browser/chromium.ts';
import { openDashboard, OWNER, type Dashboard } from '../helpers/browser/dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard?.close());

/** The buttons and links that a person pressed on the way. */
const press = async (
  page: Watched['page'],
  role: 'button' | 'link',
  name: string | RegExp,
): Promise<void> => {
  presses += 1;
  await page.getByRole(role, { name }).click();
};
let presses = 0;

it('leads from a template to the live words of a first call in at most six decisions', async () => {
  const { page, faults } = dashboard.owner;
  await press(page, 'link', 'To do: Make a first call');
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  await inspect(page, 'welcome');
  await press(page, 'button', /^Appointment reminder/);
  await page.getByLabel('First words').waitFor();
  await inspect(page, 'welcome-assistant');
  await press(page, 'button', 'Create and try it');
  await page.getByRole('heading', { name: 'Appointment reminder is ready' }).waitFor();
  await page.getByRole('button', { name: 'Call in the browser' }).waitFor();
  await inspect(page, 'welcome-try');
  await press(page, 'button', 'Watch a test call');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Call', exact: true }).click();
  const live = page.getByRole('region', { name: 'Live call' });
  await live.getByText('Priya').first().waitFor();
  expect(presses + 1).toBeLessThanOrEqual(6);
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('link', { name: 'Done: Make a first call' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('First steps').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('Latest results').first().waitFor();
  expect(await page.getByText('First steps').count()).toBe(0);
  expect(faults).toEqual([]);
});

it('fits a phone', async () => {
  const phone = await openPage(dashboard.browser, dashboard.service.url, { width: 390, height: 844 });
  await phone.page.goto('/sign-in');
  await phone.page.getByLabel('Email').fill(OWNER.email);
  await phone.page.getByLabel('Password').fill(OWNER.password);
  await phone.page.getByRole('button', { name: 'Sign in' }).click();
  await phone.page.getByRole('heading', { name: 'Home', exact: true }).waitFor();
  await phone.page.goto('/welcome');
  await phone.page.getByRole('button', { name: /^Appointment reminder/ }).waitFor();
  await inspect(phone.page, 'phone-welcome');
  const most = phone.page.getByRole('navigation', { name: 'Most used' });
  await most.getByRole('link', { name: 'Calls', exact: true }).click();
  await phone.page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
  await phone.page.getByRole('button', { name: 'Filters' }).click();
  await phone.page.getByLabel('Callee number').waitFor();
  await inspect(phone.page, 'phone-calls-filters');
  await most.getByRole('button', { name: 'More' }).click();
  await phone.page.getByRole('link', { name: 'Campaigns' }).waitFor();
  expect(phone.faults).toEqual([]);
  await phone.context.close();
});
