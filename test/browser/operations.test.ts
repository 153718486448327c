import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { FakeCarrierApi, fakeCarrierAccount, fakeTrunkSettings } from '@callwright/stand-ins';
import { inspect } from '../helpers/browser/chromium.ts';
import { eventually } from '../helpers/service/service.ts';
import { openDashboard, SCRIPT, type Dashboard } from '../helpers/browser/dashboard.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';
import { openPlace } from '../helpers/browser/places.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard({ SAFE_FETCH_ALLOW: LOOPBACK_OPEN });
});
afterAll(() => dashboard?.close());

let callIds: readonly string[] = [];
const NUMBER = '+14155550100';
const POLLED = { timeout: 60_000 };

describe('screens without data', () => {
  it('teach what they are for', async () => {
    const { page, faults } = dashboard.owner;
    const screens = [
      ['Analytics', 'No call ended in the last 30 days'],
      ['Knowledge bases', 'No knowledge bases yet'],
      ['Number pools', 'No number pools yet'],
      ['Child workspaces', 'No child workspaces yet'],
    ] as const;
    for (const [name, heading] of screens) {
      await openPlace(page, name);
      await page.getByRole('heading', { name: heading }).waitFor();
      await inspect(page, `${name.toLowerCase().replaceAll(' ', '-')}-empty`);
    }
    expect(faults).toEqual([]);
  });
});

/** Places a call of the demo assistant; the built-in carrier's callees answer by the last digits. */
async function placeCall(name: string, number: string): Promise<string> {
  const { agents } = (await dashboard.api('GET', '/agent/all')).body.data;
  const { workspace_numbers: numbers } = (await dashboard.api('GET', '/workspace/numbers')).body;
  const placed = await dashboard.api('POST', '/calling/outbound/individual', {
    name,
    mobile_number: number,
    agent_id: agents.find((agent: any) => agent.agent_type !== 'inbound').id,
    from_number_id: numbers[0].id,
  });
  expect(placed.status).toBe(200);
  return placed.body.data.call_id;
}

/** How much wider than its select a chosen text is, in pixels. */
const beyondChoice = (choice: Locator): Promise<number> =>
  choice.evaluate((select) => {
    const whole = select.cloneNode(false);
    whole.append(select.querySelector('option:checked')?.cloneNode(true) ?? '');
    Object.assign(whole.style, { width: 'max-content', minWidth: '0', maxWidth: 'none' });
    select.parentElement?.append(whole);
    const width = whole.getBoundingClientRect().width;
    whole.remove();
    return width - select.getBoundingClientRect().width;
  });

