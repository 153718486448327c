import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkWidth, inspect, keepingMessage, openPage } from '../helpers/browser/chromium.ts';
import { openDashboard, OWNER, SCRIPT, type Dashboard } from '../helpers/browser/dashboard.ts';
import { removeFilter, setFilter } from '../helpers/browser/filters.ts';
import { DEVELOPER_SCREENS, openPlace, SCREENS, showRequests } from '../helpers/browser/places.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard?.close());

/** Two good rows, one with a script as its name, and two bad ones. */
const LIST = [
  'Phone,First name',
  `+14155550123,"${SCRIPT.replaceAll('"', '""')}"`,
  '+14155550124,Asha',
  '12,Short',
  `"<script>alert(1)</script>",Bad`,
].join('\n');
const file = (text: string) => ({ name: 'patients.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

describe('an empty workspace', () => {
  it('shows what its first call needs', async () => {
    const { page, faults } = dashboard.owner;
    await page.getByRole('link', { name: 'To do: Make a first call' }).waitFor();
    await page.getByText('Nobody is on the phone.').waitFor();
    await inspect(page, 'home-empty');
    expect(faults).toEqual([]);
  });

  it('teaches on the live and campaign screens with one action each', async () => {
    const { page } = dashboard.owner;
    await page.getByRole('link', { name: 'Live calls' }).click();
    await page.getByRole('heading', { name: 'No live calls' }).waitFor();
    await inspect(page, 'live-empty');
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('heading', { name: 'No campaigns yet' }).waitFor();
    await inspect(page, 'campaigns-empty');
    expect(new URL(page.url()).pathname).toBe('/campaigns');
  });

  it('opens screens from the palette by keyboard alone', async () => {
    const { page } = dashboard.owner;
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Screen, action/ }).waitFor();
    await inspect(page, 'palette');
    await page.keyboard.type('shortcut');
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Next row of a table').waitFor();
    await inspect(page, 'shortcuts');
    await sheet.getByLabel('Shortcuts of single keys').uncheck();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await sheet.getByLabel('Shortcuts of single keys').check();
    await sheet.getByRole('button', { name: 'Close', exact: true }).click();
    await page.keyboard.press('?');
    await sheet.waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'No calls yet' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('g?');
    await expect.poll(() => page.getByLabel('Called number').inputValue()).toBe('g?');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Screen, action/ }).waitFor();
    await page.keyboard.type('new camp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New campaign' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/campaigns/new');
  });
});

describe('lists without entries', () => {
  it('say what they are for', async () => {
    const { page } = dashboard.owner;
    const screens = [
      ['Webhooks', 'Nothing was sent yet'],
      ['Do not call', 'No number is on the list'],
      ['Chats', 'No chats yet'],
      ['WhatsApp', 'No WhatsApp number yet'],
      ['Credits', 'No credits were moved yet'],
      ['API requests', 'No request yet'],
    ] as const;
    for (const [name, heading] of screens) {
      await openPlace(page, name);
      await page.getByRole('heading', { name: heading }).waitFor();
      await inspect(page, `${name.toLowerCase().replaceAll(' ', '-')}-empty`);
    }
    expect((await dashboard.api('GET', '/dnc')).body.total).toBe(0);
    await page.goto('/campaigns/new');
    await page.getByRole('heading', { name: 'New campaign' }).waitFor();
  });
});

/** The report of the campaign that is open. */
async function reportOf(page: Page): Promise<string> {
  const [report] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the report' }).click(),
  ]);
  return readFile(await report.path(), 'utf8');
}

