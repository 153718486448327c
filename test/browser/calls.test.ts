import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { createAgent, provisionWith } from '../helpers/service/scenario.ts';
import { eventually } from '../helpers/service/service.ts';

let dashboard: Dashboard;
let failedId = '';
let failure: { message: string } | null = null;
let failedAs = '';

async function place(agentId: string, name: string, number: string): Promise<string> {
  const { workspace_numbers: numbers } = (await dashboard.api('GET', '/workspace/numbers')).body;
  const placed = await dashboard.api('POST', '/calling/outbound/individual', {
    name,
    mobile_number: number,
    agent_id: agentId,
    from_number_id: numbers[0].id,
  });
  expect(placed.status).toBe(200);
  return placed.body.data.call_id as string;
}

beforeAll(async () => {
  const nowhere = { name: 'nowhere', uri: 'sip:127.0.0.1:1;transport=tcp' };
  dashboard = await openDashboard({}, [], provisionWith({ trunks: [nowhere], trunk: 'nowhere' }));
  const HOUR = 3_600_000;
  const minute = (ms: number): string => new Date(ms).toISOString().slice(11, 16);
  const opens = Date.now() + 2 * HOUR;
  const [now, later] = await Promise.all([
    createAgent(dashboard.service),
    createAgent(dashboard.service, {
      agent_name: 'Later',
      call_config: {
        call_time: {
          call_start_time: minute(opens),
          call_end_time: minute(opens + HOUR),
          timezone: 'Etc/UTC',
        },
      },
    }),
  ]);
  failedId = await place(now, 'Nina Unknown', '+14155550123');
  const failed: any = await eventually(
    'the end of the call',
    async () => {
      const { data } = (await dashboard.api('GET', `/calling/call-details?id=${failedId}`)).body;
      return data.call_status === 'registered' || data.call_status === 'ongoing' ? null : data;
    },
    90_000,
  );
  ({ failure, call_status: failedAs } = failed);
  for (let n = 1; n <= 6; n += 1) await place(later, `Waiting ${n}`, `+1415555012${n}`);
}, 400_000);
afterAll(() => dashboard?.close());

describe('calls', () => {
  it('that failed say why at the head of their page', async () => {
    const { page } = dashboard.owner;
    expect([failedAs, failure]).toMatchObject(['failed', { code: 'TRUNK_UNREACHABLE' }]);
    await page.goto(`/calls/${failedId}`);
    await page.locator('main header').getByText(failure!.message).waitFor();
    await inspect(page, 'call-failed');
  });

  it('that were never dialled are not among the latest calls of home', async () => {
    const { page } = dashboard.owner;
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('heading', { name: 'Latest results' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Nina Unknown' }).waitFor();
    expect(await page.getByRole('main').getByText('Waiting 1').count()).toBe(0);
    await inspect(page, 'home-waiting');
  });

  it('show when they were dialled last, and that others wait', async () => {
    const { page, faults } = dashboard.owner;
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    const started = (name: string) =>
      page.getByRole('row').filter({ hasText: name }).getByRole('link').first().innerText();
    await page.getByRole('row').filter({ hasText: 'Waiting 6' }).waitFor();
    await expect.poll(() => started('Waiting 6')).toBe('Waiting');
    const { data } = (await dashboard.api('GET', `/calling/call-details?id=${failedId}`)).body;
    const time = page.getByRole('row').filter({ hasText: 'Nina Unknown' }).locator('time').first();
    expect(await time.getAttribute('datetime')).toBe(data.last_dialed_at);
    await inspect(page, 'calls-waiting');
    expect(faults).toEqual([]);
  });

  it('are found by a part of the name or number of a person who was called', async () => {
    const { page, faults } = dashboard.owner;
    const people = page.getByRole('group', { name: 'People', exact: true });
    const found = people.getByRole('option', { name: /^Nina Unknown/ });
    const search = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Screen, action/ }).fill(text);
      await found.waitFor();
    };
    await search('+1 415 555');
    // Those who wait were not called yet.
    expect(await people.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Escape');
    await people.waitFor({ state: 'detached' });
    await search('unkn');
    await inspect(page, 'palette-people');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/calls/${failedId}`);
    expect(faults).toEqual([]);
  });
});