describe('numbers', () => {
  it('place calls meanwhile', async () => {
    const { agents } = (await dashboard.api('GET', '/agent/all')).body.data;
    const criteria = await dashboard.api('PATCH', '/agent/v1', {
      operation: 'edit_evaluations',
      agent_id: agents[0].id,
      evaluations: [{ name: 'says its name', criterion: 'The agent says its name.' }],
    });
    expect(criteria.status).toBe(200);
    callIds = [await placeCall('Asha Rao', '+14155550123'), await placeCall('Ravi Iyer', '+14155550002')];
    expect(new Set(callIds).size).toBe(2);
  });

  it('get the assistant that answers their calls, and lose it', async () => {
    const { page } = dashboard.owner;
    const { voices } = (await dashboard.api('GET', '/agent/voices')).body;
    const made = await dashboard.api('POST', '/public/agent', {
      agent_name: 'Front desk',
      agent_type: 'inbound',
      introduction_and_objective: 'You answer the phone.',
      response_guidelines: 'Short sentences.',
      task: 'Ask what the caller needs.',
      primary_language: 'en-US',
      voice_id: voices.find((voice: any) => voice.languages.includes('en-US')).id,
      intro_message: 'Hello.',
    });
    expect(made.status).toBe(200);
    await page.getByRole('link', { name: 'Numbers', exact: true }).click();
    const choice = page.getByLabel(`Assistant that answers ${NUMBER}`);
    await choice.selectOption({ label: 'Front desk' });
    const inbound = async (): Promise<string | null> =>
      (await dashboard.api('GET', '/workspace/numbers')).body.workspace_numbers[0].agent
        ?.agent_display_name ?? null;
    await expect.poll(inbound, POLLED).toBe('Front desk');
    await inspect(page, 'numbers-attached');
    await choice.selectOption({ label: 'Calls are rejected' });
    await expect.poll(inbound, POLLED).toBeNull();
    await page.setViewportSize({ width: 820, height: 900 });
    expect(await beyondChoice(choice), 'pixels of the chosen text that a tablet cuts').toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('are added, changed and removed by an operator', async () => {
    const { page } = dashboard.owner;
    const added = '+14155550188';
    await page.getByRole('button', { name: 'Add a number', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Number', { exact: true }).fill('(415) 555-0188');
    await dialog.getByLabel('Carrier trunk').selectOption({ label: 'Built-in test carrier' });
    await dialog.getByLabel('Name', { exact: true }).fill('Second line');
    await inspect(page, 'number-form');
    await dialog.getByRole('button', { name: 'Add the number', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: '+1 415 555 0188' });
    await row.getByText('Second line').waitFor();
    await row.getByRole('button', { name: `Change ${added}`, exact: true }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Night line');
    await dialog.getByLabel('Used for').selectOption({ label: 'Service calls' });
    await dialog.getByLabel('Calls at once').fill('2');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await row.getByText('Night line').waitFor();
    await row.getByRole('button', { name: `Change ${added}`, exact: true }).click();
    await expect.poll(() => dialog.getByLabel('Calls at once').inputValue(), POLLED).toBe('2');
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await row.getByRole('button', { name: `Remove ${added}`, exact: true }).click();
    await inspect(page, 'number-remove');
    await dialog.getByRole('button', { name: 'Remove the number', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    expect((await dashboard.api('GET', '/workspace/numbers')).body.workspace_numbers).toHaveLength(1);
  });

  it('form a pool, rotate in it, leave it, and stay when it is deleted', async () => {
    const { page } = dashboard.owner;
    await openPlace(page, 'Number pools');
    await page.getByLabel('Name of the pool').fill(SCRIPT);
    await page.getByLabel(NUMBER).check();
    await page.getByRole('button', { name: 'Create the pool' }).click();
    const pool = page.getByRole('region', { name: SCRIPT, exact: true });
    await pool.getByText('Next').waitFor();
    await inspect(page, 'number-pools');
    await pool.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name of the pool').fill('Spring');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('region', { name: 'Spring', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await pool.getByRole('button', { name: /^Remove/ }).click();
    await pool.getByText('no call can use it').waitFor();
    await pool.getByRole('button', { name: 'Add numbers' }).click();
    await pool.getByLabel(NUMBER).check();
    await pool.getByRole('button', { name: 'Add', exact: true }).click();
    await pool.getByText('Next').waitFor();
    await pool.getByRole('button', { name: 'Delete' }).click();
    await inspect(page, 'number-pool-delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the pool' }).click();
    await page.getByRole('heading', { name: 'No number pools yet' }).waitFor();
    expect((await dashboard.api('GET', '/workspace/numbers')).body.workspace_numbers).toHaveLength(1);
  });

  it('show their trunk with its health', async () => {
    const { page } = dashboard.owner;
    await openPlace(page, 'Trunks');
    await page.getByText('Built-in test carrier').waitFor();
    await page.getByText('No attempt failed at it').waitFor();
    await inspect(page, 'trunks');
    expect((await dashboard.api('GET', '/workspace/trunks')).body.trunks).toHaveLength(1);
  });
});

describe('trunks of the installation', () => {
  it('are added, checked and changed by an operator, who reads which field to mend', async () => {
    const { page } = dashboard.owner;
    await page.getByRole('button', { name: 'Add a trunk', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('carrier');
    // A port of this machine that nobody answers on.
    await dialog.getByLabel('SIP address', { exact: true }).fill('sip:127.0.0.1:9');
    const more = dialog.locator('details').filter({ hasText: 'More settings' });
    expect(await more.getAttribute('open')).toBeNull();
    await more.getByText('More settings', { exact: true }).click();
    await dialog.getByLabel('Form of the called number').selectOption('national');
    // What the service refuses is shown, though the reader folded it.
    await more.getByText('More settings', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Add the trunk', exact: true }).click();
    await dialog.getByText('calling code is required').first().waitFor();
    await expect.poll(() => more.getAttribute('open')).not.toBeNull();
    await dialog.getByLabel('Calling code of national numbers').fill('91');
    await inspect(page, 'trunk-form');
    await dialog.getByRole('button', { name: 'Add the trunk', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'sip:127.0.0.1:9' });
    await row.getByText('Does not respond').waitFor();
    await row.getByRole('button', { name: 'Check now carrier', exact: true }).click();
    await page.getByText('The trunk is being probed.').waitFor();
    await row.getByRole('button', { name: 'Change carrier', exact: true }).click();
    await dialog.getByLabel('Calls at once').fill('3');
    await dialog.getByLabel('In service').uncheck();
    // The called number is in the national format, so that the settings stand open.
    await dialog.getByLabel('Codecs', { exact: true }).selectOption('g722 pcmu pcma');
    await dialog.getByLabel('Let the far side transfer calls (REFER)', { exact: true }).check();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await row.getByText('Out of service').waitFor();
    await row.getByRole('button', { name: 'Change carrier', exact: true }).click();
    await expect.poll(() => dialog.getByLabel('Calls at once').inputValue(), POLLED).toBe('3');
    await expect.poll(() => dialog.getByLabel('Codecs', { exact: true }).inputValue()).toBe('g722 pcmu pcma');
    const mayTransfer = dialog.getByLabel('Let the far side transfer calls (REFER)', { exact: true });
    await expect.poll(() => mayTransfer.isChecked()).toBe(true);
    const joins = 'Have the far side join caller and target of a warm transfer';
    expect(await dialog.getByLabel(joins, { exact: true }).isChecked()).toBe(false);
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await inspect(page, 'trunks-of-installation');
  });

  it('of a carrier have numbers of its account imported and their calls led here by a click', async () => {
    const { page } = dashboard.owner;
    const account = fakeCarrierAccount('twilio');
    const carrier = new FakeCarrierApi(account);
    carrier.book.add('+14155550171', '+14155550172');
    try {
      const trunk = { kind: 'twilio', uri: await carrier.listen(), ...fakeTrunkSettings(account) };
      await page.getByRole('button', { name: 'Add a trunk', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('How it connects', { exact: true }).selectOption('twilio');
      await dialog.getByLabel('Name', { exact: true }).fill('streams');
      await dialog.getByLabel('Address of the API', { exact: true }).fill(trunk.uri);
      await dialog.getByLabel('Account SID', { exact: true }).fill(account.account);
      await dialog.getByLabel('Auth token', { exact: true }).fill(account.secret);
      await dialog.getByRole('button', { name: 'Add the trunk', exact: true }).click();
      const row = page.getByRole('row').filter({ hasText: trunk.uri });
      await row.getByRole('button', { name: 'Import numbers of streams', exact: true }).click();
      await dialog.getByLabel('+14155550172', { exact: true }).check();
      await inspect(page, 'trunk-numbers');
      await dialog.getByRole('button', { name: 'Import numbers', exact: true }).click();
      await page.getByText('Numbers imported: 1.').waitFor();
      await row.getByRole('button', { name: 'Set webhook of streams', exact: true }).click();
      await page.getByText('Webhook set; numbers: 1.').waitFor();
      const numbers = (await dashboard.api('GET', '/workspace/numbers')).body.workspace_numbers;
      expect(numbers.map((one: any) => one.number)).toContain('+14155550172');
      const led = ['+14155550171', '+14155550172'].map((number) => carrier.book.webhookOf(number));
      expect(led).toEqual([null, expect.stringMatching(/\/carriers\/[0-9a-f-]{36}\/voice$/)]);
    } finally {
      await carrier.close();
    }
  });
});

describe('a knowledge base', () => {
  it('is made from files, pages and questions, and follows its ingestion without a reload', async () => {
    const { page } = dashboard.owner;
    await page.getByRole('link', { name: 'Knowledge bases' }).click();
    await page.getByLabel('Name of the knowledge base').fill('Prices');
    await page.getByLabel('Files').setInputFiles({
      name: 'prices.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from(`A dental cleaning costs eighty dollars. ${SCRIPT}`),
    });
    await page.getByLabel('Addresses of web pages').fill('http://site.invalid/prices');
    await page.getByRole('button', { name: 'Add a question' }).click();
    await page.getByLabel('Question 1').fill('When are you open?');
    await page.getByLabel('Answer 1').fill('From nine to five.');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Prices' }).waitFor();
    const file = page.getByRole('row').filter({ hasText: 'prices.txt' });
    await file.getByText('Done').waitFor();
    expect((await dashboard.api('GET', '/external/kb/all')).body).toHaveLength(1);
  });

  it('answers a test search with what an assistant would read', async () => {
    const { page } = dashboard.owner;
    await page.getByLabel('A question of a caller').fill('What does a dental cleaning cost?');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('listitem').filter({ hasText: 'eighty dollars' }).waitFor();
    await page.getByRole('link', { name: 'Passage 1', exact: true }).first().click();
    const viewer = page.getByRole('region', { name: 'Passages', exact: true });
    const chunk = viewer.getByRole('listitem').filter({ hasText: 'eighty dollars' });
    await chunk.getByText(/^Found, score/).waitFor();
    expect(new URL(page.url()).searchParams.get('chunk')).toBe('0');
    await inspect(page, 'knowledge-base');
    await viewer.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByLabel('A question of a caller').fill('xylophone');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('Nothing was found').waitFor();
    await expect.poll(() => page.getByRole('main').getByRole('listitem').count()).toBe(0);
  });

  it('is attached to the draft of an assistant, which the page opens', async () => {
    const { page } = dashboard.owner;
    await page.getByLabel('Attach it to an assistant').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Attach', exact: true }).click();
    await page.getByText('is attached to the draft', { exact: false }).waitFor();
    await page.getByRole('list', { name: 'Attached knowledge bases' }).getByText('Prices').waitFor();
    const agentId = new URL(page.url()).pathname.split('/').at(-1);
    expect((await dashboard.api('DELETE', `/agent/${agentId}/draft`)).status).toBeLessThan(300);
    await page.getByRole('link', { name: 'Knowledge bases', exact: true }).click();
    await page.getByRole('link', { name: 'Prices' }).click();
    await page.getByRole('heading', { name: 'Prices' }).waitFor();
  });

  it('cannot be deleted while an assistant uses it, and says which', async () => {
    const { page, faults } = dashboard.owner;
    const { agents } = (await dashboard.api('GET', '/agent/all')).body.data;
    const [base] = (await dashboard.api('GET', '/external/kb/all')).body;
    const edit = { agent_id: agents[0].id, kb_id: base.kb_id };
    const attached = await dashboard.api('PATCH', '/agent/v1', { operation: 'attach_kb', ...edit });
    expect(attached.status).toBe(200);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete the knowledge base' }).click();
    await dialog.getByRole('alert').waitFor();
    await inspect(page, 'knowledge-base-in-use');
    await dashboard.api('PATCH', '/agent/v1', { operation: 'remove_kb', ...edit });
    await dialog.getByRole('button', { name: 'Delete the knowledge base' }).click();
    await page.getByRole('heading', { name: 'No knowledge bases yet' }).waitFor();
    expect(faults).toEqual([]);
  });
});

describe('the workspace', () => {
  it('gets a child with its shares, whose members are opened from here', async () => {
    const { page } = dashboard.owner;
    await openPlace(page, 'Child workspaces');
    await page.getByLabel('Name of the child workspace').fill('Client A');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Set the shares of Client A' }).click();
    await page.getByLabel('Concurrent calls').fill('2');
    await page.getByRole('button', { name: 'Set the calls' }).click();
    await page.getByText('Saved.').waitFor();
    await inspect(page, 'child-workspace-shares');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'Client A' });
    await row.getByRole('cell', { name: '2', exact: true }).waitFor();
    await inspect(page, 'child-workspaces');
    await row.getByRole('button', { name: 'Members of Client A' }).click();
    await page.getByText('The members of the parent workspace manage this one').waitFor();
    const { sub_workspaces: children } = (await dashboard.api('GET', '/workspace/sub')).body;
    expect(children).toMatchObject([{ name: 'Client A', concurrency: 2, has_api_key: false }]);
    await page.getByLabel('Workspace', { exact: true }).selectOption({ label: 'My workspace' });
    await page.getByRole('heading', { name: 'Home' }).waitFor();
  });

  it('shows its operator the processes, checks, disk and versions, and no key', async () => {
    const { page } = dashboard.owner;
    await openPlace(page, 'System');
    await page.getByText('running').waitFor();
    await page.getByText(process.versions.node).waitFor();
    await page
      .getByText(/^\d+ of \d+/)
      .first()
      .waitFor();
    await page.getByRole('region', { name: 'Settings' }).getByText('RTP_PORTS').waitFor();
    await page.getByLabel('Find a setting').fill('secret key');
    const secret = page.getByRole('row').filter({ hasText: 'Encrypts stored secrets' });
    await secret.getByText(/^(Set|Not set)$/).waitFor();
    await inspect(page, 'system');
    const system = await dashboard.api('GET', '/workspace/system');
    expect(system.status).toBe(401);
  });
});

describe('calls that ended', () => {
  it('are in the list, and each has its page', async () => {
    const { page } = dashboard.owner;
    const [answered] = callIds;
    const details = (): Promise<any> =>
      dashboard.api('GET', `/calling/call-details?id=${answered}&send_analysis=true`);
    const isAnalysed = async (): Promise<boolean> =>
      (await details()).body.data.platform_analysis?.summary != null;
    await expect.poll(isAnalysed, { timeout: 90_000, interval: 1_000 }).toBe(true);
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByText('Ravi Iyer').waitFor();
    await inspect(page, 'calls-ended');
    await page.getByRole('row').filter({ hasText: 'Asha Rao' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'Analysis' }).waitFor();
    await page.getByRole('heading', { name: 'Criteria' }).waitFor();
    const [judged] = (await details()).body.data.evaluations;
    // Without a model the summary quotes the transcript: the page has the questions with their answers instead.
    const { summary } = (await details()).body.data.platform_analysis;
    expect(await page.getByText(summary, { exact: true }).count()).toBe(0);
    await page.getByRole('listitem').filter({ hasText: 'says its name' }).getByText(judged.reason).waitFor();
    await page.getByRole('slider', { name: 'Place in the recording' }).waitFor();
    const moments = page.getByRole('list', { name: 'Moments of the call' });
    await moments.getByText('hangs up').click();
    const second = (): Promise<number> =>
      page.locator('audio').evaluate((audio) => (audio as unknown as { currentTime: number }).currentTime);
    await expect.poll(second, POLLED).toBeGreaterThan(1);
    await inspect(page, 'call-ended');
    await page.getByRole('button', { name: 'Show the decisions' }).click();
    await page.getByText('decides as the call did').waitFor();
    const decisions = page.getByRole('list', { name: 'Decisions of the call' });
    const row = decisions.getByRole('listitem').filter({ hasText: 'says: "Hello, this is Maya' }).first();
    await row.getByRole('button').click();
    await expect.poll(second, POLLED).toBeLessThan(5);
    await decisions.locator('[aria-current]').waitFor();
    await inspect(page, 'call-decisions');
    await page.getByRole('button', { name: 'Model', exact: true }).click();
    await expect.poll(() => decisions.getByText('requests reply').count()).toBe(0);
    await page.getByRole('button', { name: 'Hide the decisions' }).click();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByText(/checks of the installation pass/).waitFor();
    await inspect(page, 'home-ended');
  });

  it('leave checks on home, which name what is wrong and what to do', async () => {
    const { page } = dashboard.owner;
    const folder = join(dashboard.service.dataDir, 'recordings');
    // The checks run at most once a second, so that a page may still get the result of the last run.
    const home = async (shown: Locator): Promise<true | null> => {
      await page.reload();
      await page
        .getByText(/checks of the installation/i)
        .first()
        .waitFor();
      return (await shown.count()) > 0 ? true : null;
    };
    const failing = page.getByRole('heading', { name: 'Checks of the installation' });
    const passing = page.getByText(/checks of the installation pass/);
    await rename(folder, `${folder}-away`);
    await eventually('home to show the failing check', () => home(failing));
    const check = page.getByRole('listitem').filter({ hasText: 'the folder of recordings cannot be read' });
    await check.getByText('Free space on the disk of recordings').waitFor();
    await inspect(page, 'home-check');
    await rename(`${folder}-away`, folder);
    await eventually('home to show that the checks pass', () => home(passing));
    await expect.poll(() => check.count()).toBe(0);
  });

  it('are counted by day, outcome, assistant and number, with the filters in the address', async () => {
    const { page, faults } = dashboard.owner;
    await page.getByRole('link', { name: 'Analytics' }).click();
    await page.getByRole('heading', { name: 'Calls by day' }).waitFor();
    const open = (part: string) => page.getByRole('tab', { name: part, exact: true }).click();
    await open('Results');
    await page.getByRole('region', { name: 'Calls by outcome' }).getByText('Busy').waitFor();
    await page.getByText('2 outbound, 0 inbound').waitFor();
    await open('Quality');
    await page
      .getByRole('region', { name: 'Conversations by criterion' })
      .getByText('says its name')
      .waitFor();
    await placeCall('Meera Nair', '+14155550002');
    // The stream brings the figures: the page is not opened again.
    await page.getByText('3 outbound, 0 inbound').waitFor();
    await open('Reply delay');
    await page.getByRole('region', { name: 'Reply delay and its parts' }).getByText('Recognition').waitFor();
    await open('Overview');
    await page.getByText('Figures by day').click();
    // That of the workspace, not of the browser.
    await page.getByText(/by the hour of their dialing, in the time zone UTC/).waitFor();
    await page.getByText('Figures by hour').click();
    await open('Assistants');
    await page.getByText('No assistant has ended calls of two versions').waitFor();
    await open('Results');
    // The totals and the outcomes are read apart.
    const busy = page.getByRole('table', { name: 'Calls by outcome' }).getByRole('row', { name: /Busy/ });
    await busy.getByRole('cell', { name: '2', exact: true }).first().waitFor();
    const [sheets] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download all as CSV' }).click(),
    ]);
    const text = await readFile(await sheets.path(), 'utf8');
    expect(text).toMatch(/Hours of the day\r\nhour,timezone,attempts/);
    expect(text).toMatch(/failed,BUSY,2,0/);
    await inspect(page, 'analytics');
    await page.getByLabel('Assistant', { exact: true }).selectOption({ label: 'Front desk' });
    await page.getByRole('heading', { name: 'No ended call matches' }).waitFor();
    expect(new URL(page.url()).searchParams.get('agent')).not.toBeNull();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await open('Overview');
    await page.getByRole('heading', { name: 'Calls by day' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    const days = page.getByRole('group', { name: 'Days', exact: true });
    await days.getByRole('button', { name: '30 days', pressed: true }).waitFor();
    await days.getByRole('button', { name: '7 days' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toMatch(/^\d{4}-\d\d-\d\d$/);
    await days.getByRole('button', { name: '30 days' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    expect(faults).toEqual([]);
  });

  it('are listed by a press on their day, or by Enter', async () => {
    const { page, faults } = dashboard.owner;
    const chart = page.getByRole('slider', { name: /^Ended calls by day/ });
    const isListed = async (): Promise<void> => {
      await page.getByRole('row').filter({ hasText: 'Meera Nair' }).waitFor();
      const { pathname, searchParams } = new URL(page.url());
      expect([pathname, searchParams.get('from')]).toEqual(['/calls', searchParams.get('to')]);
      expect(searchParams.get('from')).toMatch(/^\d{4}-\d\d-\d\d$/);
    };
    await page.goto('/analytics');
    // Where it stands, the pointer may choose a day.
    await page.mouse.move(0, 0);
    // The last day is today.
    await chart.press('ArrowLeft');
    await page.getByText('Press, or Enter: the calls of the day', { exact: true }).waitFor();
    await inspect(page, 'analytics-day');
    await chart.press('Enter');
    await isListed();
    await page.goBack();
    const { width } = (await chart.boundingBox())!;
    await chart.click({ position: { x: width - 8, y: 60 } });
    await isListed();
    expect(faults).toEqual([]);
  });

  it('stand beside those of the period before, where it has any', async () => {
    const { page, faults } = dashboard.owner;
    const chart = page.getByRole('slider', { name: /^Ended calls by day/ });
    const legend = page.getByRole('button', { name: 'Previous period', exact: true });
    const isOfBefore = ({ pathname, searchParams }: URL): boolean =>
      pathname.endsWith('/platform-analytics') && searchParams.has('end_date');
    const read = page.waitForResponse((response) => isOfBefore(new URL(response.url())));
    await page.goto('/analytics');
    await read;
    await chart.waitFor();
    // Nobody called in the 30 days before the test.
    expect(await legend.count()).toBe(0);
    await page.route(isOfBefore, async (route) => {
      const answer = await route.fetch();
      const body: any = await answer.json();
      const date = new URL(route.request().url()).searchParams.get('end_date');
      await route.fulfill({
        response: answer,
        json: { ...body, data: { ...body.data, daily: [{ date, total_calls: 5 }] } },
      });
    });
    await page.mouse.move(0, 0);
    await page.reload();
    await legend.waitFor();
    await expect.poll(() => chart.locator('polyline[stroke-dasharray="2 4"]').count()).toBe(1);
    await chart.press('ArrowLeft');
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toContain('5 previous period');
    await inspect(page, 'analytics-period-before');
    await legend.click();
    await expect.poll(() => chart.locator('polyline').count()).toBe(0);
    await page.unroute(isOfBefore);
    expect(faults).toEqual([]);
  });
});

describe('what was said', () => {
  const read = async (path: string): Promise<any> => (await dashboard.api('GET', path)).body;

  it('is kept for as long as the owner sets, after a question where that deletes', async () => {
    const { page } = dashboard.owner;
    await openPlace(page, 'Data and erasure');
    await page.getByLabel('Recordings, days').fill('30');
    await inspect(page, 'data');
    await page.getByRole('button', { name: 'Save the rules' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete what is older' });
    await dialog.getByText('recordings older than 30 days').waitFor();
    await inspect(page, 'data-question');
    await dialog.getByRole('button', { name: 'Save and delete' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByLabel('Recordings, days').fill('');
    await page.getByLabel('Audit log, days').fill('4000');
    await page.getByRole('button', { name: 'Save the rules' }).click();
    expect(await read('/workspace/retention')).toMatchObject({ recording_days: 30, audit_days: null });
    await page.getByLabel('Audit log, days').fill('');
    await page.getByRole('button', { name: 'Save the rules' }).click();
    await expect
      .poll(() => read('/workspace/retention'), POLLED)
      .toMatchObject({ recording_days: null, transcript_days: null, audit_days: null });
  });

  it('is erased by call and by number, and the calls stay in the history', async () => {
    const { page, faults } = dashboard.owner;
    await page.goto(`/calls/${callIds[1]}`);
    await page.getByLabel('More actions').click();
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase for good' }).click();
    await page.getByText('The words of this call were erased').waitFor();
    await openPlace(page, 'Data and erasure');
    await page.getByLabel('Numbers with country code').fill('+14155550123');
    await page.getByRole('button', { name: 'Erase' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase 1 number' });
    expect(await dialog.getByRole('button', { name: 'Erase for good' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type').fill('erase');
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    await page.getByText('Everything is erased').waitFor();
    await inspect(page, 'data-erasure');
    expect(new URL(page.url()).searchParams.get('erasure')).not.toBeNull();
    const { data } = await read(`/calling/call-details?id=${callIds[0]}`);
    expect(data).toMatchObject({ call_status: 'completed', callee_name: '', recording_url: null });
    expect(data.erased_at).not.toBeNull();
    expect(faults).toEqual([]);
  });
});