describe('a campaign', () => {
  it('shows the invalid rows of its list, with a file to correct', async () => {
    const { page } = dashboard.owner;
    const [empty] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download an empty list' }).click(),
    ]);
    expect(await readFile(await empty.path(), 'utf8')).toContain('"Mobile Number","Callee Name"');
    await page.getByLabel('File').setInputFiles(file(LIST));
    await expect.poll(() => page.getByLabel('Phone number').inputValue()).toBe('Phone');
    await expect.poll(() => page.getByLabel('Name of the person').inputValue()).toBe('First name');
    // Overnight, on the clock of the assistant and of the reader; then an edge of the bar is dragged to noon.
    await page.getByLabel('Calls from').fill('22:00');
    await page.getByLabel('Calls until').fill('06:00');
    await page.getByText('The window crosses midnight').waitFor();
    await page.getByText('On your clock (Asia/Kolkata): 03:30 to 11:30.').waitFor();
    await page.locator('[data-edge=end]').scrollIntoViewIfNeeded();
    const edge = await page.locator('[data-edge=end]').boundingBox();
    const [x, y] = [(edge?.x ?? 0) + (edge?.width ?? 0) / 2, (edge?.y ?? 0) + (edge?.height ?? 0) / 2];
    const start = await page.locator('[data-edge=start]').boundingBox();
    // From 06:00 to 22:00 are two thirds of the bar.
    const day = (((start?.x ?? 0) - (edge?.x ?? 0)) * 3) / 2;
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + day / 4, y);
    await page.mouse.up();
    await expect.poll(() => page.getByLabel('Calls until').inputValue()).toBe('12:00');
    await inspect(page, 'campaign-window');
    await page.getByLabel('Calls from').fill('00:00');
    await page.getByLabel('Calls until').fill('00:00');
    await page.getByLabel('Retries of each contact').fill('0');
    await page.getByRole('button', { name: 'Check the list' }).click();
    await page.getByRole('heading', { name: '2 invalid rows' }).waitFor();
    await page.getByRole('heading', { name: 'Duplicates' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the invalid rows' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toContain('Short');
    await inspect(page, 'campaign-new');
    // A value is corrected on the page, and the list with it is checked again.
    const cell = page.getByLabel('Phone, row 3', { exact: true });
    await expect.poll(() => cell.inputValue()).toBe('12');
    await cell.fill('34');
    await page.getByRole('button', { name: 'Check again with these values' }).click();
    await page.getByRole('button', { name: 'Check again with these values', disabled: true }).waitFor();
    await expect.poll(() => cell.inputValue()).toBe('34');
    await page.getByRole('heading', { name: '2 invalid rows' }).waitFor();
  });

  it('shows its cost before the start, then calls, pauses, resumes and reports', async () => {
    const { page } = dashboard.owner;
    await page.getByLabel('Leave invalid rows out, instead of refusing the list').check();
    await page.getByRole('button', { name: 'Check the list' }).click();
    await page.getByRole('heading', { name: 'patients' }).waitFor();
    await page.getByText('2 contacts. It costs at least').waitFor();
    await inspect(page, 'campaign-draft');
    await page.getByLabel('Share of the concurrent calls, percent').fill('1');
    await page.getByRole('button', { name: 'Start calling' }).click();
    const sheet = page.getByRole('dialog', { name: 'Start “patients”?' });
    await sheet.getByText('2 people', { exact: true }).waitFor();
    // In the night of these numbers the start needs a click more.
    const night = sheet.getByRole('checkbox');
    if ((await night.count()) > 0) await night.check();
    await sheet.getByRole('button', { name: 'Start', exact: true }).click();
    await keepingMessage(page, async () => {
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    });
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await page
      .getByText('0 of the last 0 attempts failed, retries counted; it pauses the campaign at 50%.')
      .waitFor();
    const contacts = page.getByRole('region', { name: 'Contacts' });
    await contacts.getByRole('row').filter({ hasText: 'Asha' }).waitFor();
    await setFilter(page, 'State of the contact', 'Completed');
    await page.getByText('No contact matches.').waitFor();
    await removeFilter(page, 'State of the contact');
    await contacts.waitFor();
    await page.getByRole('region', { name: 'Paused' }).getByText('no new calls begin').waitFor();
    await inspect(page, 'campaign-paused');
    expect(await reportOf(page)).toContain('Asha');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByLabel('More actions').click();
    await page.getByRole('link', { name: 'Show its calls' }).click();
    await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
    await page.getByRole('row').filter({ hasText: 'Asha' }).waitFor();
    expect(new URL(page.url()).searchParams.get('campaign')).not.toBeNull();
  });

  it('is followed live from home, and its words as they are spoken, until the hang-up', async () => {
    const { page } = dashboard.owner;
    await page.getByRole('link', { name: 'Home' }).click();
    // The stream brings the call here: the page is not opened again.
    await page.getByRole('link', { name: 'Watch live calls' }).click();
    const live = page.getByRole('region', { name: 'Live call' });
    await live.getByText('Maya').first().waitFor();
    await live.getByRole('button', { name: 'Listen', exact: true }).click();
    await live.getByText('You hear the call').waitFor();
    await live.getByTestId('levels').waitFor();
    await live.getByText('of at most 4:00').waitFor();
    await inspect(page, 'live');
    await live.getByRole('button', { name: 'Stop listening' }).click();
    await live.getByRole('button', { name: 'Hang up' }).click();
    await live.getByRole('button', { name: 'Hang up' }).click();
    await live.getByText(/The call ended/).waitFor();
    await live.getByRole('button', { name: 'Hang up' }).waitFor({ state: 'detached' });
    const { calls } = (await dashboard.api('GET', '/calling/history')).body;
    const listeners = await Promise.all(
      calls.map(async ({ call_id: id }: any) => {
        const details = await dashboard.api('GET', `/calling/call-details?id=${id}`);
        return details.body.data.listeners.map(({ listener }: any) => listener);
      }),
    );
    expect(listeners.flat()).toEqual([OWNER.email]);
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: 'patients' }).waitFor();
    await inspect(page, 'home');
  });

  it('is terminated after a typed word, and shows so on a phone', async () => {
    const { page, faults } = dashboard.owner;
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await inspect(page, 'campaigns');
    await page.getByRole('link', { name: 'patients' }).click();
    await page.getByLabel('More actions').click();
    await page.getByRole('button', { name: 'Terminate' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Terminate' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type “terminate”').fill('terminate');
    await inspect(page, 'campaign-terminate');
    await dialog.getByRole('button', { name: 'Terminate' }).click();
    // The dialog closes once the page has read the campaign again; until then it takes the keyboard.
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Terminated').first().waitFor();
    // The call that was hung up: among the attempts, and by its number. Two calls say nothing about an hour.
    await page.getByRole('tab', { name: 'Timing' }).click();
    await page
      .getByRole('region', { name: 'Attempts' })
      .getByRole('row', { name: /First call/ })
      .waitFor();
    expect(await page.getByRole('heading', { name: 'Answered by hour' }).count()).toBe(0);
    await page.getByRole('tab', { name: 'People' }).click();
    const listed = page.getByRole('region', { name: 'Contacts' }).getByRole('row');
    await listed.filter({ hasText: 'Asha' }).waitFor();
    await page.getByLabel('Number of the contact').fill('+14155550123');
    await page.keyboard.press('Enter');
    await listed.filter({ hasText: 'Asha' }).waitFor({ state: 'detached' });
    await listed.filter({ hasText: '+14155550123' }).waitFor();
    await expect.poll(() => listed.count()).toBe(2);
    const contacts = (await reportOf(page)).trim().split('\n').slice(1);
    expect(contacts).toHaveLength(2);
    const phone = await openPage(dashboard.browser, dashboard.service.url, { width: 390, height: 844 });
    await phone.page.goto(new URL(page.url()).pathname);
    await phone.page.getByLabel('Email').fill(OWNER.email);
    await phone.page.getByLabel('Password').fill(OWNER.password);
    await phone.page.getByRole('button', { name: 'Sign in' }).click();
    await phone.page.getByText('Terminated').first().waitFor();
    await inspect(phone.page, 'phone-campaign');
    await phone.page.goto('/');
    await phone.page.getByRole('heading', { name: 'Home' }).waitFor();
    await inspect(phone.page, 'phone-home');
    for (const path of [...SCREENS, ...DEVELOPER_SCREENS]) {
      await phone.page.goto(path);
      await phone.page.getByRole('heading', { level: 1 }).waitFor();
      await phone.page.getByText('Loading').first().waitFor({ state: 'detached' });
      await checkWidth(phone.page, `phone${path.replaceAll('/', '-')}`);
    }
    expect([...faults, ...phone.faults]).toEqual([]);
    await phone.context.close();
  }, 240_000);
});

