import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { createAgent, provisionWith } from '../helpers/service/scenario.ts';
import { eventually } from '../helpers/service/service.ts';

/** Of the test carrier: two people who answer, and one who is busy and waits for a second call. */
const LIST = ['Phone,Name', '+14155550123,Asha', '+14155550124,Ravi', '+14155550002,Otto'].join('\n');

let dashboard: Dashboard;
let campaignId = '';
beforeAll(async () => {
  dashboard = await openDashboard({}, [], provisionWith({}));
  const agentId = await createAgent(dashboard.service, { agent_type: 'outbound' });
  const { workspace_numbers: numbers } = (await dashboard.api('GET', '/workspace/numbers')).body;
  const form = new FormData();
  form.append('agent_id', agentId);
  form.append('campaign_name', 'Visits');
  form.append('variables_map', JSON.stringify({ mobile_number: 'Phone', callee_name: 'Name' }));
  const call_time = { call_start_time: '00:00', call_end_time: '00:00', timezone: 'Etc/UTC' };
  form.append('call_config', JSON.stringify({ call_time, call_retry_config: { retry_count: 1 } }));
  form.append('file', new Blob([LIST], { type: 'text/csv' }), 'list.csv');
  campaignId = (await dashboard.form('/campaign/save', form)).body.list_id;
  const start = { agent_id: agentId, list_id: campaignId, from_numbers: [numbers[0].id] };
  await dashboard.api('POST', '/campaign/start', start);
}, 240_000);
afterAll(() => dashboard?.close());

it('a running campaign shows when it will be done, by the calls that it made and the call that waits', async () => {
  const progress = async (): Promise<any> =>
    (await dashboard.api('GET', `/campaign/${campaignId}/progress`)).body;
  const now = await eventually('two calls have ended and one waits for its retry', async () => {
    const read = await progress();
    const isWaiting = read.waiting !== null && Date.parse(read.waiting.next_attempt_at) > Date.now();
    return isWaiting && read.pace.live_calls === 0 && read.circuit_breaker.last_calls === 3 ? read : null;
  });
  // One contact has one attempt left, and is not called before its time, however fast the campaign calls.
  expect(now.estimate.calls_left).toBe(1);
  const due: string = now.waiting.next_attempt_at;
  expect(now.estimate.ends_at).toBe(due);
  const { page, faults } = dashboard.owner;
  const opened = Date.now();
  await page.goto(`/campaigns/${campaignId}`);
  const pace = page.getByRole('region', { name: 'Pace', exact: true });
  await pace.getByText('for 1 call with retries; the rest is waiting', { exact: false }).waitFor();
  const end = pace.locator('time').first();
  expect(await end.getAttribute('datetime')).toBe(due);
  // The page counted them between now and its opening.
  const minutes = Number(/About (\d+) minutes?/.exec(await pace.innerText())?.[1]);
  const until = (at: number): number => Math.ceil((Date.parse(due) - at) / 60_000);
  expect(minutes).toBeLessThanOrEqual(until(opened));
  expect(minutes).toBeGreaterThanOrEqual(until(Date.now()));
  await inspect(page, 'campaign-forecast');
  expect(faults).toEqual([]);
});

it('shows its attempts over time, and those that are expected to the end', async () => {
  const { page, faults } = dashboard.owner;
  const isOfStatistics = ({ pathname }: URL): boolean =>
    pathname.endsWith(`/campaign/${campaignId}/statistics`);
  await page.route(isOfStatistics, async (route) => {
    const answer = await route.fetch();
    const body: any = await answer.json();
    // As if it had begun an hour earlier: the attempts of one quarter of an hour are no line.
    const at = new Date(Date.parse(body.course[0].at) - 3_600_000).toISOString();
    const course = [{ at, calls: 2, answered: 2 }, ...body.course];
    await route.fulfill({ response: answer, json: { ...body, course } });
  });
  await page.reload();
  await page.getByRole('tab', { name: 'Timing', exact: true }).click();
  await page.getByRole('heading', { name: 'Attempts over time', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Expected attempts', exact: true }).waitFor();
  const chart = page.getByRole('slider', { name: /^Ended attempts, the answered ones and those expected/ });
  await chart.press('ArrowRight');
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toContain('2 attempts, 2 answered');
  await inspect(page, 'campaign-attempts');
  await page.unroute(isOfStatistics);
  expect(faults).toEqual([]);
});
