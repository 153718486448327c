import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { editedVersion, openPart, saveBar, saveSection } from '../helpers/browser/assistant.ts';
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
const edited = (): Promise<any> => editedVersion(dashboard, agentId);
const greeting = (page: Page) => page.getByRole('textbox', { name: 'First message' });
const saveGreeting = async (page: Page, text: string): Promise<void> => {
  await greeting(page).fill(text);
  await saveSection(page, 'Opening');
};
const draftBar = (page: Page) => page.getByRole('region', { name: 'Draft', exact: true });
const openAssistant = async (page: Page): Promise<void> => {
  await page.goto(`/agents/${agentId}`);
  await page.getByRole('heading', { name: 'Reminder', exact: true }).waitFor();
  await greeting(page).waitFor();
};

it('an assistant is changed in a draft, published with a note and rolled back', async () => {
  const { page } = dashboard.owner;
  await openAssistant(page);
  await page.getByText('What you save goes to a draft', { exact: false }).waitFor();
  const bar = draftBar(page);
  await saveGreeting(page, 'Good morning, this is Asha.');
  await page.getByText('No call uses the draft until you publish it.').waitFor();
  await bar.getByText('Draft, 1 change not live').waitFor();
  await inspect(page, 'assistant-draft');
  expect((await live()).agent_config.intro_message).toBe('Hello, this is Asha.');

  await bar.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const changes = dialog.getByRole('list', { name: 'What the draft changes' });
  await changes.getByText('First message').first().waitFor();
  expect(await changes.locator('del').allInnerTexts()).toEqual(['Hello,']);
  expect(await changes.locator('ins').allInnerTexts()).toEqual(['Good morning,']);
  await dialog.getByLabel('Note').fill('Warmer greeting');
  await inspect(page, 'assistant-publish');
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await closeMessage(page, 'New calls use v2.');
  await page.getByText('What you save goes to a draft', { exact: false }).waitFor();
  expect(await live()).toMatchObject({
    version_slug: 'v2',
    agent_config: { intro_message: 'Good morning, this is Asha.' },
  });

  await openPart(page, 'History');
  const history = page.getByRole('region', { name: 'History', exact: true });
  await history.getByText('Warmer greeting').waitFor();
  await history.getByRole('button', { name: 'Difference to v1', exact: true }).click();
  await dialog.getByText('First message').first().waitFor();
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
  await openAssistant(page);
  await saveGreeting(page, 'From the draft.');
  const edited = await dashboard.api('PATCH', '/agent/v1', {
    operation: 'edit_intro_message',
    agent_id: agentId,
    intro_message: 'From a script.',
  });
  expect(edited.status).toBe(200);
  const bar = draftBar(page);
  await bar.getByText('the active version was changed meanwhile').waitFor();
  await bar.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Both changed: First message.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await bar.getByRole('button', { name: 'Discard the draft', exact: true }).click();
  await dialog.getByRole('button', { name: 'Discard the draft', exact: true }).click();
  await closeMessage(page, 'The draft is discarded.');
  await page.getByText('What you save goes to a draft', { exact: false }).waitFor();
  const shown = page.getByRole('textbox', { name: 'First message' });
  await expect.poll(() => shown.inputValue(), { timeout: 30_000 }).toBe('From a script.');
  expect((await live()).agent_config.intro_message).toBe('From a script.');
});

it('one bar saves every changed section of a tab, and says which the service refuses', async () => {
  const { page } = dashboard.owner;
  await openAssistant(page);
  const bar = saveBar(page);
  await greeting(page).fill('Good evening, this is Asha.');
  await page.getByLabel('Who it is and what it wants', { exact: true }).fill('Confirm the visit on {{day}}.');
  await page.getByLabel('Another variable', { exact: true }).fill('day');
  await page.getByRole('button', { name: 'Add variable', exact: true }).click();
  await page.getByLabel('Name of the assistant', { exact: true }).fill(' ');
  await bar.getByText('Opening, Instructions, Name, Variables', { exact: true }).waitFor();
  await inspect(page, 'assistant-save-bar');
  await bar.getByRole('button', { name: 'Save', exact: true }).click();
  await bar.getByRole('alert').getByText('It needs a name.', { exact: false }).waitFor();
  await closeMessage(page, 'Opening, Instructions, Variables: saved.');
  await bar.getByText('Name', { exact: true }).first().waitFor();
  await inspect(page, 'assistant-save-refused');
  await bar.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect.poll(() => bar.count()).toBe(0);
  const version = await edited();
  expect(version.agent_config.intro_message).toBe('Good evening, this is Asha.');
  expect(version.agent_config.custom_variables).toContain('day');
  expect((await live()).agent_config.intro_message).toBe('From a script.');
});

