import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishDraft, saveSection } from '../helpers/browser/assistant.ts';
import { inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { openPlace } from '../helpers/browser/places.ts';
import { createAgent, provisionWith } from '../helpers/service/scenario.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard({}, [], provisionWith({ credits: 'unlimited' }));
});
afterAll(() => dashboard?.close());

const children = async (): Promise<any[]> =>
  (await dashboard.api('GET', '/workspace/sub')).body.sub_workspaces;

describe('a child workspace on the dashboard', () => {
  it('gets a number of its parent, gives it back, is archived and restored', async () => {
    expect((await dashboard.api('POST', '/workspace/sub', { name: 'Client A' })).status).toBe(200);
    const { page, faults } = dashboard.owner;
    await openPlace(page, 'Child workspaces');
    await page.getByRole('button', { name: 'Move numbers of Client A' }).click();
    await page.getByLabel('+14155550100').check();
    await inspect(page, 'child-workspace-numbers');
    await page.getByRole('button', { name: 'Give numbers' }).click();
    await page.getByRole('group', { name: 'Numbers of Client A' }).getByLabel('+14155550100').check();
    expect(await children()).toMatchObject([{ numbers: [{ number: '+14155550100' }] }]);
    await page.getByRole('button', { name: 'Take numbers back' }).click();
    await page.getByText('It has no numbers.').waitFor();
    expect(await children()).toMatchObject([{ numbers: [] }]);
    await page.getByRole('button', { name: 'Close', exact: true }).click();

    await page.getByRole('button', { name: 'Archive Client A' }).click();
    await page.getByLabel('Type the name of the child workspace').fill('Client A');
    await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click();
    const restore = page.getByRole('button', { name: 'Restore Client A' });
    await restore.waitFor();
    await inspect(page, 'child-workspace-archived');
    expect(await children()).toMatchObject([{ archived_at: expect.any(String) }]);
    await restore.click();
    await page.getByRole('button', { name: 'Archive Client A' }).waitFor();
    expect(await children()).toMatchObject([{ archived_at: null }]);
    expect(faults).toEqual([]);
  });

  it('the assistant of a web page takes only sessions of the server after a click', async () => {
    const id = await createAgent(dashboard.service, { agent_name: 'Web desk' });
    const { page, faults } = dashboard.owner;
    await page.goto(`${dashboard.service.url}/agents/${id}?tab=browser`);
    const card = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Sessions of web pages' }) });
    await card.getByLabel('Only your server begins calls').check();
    await card.getByLabel('Pages with the public key may set every variable').uncheck();
    await card.getByLabel('Another variable').fill('callee_name');
    await card.getByRole('button', { name: 'Add variable' }).click();
    await saveSection(page, 'Sessions of web pages');
    await publishDraft(page, 'v2');
    await expect
      .poll(async () => JSON.stringify((await dashboard.api('GET', `/agent/${id}`)).body))
      .toContain('"web_sessions":{"require_session":true,"page_variables":["callee_name"]}');
    expect(faults).toEqual([]);
  });
});
