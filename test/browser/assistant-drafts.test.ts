import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeMessage, inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';

let dashboard: Dashboard;
let agentId: string;
beforeAll(async () => {
  dashboard = await openDashboard();
  const { voices } = (await dashboard.api('GET', '/agent/voices')).body;
  const made = await dashboard.api('POST', '/public/agent', {
    agent_name: 'Reminder',
    introduction_and_objective: 'Confirm the visit.',
    response_guidelines: 'Short sentences.',
    task: 'Ask whether Tuesday suits.',
    primary_language: 'en-US',
    voice_id: voices.find((voice: any) => voice.languages.includes('en-US')).id,
    intro_message: 'Hello, this is Asha.',
  });
  if (made.status !== 200) throw new Error(`the assistant was not created: ${made.status}`);
  agentId = made.body.data.id;
});
afterAll(() => dashboard?.close());

const live = async (): Promise<any> => {
  const { agents } = (await dashboard.api('GET', `/agent/${agentId}`)).body;
  return agents.version_details[agents.active_agent_version_id];
};
const saveGreeting = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'First message' }).fill(text);
  await page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Opening', exact: true }) })
    .getByRole('button', { name: 'Save', exact: true })
    .click();
  await closeMessage(page, 'Opening: saved.');
};

it('an assistant is changed in a draft, published with a note and rolled back', async () => {
  const { page } = dashboard.owner;
  await page.goto(`/agents/${agentId}`);
  await page.getByRole('heading', { name: 'Reminder', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Edit in a draft', exact: true }).click();
  const bar = page.getByRole('region', { name: 'Draft', exact: true });
  await bar.getByText('Draft, 0 changes not live').waitFor();
  await page.getByText('No call uses the draft until you publish it.').waitFor();
  await saveGreeting(page, 'Good morning, this is Asha.');
  await bar.getByText('Draft, 1 change not live').waitFor();
  await inspect(page, 'assistant-draft');
  expect((await live()).agent_config.intro_message).toBe('Hello, this is Asha.');

  await bar.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const changes = dialog.getByRole('list', { name: 'What the draft changes' });
  await changes.getByText('agent_config.intro_message').waitFor();
  expect(await changes.locator('del').allInnerTexts()).toEqual(['Hello,']);
  expect(await changes.locator('ins').allInnerTexts()).toEqual(['Good morning,']);
  await dialog.getByLabel('Note').fill('Warmer greeting');
  await inspect(page, 'assistant-publish');
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await closeMessage(page, 'New calls use v2.');
  await page.getByRole('button', { name: 'Edit in a draft', exact: true }).waitFor();
  expect(await live()).toMatchObject({
    version_slug: 'v2',
    agent_config: { intro_message: 'Good morning, this is Asha.' },
  });

  await page.getByRole('link', { name: 'History', exact: true }).click();
  const history = page.getByRole('region', { name: 'History', exact: true });
  await history.getByText('Warmer greeting').waitFor();
  await history.getByRole('button', { name: 'Difference to v1', exact: true }).click();
  await dialog.getByText('agent_config.intro_message').waitFor();
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await history.getByRole('button', { name: 'Roll back to v1', exact: true }).click();
  await dialog.getByRole('button', { name: 'Roll back', exact: true }).click();
  await closeMessage(page, 'New calls use v3.');
  await history.getByText('Back to v1').waitFor();
  await inspect(page, 'assistant-history');
  expect((await live()).agent_config.intro_message).toBe('Hello, this is Asha.');
});

it('a draft over an active version that moved shows both sides before it replaces it', async () => {
  const { page } = dashboard.owner;
  await page.goto(`/agents/${agentId}`);
  await page.getByRole('button', { name: 'Edit in a draft', exact: true }).click();
  await page.getByText('No call uses the draft until you publish it.').waitFor();
  await saveGreeting(page, 'From the draft.');
  const edited = await dashboard.api('PATCH', '/agent/v1', {
    operation: 'edit_intro_message',
    agent_id: agentId,
    intro_message: 'From a script.',
  });
  expect(edited.status).toBe(200);
  const bar = page.getByRole('region', { name: 'Draft', exact: true });
  await bar.getByText('the active version was changed meanwhile').waitFor();
  await bar.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Both changed: agent_config.intro_message.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await bar.getByRole('button', { name: 'Discard the draft', exact: true }).click();
  await dialog.getByRole('button', { name: 'Discard the draft', exact: true }).click();
  await closeMessage(page, 'The draft is discarded.');
  await page.getByRole('button', { name: 'Edit in a draft', exact: true }).waitFor();
  await page.getByText('New calls use this version.').waitFor();
  const shown = page.getByRole('textbox', { name: 'First message' });
  await expect.poll(() => shown.inputValue(), { timeout: 30_000 }).toBe('From a script.');
  expect((await live()).agent_config.intro_message).toBe('From a script.');
});
