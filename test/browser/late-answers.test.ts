import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPart } from '../helpers/browser/assistant.ts';
import { closeMessage } from '../helpers/browser/chromium.ts';
import { openDashboard, OWNER, type Dashboard } from '../helpers/browser/dashboard.ts';
import { holdAnswers } from '../helpers/browser/hold-answers.ts';
import { testPanel } from '../helpers/browser/try-it.ts';
import { createAgent, provisionWith } from '../helpers/service/scenario.ts';

let dashboard: Dashboard;
/** The callers, the newest first. */
let agents: { id: string; agent_display_name: string }[] = [];
beforeAll(async () => {
  dashboard = await openDashboard({}, [], provisionWith({}));
  await createAgent(dashboard.service, { agent_name: 'Visits' });
  await createAgent(dashboard.service, { agent_name: 'Surveys' });
  ({ agents } = (await dashboard.api('GET', '/agent/all')).body.data);
});
afterAll(() => dashboard?.close());

describe('what is typed while an answer is late', () => {
  it('stays in a form that was sent before', async () => {
    const { page } = dashboard.owner;
    await page.goto('/do-not-call');
    await page.getByText('No number is on the list').waitFor();
    const numbers = page.getByLabel('Numbers with country code, one a line', { exact: true });
    const list = await holdAnswers(page, '/dnc');
    await numbers.fill('+14155550191');
    await page.getByRole('button', { name: 'Never call these', exact: true }).click();
    await page.getByText('Added 1 number, cancelled 0 queued calls.').waitFor();
    await numbers.fill('+14155550192');
    await list.release();
    await page.getByRole('table').getByText('+14155550191').waitFor();
    await page.getByRole('button', { name: 'Never call these', exact: true }).click();
    await page.getByRole('table').getByText('+14155550192').waitFor();
    await expect.poll(() => numbers.inputValue()).toBe('');
  });

  it('stays in a setting beside one that was saved before', async () => {
    const { page } = dashboard.owner;
    await page.goto('/settings/data');
    const recordings = page.getByLabel('Recordings, days', { exact: true });
    const save = page.getByRole('button', { name: 'Save the rules', exact: true });
    await recordings.fill('30');
    await save.click();
    await page.getByRole('button', { name: 'Save and delete', exact: true }).click();
    await closeMessage(page, 'The rules are saved.');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // A longer time deletes nothing, so that the page asks nothing.
    await recordings.fill('60');
    const rules = await holdAnswers(page, '/workspace/retention');
    await save.click();
    await page.getByText('The rules are saved.').waitFor();
    const audit = page.getByLabel('Audit log, days', { exact: true });
    await audit.fill('400');
    await rules.release();
    await expect.poll(() => save.isEnabled()).toBe(true);
    expect(await audit.inputValue()).toBe('400');
  });

  it('stays in a scorecard that was saved before', async () => {
    const { page } = dashboard.owner;
    await page.goto(`/agents/${agents[0]?.id}`);
    await openPart(page, 'Scorecard');
    await page.getByRole('button', { name: 'Add a scored criterion', exact: true }).click();
    const name = page.getByLabel('Name of scored criterion 1', { exact: true });
    await name.fill('No silence');
    const scorecard = await holdAnswers(page, '/scorecard');
    await page.getByRole('button', { name: 'Save the scorecard', exact: true }).click();
    await page.getByText('Calls that end from now on are scored by it.').waitFor();
    await name.fill('No silence at all');
    await scorecard.release();
    await page.getByRole('heading', { name: 'Scorecard, version 1', exact: true }).waitFor();
    expect(await name.inputValue()).toBe('No silence at all');
    await page.getByRole('button', { name: 'Save the scorecard', exact: true }).click();
    await page.getByRole('heading', { name: 'Scorecard, version 2', exact: true }).waitFor();
  });

  it('stays in the field of a conversation', async () => {
    const { page } = dashboard.owner;
    await page.goto(`/agents/${agents[0]?.id}?test=true`);
    const panel = testPanel(page);
    await panel.getByRole('button', { name: 'Start the conversation', exact: true }).click();
    const words = panel.getByLabel('Your words', { exact: true });
    await words.fill('Yes, on Tuesday.');
    const answer = await holdAnswers(page, '/test', 'POST');
    await words.press('Enter');
    await words.fill('Which time?');
    await answer.release();
    await panel.getByRole('list', { name: 'Conversation' }).getByText('Yes, on Tuesday.').waitFor();
    expect(await words.inputValue()).toBe('Which time?');
  });
});

describe('the sources of a knowledge base', () => {
  it('keep what somebody types while the page adds earlier sources, and empty what it has added', async () => {
    const { page } = dashboard.owner;
    const form = new FormData();
    form.append('kb_name', 'Prices');
    form.append('faqs', JSON.stringify([{ question: 'When?', answer: 'At nine.' }]));
    const { kb_id: kbId } = (await dashboard.form('/external/kb', form)).body;
    await page.goto(`/knowledge/${kbId}`);
    const urls = page.getByLabel('Addresses of web pages, one a line', { exact: true });
    const add = page.getByRole('button', { name: 'Add', exact: true });
    const sent = await holdAnswers(page, '/external/kb', 'PATCH');
    await page.getByRole('button', { name: 'Add a question', exact: true }).click();
    await page.getByLabel('Question 1', { exact: true }).fill('Where?');
    await page.getByLabel('Answer 1', { exact: true }).fill('Here.');
    await add.click();
    await urls.fill('https://example.com/prices');
    await sent.release();
    await page.getByRole('row').filter({ hasText: 'Where?' }).waitFor();
    await expect.poll(() => page.getByLabel('Question 1', { exact: true }).count()).toBe(0);
    expect(await urls.inputValue()).toBe('https://example.com/prices');
    await urls.fill('');
  });
});

