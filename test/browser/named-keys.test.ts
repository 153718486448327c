import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { openPlace } from '../helpers/browser/places.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard?.close());

const read = async (key: string, path: string): Promise<number> =>
  (await fetch(`${dashboard.service.url}/api/v0${path}`, { headers: { 'x-api-key': key } })).status;

it('an owner makes a named key, which is shown once, opens its scopes alone and ends when it is revoked', async () => {
  const { page } = dashboard.owner;
  await openPlace(page, 'API keys');
  await page.getByText('No named key yet.').waitFor();
  await page.getByRole('button', { name: 'New named key' }).click();
  const dialog = page.getByRole('dialog');
  const make = dialog.getByRole('button', { name: 'Make key' });
  await dialog.getByLabel('Name').fill('Reporting');
  expect(await make.isDisabled()).toBe(true);
  await dialog.getByLabel('Read calls, recordings and transcripts').check();
  await dialog.getByLabel('Last day').fill('2999-06-30');
  await dialog.getByLabel('Addresses').fill('127.0.0.0/8, ::1');
  await inspect(page, 'named-key-dialog');
  await make.click();

  const shown = page.getByRole('status').filter({ hasText: 'never shown again' });
  const key = (await shown.locator('code').textContent()) ?? '';
  expect(key).toMatch(/^cw_key_\w{32}$/);
  const row = page.getByRole('table', { name: 'Named keys' }).getByRole('row', { name: /Reporting/ });
  await row.getByText(`cw_key_••••${key.slice(-4)}`).waitFor();
  await row.getByText('calls:read').waitFor();
  await row.getByText('127.0.0.0/8, ::1').waitFor();
  expect(await row.textContent()).toContain('2999');
  await inspect(page, 'named-keys');

  await shown.getByRole('button', { name: 'I stored it' }).click();
  await shown.waitFor({ state: 'detached' });
  await page.reload();
  await row.waitFor();
  expect(await page.content()).not.toContain(key);

  expect(await read(key, '/calling/history')).toBe(200);
  expect(await read(key, '/agent/all')).toBe(403);

  await row.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('No named key yet.').waitFor();
  expect(await read(key, '/calling/history')).toBe(401);
});

it('a key whose last day has passed, or whose range is none, is refused with the field', async () => {
  const { page } = dashboard.owner;
  await page.getByRole('button', { name: 'New named key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Late');
  await dialog.getByLabel('Read analytics').check();
  await dialog.getByLabel('Last day').fill('2020-01-01');
  await dialog.getByRole('button', { name: 'Make key' }).click();
  await dialog
    .getByText(/expires_at/)
    .first()
    .waitFor();
  await dialog.getByLabel('Last day').fill('');
  await dialog.getByLabel('Addresses').fill('the office');
  await dialog.getByRole('button', { name: 'Make key' }).click();
  await dialog
    .getByText(/allowed_addresses/)
    .first()
    .waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('No named key yet.').waitFor();
  expect(await page.getByRole('table', { name: 'Named keys' }).count()).toBe(0);
});
