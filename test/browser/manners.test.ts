import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeOpenAiServer, type FakeOpenAiServer } from '../helpers/openai-server.ts';
import { saveSection } from '../helpers/browser/assistant.ts';
import { inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { openUserMenu } from '../helpers/browser/places.ts';
import { callPhone, fillValue, testPanel } from '../helpers/browser/try-it.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

let dashboard: Dashboard;
let model: FakeOpenAiServer;
let agent: { id: string };
let active: string;
beforeAll(async () => {
  model = await startFakeOpenAiServer([{ text: 'Yes.' }]);
  dashboard = await openDashboard({ SAFE_FETCH_ALLOW: LOOPBACK_OPEN });
  agent = (await dashboard.api('GET', '/agent/all')).body.data.agents[0];
  active = (await dashboard.api('GET', `/agent/${agent.id}`)).body.agents.active_agent_version_id;
});
afterAll(async () => {
  await dashboard?.close();
  await model?.close();
});
const version = async (): Promise<any> =>
  (await dashboard.api('GET', `/agent/${agent.id}`)).body.agents.version_details[active];

describe('the shell', () => {
  it('follows the theme of the system while the page is open, and keeps a chosen one', async () => {
    const { page } = dashboard.owner;
    const shown = (): Promise<string | null> => page.locator('html').getAttribute('data-theme');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(shown).toBe('dark');
    await openUserMenu(page);
    await page.getByLabel('Theme').selectOption('light');
    await expect.poll(shown).toBe('light');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByLabel('Theme').selectOption('dark');
    await expect.poll(shown).toBe('dark');
    await page.reload();
    await expect.poll(shown).toBe('dark');
    await openUserMenu(page);
    await page.getByLabel('Theme').selectOption('system');
    await page.keyboard.press('Escape');
    await expect.poll(shown).toBe('light');
  });

  it('shows whole tables on a tablet, with the navigation behind a button', async () => {
    const { page } = dashboard.owner;
    const before = page.viewportSize();
    await page.setViewportSize({ width: 820, height: 1180 });
    await page.goto('/calls');
    await page.getByRole('button', { name: 'Menu' }).waitFor();
    const main = await page.locator('main').boundingBox();
    expect(main?.width).toBeGreaterThan(800);
    await inspect(page, 'calls-tablet');
    if (before !== null) await page.setViewportSize(before);
  });
});

describe('a dialog', () => {
  it('gives the focus back to the button that opened it, by its own buttons and by Escape', async () => {
    const { page } = dashboard.owner;
    await page.goto('/agents');
    const opener = page.getByRole('button', { name: 'Import', exact: true });
    const dialog = page.getByRole('dialog', { name: 'Import an assistant' });
    for (const out of ['Cancel', 'Escape']) {
      await opener.focus();
      await page.keyboard.press('Enter');
      await dialog.waitFor();
      if (out === 'Escape') await page.keyboard.press('Escape');
      else await dialog.getByRole('button', { name: out, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => opener.and(page.locator(':focus')).count()).toBe(1);
    }
  });

  it('that asks a question gives it back to the menu whose entry opened it', async () => {
    const { page } = dashboard.owner;
    await page.goto(`/agents/${agent.id}`);
    const menu = page.getByLabel('More actions', { exact: true });
    await menu.click();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => menu.and(page.locator(':focus')).count()).toBe(1);
  });

  it('at the lower edge of a phone gives it back to the button of the filters', async () => {
    const { page } = dashboard.owner;
    const before = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/calls');
    const opener = page.getByRole('button', { name: 'Filters', exact: true });
    await opener.click();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.getByRole('button', { name: 'Show the list', exact: true }).click();
    await sheet.waitFor({ state: 'detached' });
    await expect.poll(() => opener.and(page.locator(':focus')).count()).toBe(1);
    if (before !== null) await page.setViewportSize(before);
  });
});

describe('the columns menu', () => {
  it('closes with Escape and with a press elsewhere', async () => {
    const { page } = dashboard.owner;
    await page.goto('/calls');
    const box = page.getByLabel('Your number', { exact: true });
    await page.getByText('Columns', { exact: true }).click();
    await box.waitFor();
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    await page.getByText('Columns', { exact: true }).click();
    await box.waitFor();
    await page.getByRole('heading', { name: 'Calls', exact: true }).click();
    await box.waitFor({ state: 'detached' });
    expect(await box.count()).toBe(0);
  });
});

describe('a new campaign', () => {
  it('refuses a workbook by name, and says how to save it', async () => {
    const { page } = dashboard.owner;
    await page.goto('/campaigns/new');
    await page.getByLabel('File').setInputFiles({
      name: 'people.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: Buffer.from('PK\u0003\u0004 not really'),
    });
    await page.getByText(/people\.xlsx is a workbook .* then CSV/).waitFor();
    expect(await page.getByRole('heading', { name: 'Columns' }).count()).toBe(0);
  });

  it('shows which steps are complete, and leads to the section of each', async () => {
    const { page } = dashboard.owner;
    await page.goto('/campaigns/new');
    const steps = page.getByRole('navigation', { name: 'Steps to a new campaign' });
    await steps.getByRole('link', { name: /^Done: Who calls/ }).waitFor();
    await steps.getByRole('link', { name: /^To do: List/ }).waitFor();
    await steps.getByText('When it calls').waitFor();
    expect(await steps.getByRole('link', { name: /When it calls/ }).count()).toBe(0);
    await page.getByLabel('File').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Phone,Name\n+14155550101,Asha'),
    });
    await steps.getByRole('link', { name: /^Done: List/ }).waitFor();
    await steps.getByText('people.csv', { exact: true }).waitFor();
    await steps.getByRole('link', { name: /^Done: When it calls/ }).waitFor();
    await page.getByLabel('Retries of each contact').fill('');
    await steps.getByRole('link', { name: /^To do: When it calls/ }).click();
    await page.getByLabel('Calls from').and(page.locator(':focus')).waitFor();
    await inspect(page, 'campaign-new-steps');
    await page.getByLabel('Retries of each contact').fill('2');
    await page.getByLabel('Phone number').selectOption('');
    await steps.getByRole('link', { name: /^To do: List/ }).click();
    await page.getByLabel('File', { exact: true }).and(page.locator(':focus')).waitFor();
  });
});