describe('a password', () => {
  it('that is typed while another is stored stays in its field', async () => {
    const { page } = dashboard.owner;
    await page.goto('/settings/account');
    const [before, next] = [
      page.getByLabel('Current password', { exact: true }),
      page.getByLabel('New password', { exact: true }),
    ];
    const change = page.getByRole('button', { name: 'Change password', exact: true });
    await before.fill(OWNER.password);
    await next.fill('a second long passphrase');
    const sent = await holdAnswers(page, '/password', 'PATCH');
    await change.click();
    await next.fill('a third long passphrase');
    await sent.release();
    await page.getByText('The password is changed.').waitFor();
    await expect.poll(() => change.isEnabled()).toBe(true);
    expect(await next.inputValue()).toBe('a third long passphrase');
    await before.fill('a second long passphrase');
    await change.click();
    await expect.poll(() => next.inputValue()).toBe('');
  });
});

describe('the form of a new campaign', () => {
  it('shows the columns of the file that was chosen last, also if an earlier one is read later', async () => {
    const { page } = dashboard.owner;
    await page.goto('/campaigns/new');
    const file = page.getByLabel('File', { exact: true });
    await file.waitFor();
    // The first read of a file waits for `readOn`.
    await page.evaluate(`{
      const read = Blob.prototype.arrayBuffer;
      const held = new Promise((on) => (window.readOn = on));
      Blob.prototype.arrayBuffer = async function () {
        Blob.prototype.arrayBuffer = read;
        await held;
        const bytes = await read.call(this);
        window.readLate = true;
        return bytes;
      };
    }`);
    const list = (name: string, column: string) => ({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(`${column},Name\n+14155550101,Asha`),
    });
    await file.setInputFiles(list('first.csv', 'First number'));
    await file.setInputFiles(list('second.csv', 'Second number'));
    await page.getByRole('columnheader', { name: 'Second number', exact: true }).waitFor();
    await page.evaluate('window.readOn()');
    await expect.poll(() => page.evaluate('window.readLate')).toBe(true);
    // Two frames later the page would have drawn it.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    expect(await page.getByRole('columnheader').allTextContents()).toContain('Second number');
  });

  it('stays when somebody else begins a campaign with another assistant', async () => {
    const { page } = dashboard.owner;
    const stream = page.waitForResponse((response) => response.url().endsWith('/workspace/changes'));
    await page.goto('/campaigns/new');
    const chosen = page.getByLabel('Assistant', { exact: true });
    const name = page.getByLabel('Name of the campaign', { exact: true });
    await name.fill('Typed');
    const before = await chosen.inputValue();
    const other = agents.find(({ id }) => id !== before);
    await stream;
    const read = page.waitForResponse(async (response) => {
      if (!new URL(response.url()).pathname.endsWith('/campaign/all')) return false;
      return (await response.json()).campaigns.length > 0;
    });
    const form = new FormData();
    form.append('agent_id', other?.id ?? '');
    form.append('campaign_name', 'Of somebody else');
    form.append('variables_map', JSON.stringify({ mobile_number: 'Phone', callee_name: 'Name' }));
    form.append('file', new Blob(['Phone,Name\n+14155550101,Asha'], { type: 'text/csv' }), 'list.csv');
    expect((await dashboard.form('/campaign/save', form)).status).toBe(200);
    await read;
    // Two frames later the page has drawn what it read.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    expect(await name.inputValue()).toBe('Typed');
    expect(await chosen.inputValue()).toBe(before);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('button', { name: 'Discard and leave', exact: true }).click();
    await page.getByRole('heading', { name: 'Home', exact: true }).waitFor();
  });
});

describe('Home', () => {
  it('says nothing of hours, results and reply delays before it has read them', async () => {
    const { page } = dashboard.owner;
    const held = await Promise.all(
      ['hour', 'reaction', 'classification'].map((part) => holdAnswers(page, `/analytics/${part}-analytics`)),
    );
    await page.goto('/');
    await page.getByRole('heading', { name: 'Calls by hour', exact: true }).waitFor();
    const claims = [
      page.getByRole('slider', { name: 'Calls by hour, answered and not answered', exact: true }),
      page.getByText('No goal or label was reached.', { exact: true }),
      page.getByText('No turns of calls yet.', { exact: true }),
    ];
    for (const claim of claims) expect(await claim.count()).toBe(0);
    for (const each of held) await each.release();
    for (const claim of claims) await claim.waitFor();
  });
});

describe('a rehearsal', () => {
  it('is not offered before it is known whether there is a draft', async () => {
    const { page } = dashboard.owner;
    const agentId = agents[0]?.id ?? '';
    await dashboard.api('POST', `/agent/${agentId}/draft`, {});
    const versions = await holdAnswers(page, '/versions');
    await page.goto(`/agents/${agentId}/rehearsals`);
    await page.getByText('No rehearsals yet').waitFor();
    await page.getByRole('heading', { name: 'Rehearse', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Start the rehearsal' }).count()).toBe(0);
    await versions.release();
    const version = page.getByLabel('Version', { exact: true });
    await expect.poll(() => version.locator('option:checked').textContent()).toBe('The draft');
  });
});