it('an assistant is exported as a file and imported as a new one and into the draft', async () => {
  const { page } = dashboard.owner;
  await openAssistant(page);
  await page.getByLabel('More actions').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as a file', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('reminder.yaml');
  const text = readFileSync(await download.path(), 'utf8');
  expect(text).toContain('intro_message: Good evening, this is Asha.');
  const file = (content: string) => ({
    name: 'reminder.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from(content),
  });
  await page.keyboard.press('Escape');
  await page.goto('/agents');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import an assistant', exact: true });
  await dialog
    .getByLabel('File', { exact: true })
    .setInputFiles(file(text.replace('voice_speed: 1', 'voice_speed: 9')));
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByText('document.voice_speed', { exact: true }).waitFor();
  await inspect(page, 'assistant-import-refused');
  await dialog
    .getByLabel('File', { exact: true })
    .setInputFiles(file(text.replace('name: Reminder', 'name: Reminder from a file')));
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await closeMessage(page, 'The assistant is imported.');
  await page.getByRole('heading', { name: 'Reminder from a file', exact: true }).waitFor();
  await expect.poll(() => greeting(page).inputValue()).toBe('Good evening, this is Asha.');
  await page.getByLabel('More actions').click();
  await page.getByRole('button', { name: 'Import into the draft', exact: true }).click();
  const into = page.getByRole('dialog', { name: 'Import into the draft', exact: true });
  await into
    .getByLabel('File', { exact: true })
    .setInputFiles(file(text.replace('Good evening, this is Asha.', 'Good night from the file.')));
  await into.getByRole('button', { name: 'Import', exact: true }).click();
  await closeMessage(page, 'Left out, since they belong to the assistant: name.');
  await draftBar(page).getByText('Draft, 1 change not live', { exact: false }).waitFor();
  await expect.poll(() => greeting(page).inputValue()).toBe('Good night from the file.');
});

it('two people edit one draft: the second sees both texts, keeps one, and publishes what both made', async () => {
  const { page, faults } = dashboard.owner;
  const { draft } = (await dashboard.api('GET', `/agent/${agentId}/draft`)).body;
  const colleague = (change: object) =>
    dashboard.api('PATCH', '/agent/v1', { agent_id: agentId, version_id: draft.version_id, ...change });
  await openAssistant(page);
  await greeting(page).fill('Mine is another greeting.');
  expect(
    (await colleague({ operation: 'edit_intro_message', intro_message: 'Theirs is a greeting.' })).status,
  ).toBe(200);
  expect((await colleague({ operation: 'edit_vocab', vocab: ['Invisalign'] })).status).toBe(200);
  await page.getByText('Somebody else changed this while you typed.', { exact: false }).waitFor();
  await saveBar(page).getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this meanwhile', exact: true });
  const differs = dialog.getByRole('list', { name: 'What differs', exact: true });
  await differs.waitFor();
  expect(await differs.locator('del').allInnerTexts()).toEqual(['Theirs', 'a']);
  expect(await differs.locator('ins').allInnerTexts()).toEqual(['Mine', 'another']);
  await inspect(page, 'assistant-moved');
  await dialog.getByRole('button', { name: 'Decide later', exact: true }).click();
  expect(await greeting(page).inputValue()).toBe('Mine is another greeting.');
  expect((await edited()).agent_config.intro_message).toBe('Theirs is a greeting.');
  await saveBar(page).getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('button', { name: 'Keep mine', exact: true }).click();
  await closeMessage(page, 'Opening: saved.');
  expect((await edited()).agent_config).toMatchObject({
    intro_message: 'Mine is another greeting.',
    vocab: ['Invisalign'],
  });

  // The dialog shows one state of the draft; a change behind it is refused with 409 and shown.
  await draftBar(page).getByRole('button', { name: 'Publish', exact: true }).click();
  const publishing = page.getByRole('dialog', { name: 'Publish the draft?', exact: true });
  await publishing.getByLabel('Note').waitFor();
  // The page hears of the change by its stream; here the request of a slower page is sent.
  const refused = await dashboard.api('POST', `/agent/${agentId}/draft/publish`, { if_draft: draft.tag });
  expect(refused.status).toBe(409);
  expect(refused.body.code).toBe('DRAFT_MOVED');
  expect(refused.body.difference.draft.map(({ path }: any) => path)).toContain('agent_config.vocab');
  await publishing.getByRole('button', { name: 'Publish', exact: true }).click();
  await closeMessage(page, 'New calls use v4.');
  expect((await live()).agent_config).toMatchObject({
    intro_message: 'Mine is another greeting.',
    vocab: ['Invisalign'],
  });
  expect(faults).toEqual([]);
});

it('publishing says which variables no call fills, and which campaigns go on with the draft', async () => {
  const { page, faults } = dashboard.owner;
  const campaign = (name: string, of: string, state: string) => ({
    name,
    agent_id: of,
    campaign_status: state,
  });
  await page.route('**/campaign/all?**', (route) =>
    route.fulfill({
      json: {
        campaigns: [
          campaign('Visits', agentId, 'ongoing'),
          campaign('Ended ones', agentId, 'completed'),
          campaign('Of another', 'another', 'ongoing'),
        ],
        pagination: { total: 3, limit: 50, offset: 0 },
      },
    }),
  );
  await openAssistant(page);
  await saveGreeting(page, 'Good day, it is {{clock}}.');
  await draftBar(page).getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('alert').getByText('clock').waitFor();
  await dialog.getByText('A campaign under way uses it from its next call on: “Visits”.').waitFor();
  await inspect(page, 'assistant-publish-warnings');
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.unrouteAll();
  expect(faults).toEqual([]);
});
