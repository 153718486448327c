import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeOpenAiServer, type FakeOpenAiServer } from '../../src/providers/fake/openai-server.ts';
import { inspect, openPage } from '../helpers/chromium.ts';
import { openDashboard, OWNER, type Dashboard } from '../helpers/dashboard.ts';

const KEY = 'sk-live-0123456789abcdef';
let dashboard: Dashboard;
let model: FakeOpenAiServer;
beforeAll(async () => {
  model = await startFakeOpenAiServer([{ text: 'Yes.' }]);
  dashboard = await openDashboard({ SAFE_FETCH_ALLOW: '127.0.0.1' });
});
afterAll(async () => {
  await dashboard?.close();
  await model?.close();
});

const stored = async (): Promise<any> => (await dashboard.api('GET', '/workspace/providers')).body.providers;

describe('providers', () => {
  it('take the account of a vendor, show its key masked and try it', async () => {
    const { page } = dashboard.owner;
    await page.getByRole('link', { name: 'Providers' }).click();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await inspect(page, 'providers-empty');
    await page.getByRole('button', { name: 'Set up openai-compatible' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Key').fill(KEY);
    await dialog.getByLabel('Address').fill(model.baseUrl);
    await dialog.getByLabel('Language model').fill('own-model');
    await inspect(page, 'providers-account');
    await dialog.getByRole('button', { name: 'Save account' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('••••••••cdef').waitFor();
    expect(await page.content()).not.toContain(KEY);
    await page.getByRole('button', { name: 'Test openai-compatible, model' }).click();
    await page.getByText('Works', { exact: true }).waitFor();
    expect(model.requests.at(-1)?.authorization).toBe(`Bearer ${KEY}`);
    await page.getByRole('button', { name: 'Test openai-compatible, recognition' }).click();
    await page.getByText('Fails', { exact: true }).waitFor();
    await inspect(page, 'providers');
  });

  it('put vendors in an order for the workspace, and give it back to the installation', async () => {
    const { page } = dashboard.owner;
    const card = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Model', exact: true }) });
    await card.getByLabel('As the installation has it').uncheck();
    await card.getByLabel('Add to model by').selectOption('offline');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('Saved.').waitFor();
    expect((await stored()).llm).toEqual(['openai-compatible', 'offline']);
    await card.getByRole('button', { name: 'Move offline up' }).click();
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('which must come last').waitFor();
    await card.getByLabel('As the installation has it').check();
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('Saved.').waitFor();
    expect((await stored()).llm).toBeNull();
  });

  it('lose an account after a question, and read on a phone', async () => {
    const { page, faults } = dashboard.owner;
    await page.getByRole('button', { name: 'Remove openai-compatible' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove account' }).click();
    await page.getByText('••••••••cdef').waitFor({ state: 'detached' });
    expect((await stored()).vendors).toEqual({});
    const phone = await openPage(dashboard.browser, dashboard.service.url, { width: 390, height: 844 });
    await phone.page.goto('/settings/providers');
    await phone.page.getByLabel('Email').fill(OWNER.email);
    await phone.page.getByLabel('Password').fill(OWNER.password);
    await phone.page.getByRole('button', { name: 'Sign in' }).click();
    await phone.page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await inspect(phone.page, 'phone-providers');
    expect([...faults, ...phone.faults]).toEqual([]);
    await phone.context.close();
  });
});