describe('an assistant', () => {
  it('takes any language of a new assistant on the Voice tab, and names Odia', async () => {
    const { page } = dashboard.owner;
    await page.goto(`/agents/${agent.id}?tab=voice`);
    const language = page.getByLabel('Language', { exact: true });
    await language.waitFor();
    const offered = await language.locator('option').allTextContents();
    expect(offered).toHaveLength(17);
    expect(offered.join(' ')).toContain('Odia');
    await language.selectOption('en-GB');
    const card = page.locator('form').filter({ has: language });
    await card.getByRole('radio').first().check();
    await saveSection(page, 'Voice');
    expect((await version()).language).toBe('en-GB');
  });

  it('warns of undeclared variables before a version is activated', async () => {
    const { page } = dashboard.owner;
    const made = await dashboard.api('PATCH', '/agent/v1', {
      operation: 'create_version',
      agent_id: agent.id,
      version_id: active,
    });
    expect(made.status).toBe(200);
    const { version_details: versions } = (await dashboard.api('GET', `/agent/${agent.id}`)).body.agents;
    const copy = Object.keys(versions).find((id) => id !== active);
    await dashboard.api('PATCH', '/agent/v1', {
      operation: 'edit_intro_message',
      agent_id: agent.id,
      version_id: copy,
      intro_message: 'It is {{clock}}.',
    });
    await page.goto(`/agents/${agent.id}?tab=versions`);
    await page.getByRole('button', { name: 'Activate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('alert').getByText('clock').waitFor();
    await inspect(page, 'activate-undeclared');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await dashboard.api('GET', `/agent/${agent.id}`)).body.agents.active_agent_version_id).toBe(
      active,
    );
  });

  it('hands the test values to every call of a phone', async () => {
    const { page } = dashboard.owner;
    await page.goto(`/agents/${agent.id}?test=true`);
    await fillValue(page, 'callee_name', 'Asha Rao');
    const dialog = await callPhone(page);
    await expect.poll(() => dialog.getByLabel('Name of the person').inputValue()).toBe('Asha Rao');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await testPanel(page).getByRole('button', { name: 'Close the test' }).click();
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await expect.poll(() => dialog.getByLabel('Name of the person').inputValue()).toBe('Asha Rao');
    await page.keyboard.press('Escape');
  });
});

describe('the account of a vendor', () => {
  it('is put to use with one press after its key was saved, and calls say when they are offline', async () => {
    const { page } = dashboard.owner;
    await page.goto('/');
    await page.getByText('Calls use the offline engines of this machine').waitFor();
    await page.getByRole('link', { name: 'Set up a vendor' }).click();
    await page.getByRole('button', { name: 'Set up openai-compatible' }).click();
    await page.getByRole('dialog').getByLabel('Key').fill('sk-live-0123456789abcdef');
    await page.getByRole('dialog').getByLabel('Address').fill(model.baseUrl);
    await page.getByRole('dialog').getByLabel('Language model').fill('own-model');
    await page.getByRole('button', { name: 'Save account' }).click();
    const use = page.getByRole('group', { name: 'Use of openai-compatible' });
    await use.getByText('Key works.').waitFor();
    expect(await use.innerText()).toMatch(/Key works\. No call uses openai-compatible for this yet/i);
    await use
      .getByText(/did not work/)
      .first()
      .waitFor();
    await expect.poll(() => use.getByLabel('Thinks').isChecked()).toBe(true);
    await inspect(page, 'providers-use');
    await use.getByRole('button', { name: 'Use openai-compatible' }).click();
    await page.getByText('Calls that start from now use openai-compatible.').waitFor();
    const { providers } = (await dashboard.api('GET', '/workspace/providers')).body;
    expect(providers.llm).toEqual(['openai-compatible']);
    expect(providers.in_use.llm).toEqual(['openai-compatible']);
  });
});

describe('the delivery of a test event', () => {
  it('has no link to a call, since there is none', async () => {
    const { page } = dashboard.owner;
    await page.route('**/webhooks/deliveries/**', async (route) =>
      route.fulfill({
        json: {
          delivery: {
            delivery_id: 'd',
            event_id: 'e',
            event_type: 'call_completed',
            call_id: agent.id,
            is_test: true,
            state: 'failed',
            callback_url: 'https://example.com',
            attempt_count: 1,
            last_status: null,
            last_error: 'dns',
            created_at: '2026-01-05T09:00:00Z',
            next_attempt_at: null,
            attempts: [],
            request: { method: 'POST', url: 'https://example.com', headers: {}, body: {} },
          },
        },
      }),
    );
    await page.goto('/webhooks/d');
    await page.getByText('A test event has no call.').waitFor();
    await page.unrouteAll();
    expect(dashboard.owner.faults).toEqual([]);
  });
});
