import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { createAgent } from '../helpers/service/scenario.ts';
import { callPhone, testPanel } from '../helpers/browser/try-it.ts';
import { TEST_KEY } from '../helpers/service/service.ts';

const SHARED = { number: '+14155550100', trunk: 'test', display_name: 'Shared', is_test_number: true };
const PROVISION = { workspaces: [{ name: 'Test', api_key: TEST_KEY, credits: 100, numbers: [SHARED] }] };

let dashboard: Dashboard;
let agentId = '';
beforeAll(async () => {
  dashboard = await openDashboard({}, [], PROVISION);
  agentId = await createAgent(dashboard.service);
}, 180_000);
afterAll(() => dashboard?.close());

it('a test call from beside the editor rings a phone from a shared test number, and its page shows the end', async () => {
  const { page, faults } = dashboard.owner;
  await page.goto(`/agents/${agentId}/playground`);
  const dialog = await callPhone(page);
  await dialog.getByText('A shared test number: only test calls of the dashboard use it.').waitFor();
  // On the built-in test carrier this callee hangs up in the middle of a sentence.
  await dialog.getByLabel('Number with country code').fill('+1 415 555 0007');
  await dialog.getByLabel('Name of the person').fill('Priya');
  await inspect(page, 'try-it-call');
  await dialog.getByRole('button', { name: 'Call', exact: true }).click();
  await testPanel(page).getByRole('link', { name: 'Open the record of this call' }).click();
  await page.getByText('Call to +14155550007').waitFor();
  await page.getByRole('region', { name: 'Recording' }).locator('svg').first().waitFor();
  await page.getByText('The person hangs up').waitFor();
  const { calls } = (await dashboard.api('GET', '/calling/history')).body;
  expect(calls).toMatchObject([{ call_status: 'completed', from_number: SHARED.number }]);
  expect(faults).toEqual([]);
});

it('a process that stops shows its operator a failed check on home, and what it means', async () => {
  // Without a provision file the first owner is the operator.
  await dashboard.close();
  dashboard = await openDashboard();
  const { body } = await dashboard.api('GET', '/agent/all');
  agentId = body.data.agents[0].id;
  const { page, faults } = dashboard.owner;
  await page.goto(`/agents/${agentId}/playground`);
  const dialog = await callPhone(page);
  await dialog.getByLabel('Number with country code').fill('+14155550123');
  await dialog.getByLabel('Name of the person').fill('Asha');
  await dialog.getByRole('button', { name: 'Call', exact: true }).click();
  await testPanel(page).getByRole('link', { name: 'Open the record of this call' }).click();
  await page.getByRole('region', { name: 'Live call' }).waitFor();
  // The live call keeps the process, and with it the dashboard, until it ends.
  dashboard.service.child.kill('SIGTERM');
  await page.getByRole('link', { name: 'Home' }).click();
  const check = page.getByRole('listitem').filter({ hasText: 'Takes new calls' });
  await check.getByText('Failed', { exact: true }).waitFor();
  await check.getByText('The process is stopping and takes no new calls.').waitFor();
  await inspect(page, 'home-failed');
  expect(faults).toEqual([]);
});
