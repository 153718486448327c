import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editedVersion, saveBar } from '../helpers/browser/assistant.ts';
import { closeMessage, inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { callPhone, chooseWay, fillValue, testPanel } from '../helpers/browser/try-it.ts';
import { FAKE_MICROPHONE } from '../helpers/browser/voice-page.ts';
import { eventually } from '../helpers/service/service.ts';

/** Asks for one thing after another, so that a conversation is long. */
const THINGS = ['name', 'street', 'town', 'colour', 'animal', 'dish'];
const FLOW = {
  start: 'ask_name',
  variables: THINGS.map((name) => ({ name, type: 'text' })),
  nodes: [
    ...THINGS.map((thing, at) => ({
      id: `ask_${thing}`,
      type: 'collect',
      variable: thing,
      ask: `Which ${thing} may I write down for you?`,
      edges: [
        { to: at + 1 === THINGS.length ? 'bye' : `ask_${THINGS[at + 1]}` },
        { to: 'bye', on: 'failed' },
      ],
    })),
    { id: 'bye', type: 'end', say: 'Goodbye.' },
  ],
};

let dashboard: Dashboard;
let agentId: string;
let writerId: string;
async function makeAgent(type: 'outbound' | 'whatsapp'): Promise<string> {
  const { voices } = (await dashboard.api('GET', '/agent/voices')).body;
  const made = await dashboard.api('POST', '/public/agent', {
    agent_name: `Tried ${type}`,
    agent_type: type,
    introduction_and_objective: 'Confirm the visit on {{day}}.',
    response_guidelines: 'Short sentences.',
    task: 'Ask whether Tuesday suits.',
    primary_language: 'en-US',
    voice_id: voices.find((voice: any) => voice.languages.includes('en-US')).id,
    intro_message: 'Hello {{callee_name}}, this is Asha.',
    custom_variables: ['day'],
  });
  if (made.status !== 200) throw new Error(`the assistant was not created: ${made.status}`);
  return made.body.data.id;
}
beforeAll(async () => {
  dashboard = await openDashboard({}, FAKE_MICROPHONE);
  agentId = await makeAgent('outbound');
  writerId = await makeAgent('whatsapp');
  const { status } = await dashboard.api('PATCH', '/agent/v1', {
    operation: 'edit_flow',
    agent_id: agentId,
    flow: FLOW,
  });
  if (status !== 200) throw new Error(`the flow was not stored: ${status}`);
}, 180_000);
afterAll(() => dashboard?.close());

const openIt = async (page: Page): Promise<void> => {
  await page.goto(`/agents/${agentId}`);
  await page.getByRole('button', { name: 'Try it', exact: true }).click();
  await testPanel(page).waitFor();
};
const part = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Parts of the assistant' }).getByRole('link', { name });
const talk = (page: Page): Locator => testPanel(page).getByRole('list', { name: 'Conversation' });
const words = (page: Page): Locator => testPanel(page).getByLabel('Your words', { exact: true });
const say = async (page: Page, text: string): Promise<void> => {
  await words(page).fill(text);
  await page.keyboard.press('Enter');
  await talk(page).getByText(text).waitFor();
};
/** Whether the whole element is inside the window. */
async function isInWindow(page: Page, element: Locator): Promise<boolean> {
  const box = await element.boundingBox();
  const size = page.viewportSize();
  if (box === null || size === null) return false;
  return box.x >= 0 && box.y >= 0 && box.x + box.width <= size.width && box.y + box.height <= size.height;
}

describe('the test beside the editor', () => {
  it('opens and closes by the keyboard, and gives the focus back', async () => {
    const { page } = dashboard.owner;
    await page.goto(`/agents/${agentId}`);
    const button = page.getByRole('button', { name: 'Try it', exact: true });
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    await button.focus();
    await page.keyboard.press('Enter');
    await testPanel(page).waitFor();
    await expect.poll(() => button.getAttribute('aria-expanded')).toBe('true');
    await expect
      .poll(() => page.evaluate(`document.activeElement?.closest('dialog')?.getAttribute('aria-label')`))
      .toBe('Try it');
    await testPanel(page).getByRole('button', { name: 'Close the test', exact: true }).focus();
    await page.keyboard.press('Enter');
    await testPanel(page).waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Try it');
  });

  it('stays open while parts change, with its field in sight after many turns', async () => {
    const { page } = dashboard.owner;
    const before = page.viewportSize();
    await page.setViewportSize({ width: 1440, height: 640 });
    await openIt(page);
    await testPanel(page).getByRole('button', { name: 'Start the conversation', exact: true }).click();
    await talk(page).getByText('Which name may I write down').waitFor();
    for (const thing of THINGS.slice(0, 5)) {
      await say(page, `The ${thing} is Blue`);
    }
    await talk(page).getByText('Which dish may I write down').waitFor();
    const said = testPanel(page).getByRole('group', { name: 'What was said' });
    const [height, room] = await said.evaluate((list) => [list.scrollHeight, list.clientHeight]);
    expect(height).toBeGreaterThan(room ?? 0);
    await expect.poll(() => isInWindow(page, words(page))).toBe(true);
    // The newest words are in sight, too.
    await expect
      .poll(() => said.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight))
      .toBeLessThan(2);
    await part(page, 'Behaviour').click();
    await page.getByLabel('Who speaks first').waitFor();
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await expect.poll(() => isInWindow(page, words(page))).toBe(true);
    await expect.poll(() => talk(page).getByRole('listitem').count()).toBe(6);
    // Of an assistant with a flow, the flow is what a press on its group opens.
    await part(page, 'Prompt').click();
    const lit = page.getByRole('treeitem', { level: 1 }).filter({ hasText: 'the conversation is here' });
    await expect.poll(() => lit.first().innerText()).toContain('ask_dish');
    await inspect(page, 'try-it-1440');
    if (before !== null) await page.setViewportSize(before);
  });

  it('says that what is typed is not tested, and saves and tests it with one press', async () => {
    const { page } = dashboard.owner;
    await dashboard.api('PATCH', '/agent/v1', { operation: 'edit_flow', agent_id: agentId, flow: null });
    await openIt(page);
    await fillValue(page, 'callee_name', 'Priya');
    await testPanel(page).getByRole('button', { name: 'Start the conversation', exact: true }).click();
    await talk(page).getByText('Hello Priya, this is Asha.').waitFor();
    await page.getByRole('textbox', { name: 'First message' }).fill('Good evening {{callee_name}}.');
    const notice = testPanel(page).getByRole('status').filter({ hasText: 'Not saved, so not tested:' });
    await notice.getByText('Opening').waitFor();
    await inspect(page, 'try-it-unsaved');
    await notice.getByRole('button', { name: 'Save and test', exact: true }).focus();
    await page.keyboard.press('Enter');
    await talk(page).getByText('Good evening Priya.').waitFor();
    await talk(page).getByText('Hello Priya, this is Asha.').waitFor({ state: 'detached' });
    await notice.waitFor({ state: 'detached' });
    await closeMessage(page, 'Opening: saved.');
    expect((await editedVersion(dashboard, agentId)).agent_config.intro_message).toBe(
      'Good evening {{callee_name}}.',
    );
    // The active version says it as before: the draft was tested.
    const { agents } = (await dashboard.api('GET', `/agent/${agentId}`)).body;
    expect(agents.version_details[agents.active_agent_version_id].agent_config.intro_message).toBe(
      'Hello {{callee_name}}, this is Asha.',
    );
    await testPanel(page).getByText('Draft', { exact: true }).waitFor();
  });

  it('says of a conversation that it began before the last change, and of a section why it is not saved', async () => {
    const { page } = dashboard.owner;
    await page.getByRole('textbox', { name: 'First message' }).fill('Good night {{callee_name}}.');
    await saveBar(page).getByRole('button', { name: 'Save', exact: true }).click();
    await closeMessage(page, 'Opening: saved.');
    await testPanel(page).getByText('This conversation began before the last change.').waitFor();
    await page.getByLabel('Name of the assistant', { exact: true }).fill(' ');
    await testPanel(page).getByRole('button', { name: 'Save and test', exact: true }).click();
    await testPanel(page).getByText('Not everything could be saved').waitFor();
    await saveBar(page).getByRole('alert').getByText('It needs a name.', { exact: false }).waitFor();
    expect(await talk(page).getByText('Good evening Priya.').count()).toBe(1);
    await saveBar(page).getByRole('button', { name: 'Discard', exact: true }).click();
  });

  it('gives the test values to text, browser and phone, and links calls to their records', async () => {
    const { page, faults } = dashboard.owner;
    await chooseWay(page, 'Voice');
    await testPanel(page).getByRole('button', { name: 'Call in the browser', exact: true }).click();
    const log = testPanel(page).getByRole('log', { name: 'Test call' });
    await log.getByText('Good night Priya.').waitFor();
    await expect
      .poll(() => isInWindow(page, testPanel(page).getByLabel('Type instead of speaking')))
      .toBe(true);
    await inspect(page, 'try-it-voice');
    // A closed test has no call.
    await testPanel(page).getByRole('button', { name: 'Close the test', exact: true }).click();
    const call = await eventually('the call in the history', async () => {
      const { body } = await dashboard.api('GET', '/calling/history?call_type=webcall');
      return body.calls.find((each: any) => each.call_status === 'completed') ?? null;
    });
    await page.getByRole('button', { name: 'Try it', exact: true }).click();
    const link = testPanel(page).getByRole('link', { name: 'Open the record of this call' });
    await expect.poll(() => link.getAttribute('href')).toBe(`/calls/${call.call_id}`);
    const dialog = await callPhone(page);
    await expect.poll(() => dialog.getByLabel('Name of the person').inputValue()).toBe('Priya');
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await testPanel(page).getByText('On a phone the active version speaks, v1,', { exact: false }).waitFor();
    await testPanel(page).getByRole('button', { name: 'Ring me', exact: true }).click();
    await dialog.getByLabel('Number with country code').fill('+1 415 555 0123');
    await dialog.getByLabel('day', { exact: true }).fill('Monday');
    await dialog.getByRole('button', { name: 'Call', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const calls = testPanel(page).getByRole('list', { name: 'Calls from here' });
    await calls.getByText('+14155550123').waitFor();
    await inspect(page, 'try-it-phone');
    await calls.getByRole('link', { name: 'Open the record of this call' }).click();
    await page.getByText('Call to +14155550123').waitFor();
    expect(faults).toEqual([]);
  });

  it('shows a message above the sheet of a phone, where it can be pressed', async () => {
    const { page } = dashboard.owner;
    const before = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/agents/${agentId}`);
    await page.getByRole('textbox', { name: 'First message' }).fill('Good day {{callee_name}}.');
    await page.getByRole('button', { name: 'Try it', exact: true }).click();
    await testPanel(page).getByRole('button', { name: 'Save and test', exact: true }).click();
    await testPanel(page).locator('#toasts').getByText('Opening: saved.').waitFor();
    await closeMessage(page, 'Opening: saved.');
    await testPanel(page).getByRole('button', { name: 'Close the test', exact: true }).click();
    await testPanel(page).waitFor({ state: 'hidden' });
    expect(await page.locator('body > div > #toasts').count()).toBe(1);
    if (before !== null) await page.setViewportSize(before);
  });

  it('opens from its old address, with the version that it names', async () => {
    const { page } = dashboard.owner;
    const { agents } = (await dashboard.api('GET', `/agent/${agentId}`)).body;
    await page.goto(`/agents/${agentId}/playground?version=${agents.active_agent_version_id}`);
    await testPanel(page).getByText('v1', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/agents/${agentId}`);
  });

  it('writes alone with an assistant that writes', async () => {
    const { page } = dashboard.owner;
    await page.goto(`/agents/${writerId}?test=true`);
    await testPanel(page).getByRole('button', { name: 'Start the conversation', exact: true }).click();
    await talk(page).getByText('this is Asha.', { exact: false }).waitFor();
    expect(await testPanel(page).getByRole('button', { name: 'Voice', exact: true }).count()).toBe(0);
    expect(await testPanel(page).getByRole('button', { name: 'Call in the browser' }).count()).toBe(0);
  });
});

describe('the test on a narrow window', () => {
  it.each([
    [820, 1180],
    [390, 844],
  ])('is a sheet that Escape closes and that keeps the conversation, %i wide', async (width, height) => {
    const { page, faults } = dashboard.owner;
    const before = page.viewportSize();
    await page.setViewportSize({ width, height });
    await openIt(page);
    await testPanel(page).getByRole('button', { name: 'Start the conversation', exact: true }).click();
    await words(page).waitFor();
    await expect.poll(() => isInWindow(page, words(page))).toBe(true);
    await talk(page).getByRole('listitem').first().waitFor();
    await inspect(page, `try-it-${width}`);
    await page.keyboard.press('Escape');
    await testPanel(page).waitFor({ state: 'hidden' });
    await page.getByRole('textbox', { name: 'First message' }).waitFor();
    await page.getByRole('button', { name: 'Try it', exact: true }).click();
    await expect.poll(() => talk(page).getByRole('listitem').count()).toBe(1);
    if (before !== null) await page.setViewportSize(before);
    expect(faults).toEqual([]);
  });
});