describe('the logs and lists', () => {
  it('show a failing webhook with its request and answer, and send it again', async () => {
    const { page } = dashboard.owner;
    const sent = await dashboard.api('POST', '/webhooks/test', {
      event_type: 'call_completed',
      callback_url: 'http://receiver.invalid/hook',
      headers: { 'x-note': '<script>alert(1)</script>' },
    });
    expect(sent.status).toBe(200);
    await openPlace(page, 'Webhooks');
    const row = page.getByRole('row').filter({ hasText: 'receiver.invalid' });
    await row.getByText('Host name not found').waitFor();
    await inspect(page, 'webhooks');
    await row.getByRole('link', { name: 'call_completed' }).click();
    await page.getByText('POST http://receiver.invalid/hook').waitFor();
    await page
      .getByRole('cell', { name: /^Host name not found/ })
      .first()
      .waitFor();
    await inspect(page, 'delivery');
    await page.goto('/webhooks');
    await page.getByRole('button', { name: 'Send a test event' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Event').selectOption('campaign_completed');
    await dialog.getByLabel('Address of the receiver').fill('http://receiver.invalid/other');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('POST http://receiver.invalid/other').waitFor();
    await page.goto('/webhooks?state=delivered');
    await page.getByRole('heading', { name: 'No delivery is in this state' }).waitFor();
    await page.getByRole('button', { name: 'Resend these' }).click();
    await page.getByText(/sent again/).waitFor();
  });

  it('keep numbers from being called, and allow them again', async () => {
    const { page } = dashboard.owner;
    await page.getByRole('link', { name: 'Do not call' }).click();
    await page.getByLabel('Numbers with country code, one a line').fill('+14155550150\n+14155550151');
    await page.getByRole('button', { name: 'Never call these' }).click();
    await page.getByText('Added 2 numbers, cancelled 0 queued calls.').waitFor();
    await page.getByRole('row').filter({ hasText: '+14155550150' }).waitFor();
    await inspect(page, 'do-not-call');
    const entry = page.getByRole('row').filter({ hasText: '+14155550151' });
    expect(await page.getByText('curl').count()).toBe(0);
    await showRequests(page);
    await entry.getByRole('button', { name: 'Copy as curl: removal of +14155550151' }).click();
    await entry.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `-d '{"mobile_numbers":["+14155550151"]}'`,
    );
    await keepingMessage(page, async () => {
      await entry.getByRole('button', { name: 'Allow calls again' }).click();
      await page.getByText('+14155550151 may be called again.').waitFor();
    });
    await entry.waitFor({ state: 'detached' });
    expect((await dashboard.api('GET', '/dnc')).body.total).toBe(1);
    await inspect(page, 'toast-undo');
    // At the lower left of the content: buttons that add and save stand at its right.
    const box = await page.getByRole('region', { name: 'Messages' }).boundingBox();
    expect([box?.x, box?.width]).toEqual([14.75 * 16, 24 * 16]);
    await page.keyboard.press('F8');
    await page.keyboard.press('Enter');
    await entry.waitFor();
    expect((await dashboard.api('GET', '/dnc')).body.total).toBe(2);
    await entry.getByRole('button', { name: 'Allow calls again' }).click();
    await entry.waitFor({ state: 'detached' });
    await page.keyboard.press('z');
    await entry.waitFor();
    expect((await dashboard.api('GET', '/dnc')).body.total).toBe(2);
    const many = Array.from({ length: 180 }, (_, n) => `+1415556${String(1000 + n)}`);
    await dashboard.api('POST', '/dnc', { mobile_numbers: many });
    await page.reload();
    const rows = page
      .getByRole('table', { name: 'Numbers that are never called' })
      .locator('tr[aria-rowindex]');
    await rows.first().waitFor();
    // A long table draws the rows near the screen only, and the others as they are scrolled to.
    expect(await rows.count()).toBeLessThan(100);
    await page.locator('html').evaluate((html) => html.scrollTo(0, html.scrollHeight));
    const last = page.locator('tr[aria-rowindex="183"]');
    await last.waitFor();
    expect(await rows.count()).toBeLessThan(100);
    await last.getByRole('button').first().focus();
    for (let n = 0; n < 60; n += 1) await page.keyboard.press('k', { delay: 15 });
    await page.locator('tr[aria-rowindex="123"]:focus-within').waitFor();
    await dashboard.api('DELETE', '/dnc', { mobile_numbers: many });
  });

  it('show who did what, and copy a request as curl', async () => {
    const { page, faults } = dashboard.owner;
    await openPlace(page, 'Audit log');
    await page.getByRole('cell', { name: 'Added numbers to the do-not-call list' }).first().waitFor();
    await page.getByRole('cell', { name: OWNER.email }).first().waitFor();
    await inspect(page, 'audit-log');
    await openPlace(page, 'API requests');
    await page.getByRole('cell', { name: '/api/v0/dnc' }).first().waitFor();
    await inspect(page, 'api-requests');
    const refused = { mobile_numbers: ['no number', SCRIPT], api_key: 'mustnotshow' };
    expect((await dashboard.api('POST', '/dnc?from=the%20shop', refused)).status).toBe(422);
    await setFilter(page, 'Status', '4xx, refused');
    await page.getByLabel('Path or query contains').fill('THE%20SHOP');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'from=the%20shop' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'POST /api/v0/dnc' }).waitFor();
    await page.getByRole('heading', { name: 'api_key is not a known field' }).waitFor();
    await inspect(page, 'api-request');
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied').waitFor();
    const replay = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(replay).toContain(`'${dashboard.service.url}/api/v0/dnc?from=the%20shop'`);
    expect(replay).toContain('"api_key":"<api_key>"');
    await page.goto('/settings/requests?request=%22none%22');
    await page.getByRole('heading', { name: 'No request matches' }).waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('cell', { name: '/api/v0/dnc' }).first().waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await checkWidth(page, 'api-requests-phone');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('link', { name: 'Do not call' }).click();
    await page.getByLabel('Numbers with country code, one a line').fill("+14155550152'; rm -rf /");
    await page.getByRole('button', { name: 'Copy as curl', exact: true }).click();
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(String(copied).split(' \\\n  ')).toEqual([
      `curl -X POST '${dashboard.service.url}/api/v0/dnc'`,
      '-H "X-API-KEY: $CALLWRIGHT_KEY"',
      "-H 'Content-Type: application/json'",
      `-d '{"mobile_numbers":["+14155550152'\\''","rm -rf /"]}'`,
    ]);
    await openPlace(page, 'Credits');
    await page.getByRole('heading', { name: 'Credits' }).first().waitFor();
    await inspect(page, 'credits');
    expect(faults).toEqual([]);
  });
});
