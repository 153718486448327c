import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect, openPage } from '../helpers/browser/chromium.ts';
import { openDashboard, OWNER, type Dashboard } from '../helpers/browser/dashboard.ts';
import { createAgent, provisionWith } from '../helpers/service/scenario.ts';
import { workbook } from '../helpers/campaigns/workbook.ts';

let dashboard: Dashboard;
let agentId = '';
beforeAll(async () => {
  dashboard = await openDashboard({}, [], provisionWith({}));
  agentId = await createAgent(dashboard.service, {
    intro_message:
      'Hello {{callee_name}}, it is about your visit on {{day}}. See you at {{place|our clinic}}.',
    custom_variables: ['callee_name', 'mobile_number', 'day', 'place'],
    agent_type: 'outbound',
  });
});
afterAll(() => dashboard?.close());

/** At every hour of the year it is night in at least one of these places: before 08:00, or after 21:00. */
const LIST = [
  'Phone,Name,Day',
  '+14155550101,Asha,Monday',
  '+819012345678,Ravi,Tuesday',
  '+442079460001,Emma,Friday',
].join('\n');
const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(11, 16);

/** The page of a new campaign whose calls leave in a window of UTC. */
async function openDraft(name: string, window: { start: string; end: string }): Promise<string> {
  const form = new FormData();
  const call_time = { call_start_time: window.start, call_end_time: window.end, timezone: 'Etc/UTC' };
  form.append('agent_id', agentId);
  form.append('campaign_name', name);
  form.append('variables_map', JSON.stringify({ mobile_number: 'Phone', callee_name: 'Name', day: 'Day' }));
  form.append('call_config', JSON.stringify({ call_time, call_retry_config: { retry_count: 0 } }));
  form.append('file', new Blob([LIST], { type: 'text/csv' }), 'list.csv');
  const saved = await dashboard.form('/campaign/save', form);
  expect(saved.body).toMatchObject({ successful_rows: 3 });
  await dashboard.owner.page.goto(`/campaigns/${saved.body.list_id}`);
  await dashboard.owner.page.getByText('3 contacts. It costs at least').waitFor();
  return saved.body.list_id as string;
}
const stateOf = async (id: string): Promise<string> =>
  (await dashboard.api('GET', `/campaign/${id}`)).body.campaign.campaign_status;
const callsOf = async (): Promise<any[]> => (await dashboard.api('GET', '/calling/history')).body.calls;

describe('the list of a campaign', () => {
  it('may be a workbook; a row without a used value is refused with the reason, and can be left out', async () => {
    const { page, faults } = dashboard.owner;
    await page.goto('/campaigns/new');
    await page.getByLabel('Assistant', { exact: true }).selectOption({ label: 'Appointments' });
    await page.getByLabel('File').setInputFiles({
      name: 'visits.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: workbook([
        ['Phone', 'Name', 'Day'],
        ['+14155550101', 'Asha', 'Monday'],
        ['+14155550103', 'Ravi', null],
        ['12', 'Emma', 'Monday'],
      ]),
    });
    await page.getByText('The first rows of the first sheet').waitFor();
    await expect.poll(() => page.getByLabel('day', { exact: true }).inputValue()).toBe('Day');
    await page.getByRole('button', { name: 'Check the list' }).click();
    await page.getByRole('heading', { name: '2 invalid rows' }).waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/E\.164/);
    // A cell of a workbook is corrected on the page, and the list with it is checked again.
    await page.getByLabel('Phone, row 3', { exact: true }).fill('+14155550104');
    await page.getByRole('button', { name: 'Check again with these values' }).click();
    await page.getByRole('heading', { name: '1 invalid row', exact: true }).waitFor();
    const row = page.getByRole('table', { name: 'Invalid rows' }).getByRole('row').filter({ hasText: 'Day' });
    await row
      .getByText(/empty|no value/)
      .first()
      .waitFor();
    await inspect(page, 'campaign-refused-rows');
    expect(await page.getByText('remove_invalid_rows').count()).toBe(0);
    await page.getByRole('button', { name: 'Leave these rows out' }).click();
    await page.getByRole('heading', { name: 'visits' }).waitFor();
    await page.getByText('2 contacts. It costs at least').waitFor();
    expect(faults).toEqual([]);
  });
});

