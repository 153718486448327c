import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveBar } from '../helpers/browser/assistant.ts';
import { inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';

const DEMO = 'Demo: appointment confirmation';
const TYPED = 'Hello, this is Rita from City Dental.';

let dashboard: Dashboard;
let agentId: string;
beforeAll(async () => {
  dashboard = await openDashboard();
  const { agents } = (await dashboard.api('GET', '/agent/all')).body.data;
  agentId = agents[0].id;
});
afterAll(async () => {
  await dashboard?.close();
});

const opening = () => dashboard.owner.page.getByLabel('First message');
const openEditor = async (): Promise<void> => {
  const { page } = dashboard.owner;
  await page.goto(`/agents/${agentId}`);
  await page.getByRole('heading', { name: DEMO }).waitFor();
};

describe('the editor of an assistant', () => {
  it('asks before unsaved text is left, and marks the part and the group that have it', async () => {
    const { page } = dashboard.owner;
    await openEditor();
    const tab = page.getByRole('link', { name: 'Instructions' });
    expect(await tab.getByLabel('with unsaved changes').count()).toBe(0);
    await opening().fill(TYPED);
    await tab.getByLabel('with unsaved changes').waitFor();
    const group = page.getByRole('link', { name: 'Prompt' });
    await group.getByLabel('with unsaved changes').waitFor();
    await page.getByRole('link', { name: 'Voice', exact: true }).click();
    await tab.waitFor({ state: 'detached' });
    await group.getByLabel('with unsaved changes').waitFor();
    await inspect(page, 'assistant-unsaved');
    await page.getByRole('link', { name: 'Numbers', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByText('Opening').waitFor();
    await inspect(page, 'leave-unsaved');
    await question.getByRole('button', { name: 'Stay' }).click();
    expect(new URL(page.url()).pathname).toBe(`/agents/${agentId}`);
    await page.getByRole('link', { name: 'Numbers', exact: true }).click();
    await question.getByRole('button', { name: 'Leave, keep the text' }).click();
    await page.getByRole('heading', { name: 'Numbers' }).waitFor();
  });

  it('shows the text again with its time, also after a reload, until it is discarded', async () => {
    const { page } = dashboard.owner;
    await openEditor();
    await page.getByText(/Unsaved text of yours from \d\d:\d\d\./).waitFor();
    expect(await opening().inputValue()).toBe(TYPED);
    await inspect(page, 'assistant-restored');
    await page.reload();
    await page.getByText(/Unsaved text of yours from/).waitFor();
    expect(await opening().inputValue()).toBe(TYPED);
    await page.getByRole('button', { name: 'Discard the restored text' }).click();
    await expect.poll(() => opening().inputValue()).not.toBe(TYPED);
    await page.reload();
    await page.getByRole('heading', { name: DEMO }).waitFor();
    expect(await opening().inputValue()).not.toBe(TYPED);
    expect(await page.getByText(/Unsaved text of yours/).count()).toBe(0);
  });

  it('says that the stored text has changed since, and forgets the draft once it is saved', async () => {
    const { page } = dashboard.owner;
    await opening().fill(TYPED);
    const { version_id: versionId } = (await dashboard.api('GET', '/agent/all')).body.data.agents[0]
      .active_version;
    await dashboard.api('PATCH', '/agent/v1', {
      operation: 'edit_intro_message',
      agent_id: agentId,
      version_id: versionId,
      intro_message: 'Another text, from the API.',
    });
    await page.reload();
    await page.getByText('What is stored has changed since.').waitFor();
    await saveBar(page).getByRole('button', { name: 'Save', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Somebody else changed this meanwhile', exact: true });
    await question.getByRole('list', { name: 'What differs', exact: true }).waitFor();
    await question.locator('ins').first().waitFor();
    await question.getByRole('button', { name: 'Keep mine', exact: true }).click();
    await page.getByText('Opening: saved.').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: DEMO }).waitFor();
    expect(await opening().inputValue()).toBe(TYPED);
    expect(await page.getByText(/Unsaved text of yours/).count()).toBe(0);
  });

  it('asks the browser to hold a window that is closed with unsaved text', async () => {
    const { page } = dashboard.owner;
    await opening().fill('Half a sente');
    const asked = page.waitForEvent('dialog').then(async (dialog) => {
      const type = dialog.type();
      await dialog.accept();
      return type;
    });
    await page.goto('/numbers');
    expect(await asked).toBe('beforeunload');
    await openEditor();
    await page.getByRole('button', { name: 'Discard the restored text' }).click();
  });
});

describe('the other long forms', () => {
  it('keep a new assistant, and forget it once it is created or discarded', async () => {
    const { page } = dashboard.owner;
    await page.goto('/agents/new');
    await page.getByLabel('Name of the assistant').fill('Rita');
    await page.reload();
    await page.getByText(/Unsaved text of yours from/).waitFor();
    expect(await page.getByLabel('Name of the assistant').inputValue()).toBe('Rita');
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('button', { name: 'Discard and leave' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.goto('/agents/new');
    expect(await page.getByLabel('Name of the assistant').inputValue()).toBe('');
  });

  it('keep a tool without the secrets of its headers', async () => {
    const { page } = dashboard.owner;
    await page.goto(`/agents/${agentId}?tab=tools`);
    await page.getByRole('button', { name: 'Add a tool before the call' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the tool').fill('find_slots');
    await dialog.getByRole('button', { name: /Add header/i }).click();
    await dialog
      .getByLabel(/^Header/)
      .first()
      .fill('Authorization');
    await dialog
      .getByLabel(/^Value/)
      .first()
      .fill('Bearer secret-of-the-shop');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add a tool before the call' }).click();
    await dialog.getByText(/Unsaved text of yours from/).waitFor();
    expect(await dialog.getByLabel('Name of the tool').inputValue()).toBe('find_slots');
    const kept = await page.evaluate('JSON.stringify(localStorage)');
    expect(kept).toContain('find_slots');
    expect(kept).not.toContain('secret-of-the-shop');
    await dialog.getByRole('button', { name: 'Discard the restored text' }).click();
    await expect.poll(() => dialog.getByLabel('Name of the tool').inputValue()).toBe('');
    await page.keyboard.press('Escape');
  });

  it('keep a new test case, knowledge base and campaign', async () => {
    const { page } = dashboard.owner;
    await page.goto(`/agents/${agentId}?tab=tests`);
    await page.getByRole('button', { name: 'New test case' }).first().click();
    await page.getByLabel('What the caller says').fill('Yes, ten is fine.');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New test case' }).first().click();
    await expect.poll(() => page.getByLabel('What the caller says').inputValue()).toBe('Yes, ten is fine.');
    await page.goto('/knowledge');
    await page.getByLabel('Addresses of web pages, one a line').fill('https://example.com/prices');
    await page.reload();
    await page.getByText('Choose the files again.').waitFor();
    expect(await page.getByLabel('Addresses of web pages, one a line').inputValue()).toBe(
      'https://example.com/prices',
    );
    await page.goto('/campaigns/new');
    await page.getByLabel('Name of the campaign').fill('Spring');
    await page.reload();
    await page.getByText('Choose the file again.').waitFor();
    expect(await page.getByLabel('Name of the campaign').inputValue()).toBe('Spring');
    expect(dashboard.owner.faults).toEqual([]);
  });
});