describe('the start of a campaign', () => {
  it('is reviewed first: people by local time, from which number, with which words', async () => {
    const { page, faults } = dashboard.owner;
    const id = await openDraft('Visits', { start: '00:00', end: '00:00' });
    await page.getByRole('button', { name: 'Start calling' }).click();
    const sheet = page.getByRole('dialog', { name: 'Start “Visits”?' });
    await sheet.getByText('Calls come from +1 415 555 0100.').waitFor();
    const where = sheet.getByRole('region', { name: 'Where the people are' });
    for (const place of ['Los Angeles', 'Tokyo', 'London']) {
      const row = where.getByRole('row').filter({ hasText: place });
      await row.getByText('Called now').waitFor();
    }
    const words = sheet.getByRole('region', { name: 'What they hear first' });
    await words.getByText('“Hello Asha, it is about your visit on Monday. See you at our clinic.”').waitFor();
    await expect.poll(() => words.getByRole('listitem').count()).toBe(3);
    await inspect(page, 'campaign-review');
    expect(await stateOf(id)).toBe('draft');
    expect(faults).toEqual([]);
  });

  it('calls the reader first, with the words of a row, and starts nothing', async () => {
    const { page } = dashboard.owner;
    const sheet = page.getByRole('dialog', { name: 'Start “Visits”?' });
    const first = sheet.getByRole('region', { name: 'Call me first' });
    await first.getByLabel('Your number').fill('415');
    await first.getByRole('button', { name: 'Call me' }).click();
    await first.getByText('This is no phone number of United States').waitFor();
    await first.getByLabel('Your number').fill('(415) 555-0002');
    await first.getByRole('button', { name: 'Call me' }).click();
    await first.getByRole('link', { name: 'Follow it in another tab' }).waitFor();
    const single = (await callsOf()).filter(({ bulk_list_id: list }) => list === null);
    expect(single).toHaveLength(1);
    expect(single[0]).toMatchObject({ to_number: '+14155550002', agent_id: agentId });
    expect(['Asha', 'Ravi', 'Emma']).toContain(single[0].callee_name);
    expect(single[0].custom_args_values.day).toMatch(/day$/);
    expect(single[0].call_sub_status).not.toBe('WINDOW_CLOSED');
  });

  it('needs a click of its own where phones would ring at night, then starts', async () => {
    const { page } = dashboard.owner;
    const sheet = page.getByRole('dialog', { name: 'Start “Visits”?' });
    const start = sheet.getByRole('button', { name: 'Start', exact: true });
    expect(await start.isDisabled()).toBe(true);
    await sheet.getByRole('checkbox', { name: /before 08:00 or after 21:00 on their clock/ }).check();
    await start.click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
  });

  it('says until when people wait whose calling hours are closed', async () => {
    const { page, faults } = dashboard.owner;
    const HOUR = 3_600_000;
    const opens = Date.now() + 2 * HOUR;
    await openDraft('Later', { start: minuteOf(opens), end: minuteOf(opens + HOUR) });
    await page.getByRole('button', { name: 'Start calling' }).click();
    const sheet = page.getByRole('dialog', { name: 'Start “Later”?' });
    await sheet.getByText('the calling hours are closed now, and all wait').waitFor();
    const where = sheet.getByRole('region', { name: 'Where the people are' });
    await expect.poll(() => where.getByText(/^Wait until/).count()).toBe(3);
    const phone = await openPage(dashboard.browser, dashboard.service.url, { width: 390, height: 844 });
    await phone.page.goto('/');
    await phone.page.getByLabel('Email').fill(OWNER.email);
    await phone.page.getByLabel('Password').fill(OWNER.password);
    await phone.page.keyboard.press('Enter');
    await phone.page.getByRole('heading', { name: 'Home' }).waitFor();
    await phone.page.goto(new URL(page.url()).pathname);
    await phone.page.getByRole('button', { name: 'Start calling' }).click();
    await phone.page.getByText('the calling hours are closed now, and all wait').waitFor();
    await phone.page.getByText('it is about your visit on').first().waitFor();
    await inspect(phone.page, 'phone-campaign-review');
    expect(phone.faults).toEqual([]);
    await phone.context.close();
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    await sheet.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });
});
