import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { inspect } from '../helpers/browser/chromium.ts';
import { holdAnswers } from '../helpers/browser/hold-answers.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { createAgent, provisionWith } from '../helpers/service/scenario.ts';
import { TEST_KEY } from '../helpers/service/service.ts';

/** Of the test carrier: three people who answer every question, one who is busy, and a number that does not exist. */
const PEOPLE = [
  ['+14155550123', 'Asha'],
  ['+14155550124', 'Ravi'],
  ['+14155550125', 'Emma'],
  ['+14155550002', 'Otto'],
  ['+14155550005', 'Ida'],
] as const;
const LABEL = 'Confirmed';
const ASKED = 'Asked for a person';
const LIMIT = { timeout: 120_000 };

let dashboard: Dashboard;
let campaignId = '';
beforeAll(async () => {
  dashboard = await openDashboard({}, [], provisionWith({}));
  const api = (method: string, path: string, body?: object) => dashboard.api(method, path, body);
  const agentId = await createAgent(dashboard.service, { agent_type: 'outbound' });
  const labels = {
    operation: 'edit_client_analysis',
    agent_id: agentId,
    keys: {},
    classification_labels: [LABEL],
  };
  await api('PATCH', '/agent/v1', labels);
  const { workspace_numbers: numbers } = (await api('GET', '/workspace/numbers')).body;
  const form = new FormData();
  form.append('agent_id', agentId);
  form.append('campaign_name', 'Visits');
  form.append('variables_map', JSON.stringify({ mobile_number: 'Phone', callee_name: 'Name' }));
  const call_time = { call_start_time: '00:00', call_end_time: '00:00', timezone: 'Etc/UTC' };
  form.append('call_config', JSON.stringify({ call_time, call_retry_config: { retry_count: 0 } }));
  const rows = PEOPLE.map(([number, name]) => `${number},${name}`);
  form.append('file', new Blob([['Phone,Name', ...rows].join('\n')], { type: 'text/csv' }), 'list.csv');
  campaignId = (await dashboard.form('/campaign/save', form)).body.list_id;
  const start = { agent_id: agentId, list_id: campaignId, from_numbers: [numbers[0].id] };
  await api('POST', '/campaign/start', start);
});
afterAll(() => dashboard?.close());

const confirmedCalls = async (): Promise<string[]> =>
  (await dashboard.api('GET', `/calling/history?limit=50&result=${LABEL}`)).body.calls.map(
    (call: { call_id: string }) => call.call_id,
  );
/** The number beside a result in the card Results, and the people of the list that one click on the result leads to. */
async function oneClick(
  page: Page,
  list: 'Calls' | 'Contacts',
): Promise<{ figure: number; people: string[] }> {
  const card = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Results', exact: true }) });
  const row = card.getByRole('listitem').filter({ hasText: LABEL });
  await row.waitFor();
  const figure = Number((await row.innerText()).replaceAll(/\D/g, ''));
  await row.getByRole('link', { name: LABEL, exact: true }).click();
  await page.waitForURL(/[?&]result=Confirmed/);
  const table = page.getByRole('table', { name: list, exact: true });
  const shown = async (): Promise<string[]> => {
    const texts = await table.getByRole('row').allInnerTexts();
    return PEOPLE.map(([, name]) => name).filter((name) => texts.some((text) => text.includes(name)));
  };
  let people: string[] = [];
  await expect.poll(async () => (people = await shown()), LIMIT).toEqual(['Asha', 'Ravi', 'Emma']);
  return { figure, people };
}

describe('who confirmed', () => {
  const answer = { figure: 3, people: ['Asha', 'Ravi', 'Emma'] };

  it('is known once the conversations are analysed', { timeout: 240_000 }, async () => {
    const counted = async (): Promise<number> =>
      (await dashboard.api('GET', `/campaign/${campaignId}/statistics`)).body.results.reduce(
        (sum: number, { calls }: { calls: number }) => sum + calls,
        0,
      );
    await expect.poll(counted, LIMIT).toBe(PEOPLE.length);
    await expect.poll(async () => (await confirmedCalls()).length, LIMIT).toBe(answer.figure);
  });

  it('is one click from Home, the page of the campaign and Analytics, with the same number', async () => {
    const { page, faults } = dashboard.owner;
    await page.goto('/');
    expect(await oneClick(page, 'Calls')).toEqual(answer);
    await inspect(page, 'who-confirmed-calls');
    await page.goto(`/campaigns/${campaignId}`);
    expect(await oneClick(page, 'Contacts')).toEqual(answer);
    await inspect(page, 'who-confirmed-contacts');
    await page.goto('/analytics');
    expect(await oneClick(page, 'Calls')).toEqual(answer);
    expect(faults).toEqual([]);
  });

  it('is what the report of the campaign lists, and the history', async () => {
    const report = await fetch(
      `${dashboard.service.url}/api/v0/campaign/${campaignId}/report?result=${LABEL}`,
      { headers: { 'x-api-key': TEST_KEY } },
    );
    const lines = (await report.text()).trim().split('\n');
    expect(lines.slice(1).map((line) => PEOPLE.find(([number]) => line.includes(number))?.[1])).toEqual(
      answer.people,
    );
    expect(await confirmedCalls()).toHaveLength(answer.figure);
  });
});

/** The people of the test carrier ask for nobody: those with the label play people with another one. */
async function askForPerson(page: Page): Promise<void> {
  for (const path of ['**/campaign/*/statistics**', '**/analytics/classification-analytics**']) {
    await page.route(path, async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replaceAll(`"${LABEL}"`, `"${ASKED}"`);
      await route.fulfill({ response, json: JSON.parse(text) });
    });
  }
  await page.route('**/calling/history?**', async (route) => {
    const url = new URL(route.request().url());
    if (url.searchParams.get('result') !== ASKED) return route.fallback();
    url.searchParams.set('result', LABEL);
    return route.fulfill({ response: await route.fetch({ url: url.href }) });
  });
}

describe('who asked for a person', () => {
  it('is counted on the page of the campaign, and listed with the ways to call back', async () => {
    const { page, faults } = dashboard.owner;
    await askForPerson(page);
    await page.goto(`/campaigns/${campaignId}`);
    const figure = page.getByRole('heading', { name: 'Needs a person', exact: true }).locator('..');
    await figure.getByText('3', { exact: true }).waitFor();
    await figure.getByRole('button', { name: 'Show the people', exact: true }).click();
    const list = page.getByRole('region', { name: ASKED, exact: true });
    for (const name of ['Asha', 'Ravi', 'Emma'])
      await list.getByRole('row').filter({ hasText: name }).waitFor();
    expect(await list.getByRole('button', { name: /^Call back / }).count()).toBe(3);
    await list.getByRole('button', { name: 'Copy the number of Emma', exact: true }).waitFor();
    await inspect(page, 'needs-person');
    await list.getByRole('button', { name: 'Call back Asha', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Call with this assistant', exact: true });
    const valueOf = (label: string): Promise<string> => dialog.getByLabel(label).inputValue();
    await expect.poll(() => valueOf('Name of the person')).toBe('Asha');
    await expect
      .poll(async () => (await valueOf('Number with country code')).replaceAll(/\D/g, ''))
      .toMatch(/4155550123$/);
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await figure.getByRole('button', { name: 'Hide the people', exact: true }).click();
    await list.waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'wait' });
    expect(faults).toEqual([]);
  });

  it('leaves Home at once when done, returns by Undo, and stays away after a reload', async () => {
    const { page, faults } = dashboard.owner;
    await askForPerson(page);
    await page.goto('/');
    const card = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Needs a person', exact: true }) });
    const rowOf = (name: string) => card.getByRole('row').filter({ hasText: name });
    const finish = (name: string) =>
      card.getByRole('button', { name: `Mark ${name} as done`, exact: true }).click();
    const count = (number: string) => card.getByText(number, { exact: true }).first().waitFor();
    await count('3');
    await inspect(page, 'needs-person-home');
    const held = await holdAnswers(page, '/follow-up', 'PUT');
    await finish('Ravi');
    // The service has not answered yet.
    await rowOf('Ravi').waitFor({ state: 'detached' });
    await count('2');
    await held.release();
    await page.getByText('Ravi is marked as done.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await rowOf('Ravi').waitFor();
    await count('3');
    await finish('Ravi');
    await page.getByText('Ravi is marked as done.', { exact: true }).waitFor();
    await page.reload();
    await rowOf('Asha').waitFor();
    await count('2');
    expect(await rowOf('Ravi').count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
    expect(faults).toEqual([]);
  });

  it('comes back with the reason when the service refuses', async () => {
    const { page, faults } = dashboard.owner;
    await askForPerson(page);
    await page.route('**/calling/*/follow-up', (route) =>
      route.fulfill({ status: 409, json: { code: 'CONFLICT', message: 'The call is being erased' } }),
    );
    await page.goto(`/campaigns/${campaignId}`);
    const figure = page.getByRole('heading', { name: 'Needs a person', exact: true }).locator('..');
    await figure.getByText('2', { exact: true }).waitFor();
    await figure.getByRole('button', { name: 'Show the people', exact: true }).click();
    const list = page.getByRole('region', { name: ASKED, exact: true });
    await list.getByRole('button', { name: 'Mark Emma as done', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'The call is being erased' }).waitFor();
    await list.getByRole('row').filter({ hasText: 'Emma' }).waitFor();
    await figure.getByText('2', { exact: true }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    expect(faults).toEqual([]);
  });

  it('is done on the page of the call by somebody, whose name it has, until Undo', async () => {
    const { page, faults } = dashboard.owner;
    const { calls } = (await dashboard.api('GET', '/calling/history?followed_up=true')).body;
    expect(calls).toMatchObject([{ callee_name: 'Ravi' }]);
    await page.goto(`/calls/${calls[0].call_id}`);
    const note = page.getByRole('region', { name: 'Needs a person', exact: true });
    await note.getByText(/^Done by \S+@\S+, /).waitFor();
    await inspect(page, 'call-done');
    await note.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Ravi is no longer marked as done.', { exact: true }).waitFor();
    // His result is another one: without the mark the page has nothing to say.
    await note.waitFor({ state: 'detached' });
    expect((await dashboard.api('GET', '/calling/history?followed_up=true')).body.total).toBe(0);
    expect(faults).toEqual([]);
  });

  it('keeps the dialog open in which a colleague calls back while others mark everybody as done', async () => {
    const { page, faults } = dashboard.owner;
    await askForPerson(page);
    await page.goto('/');
    const card = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Needs a person', exact: true }) });
    await card.getByRole('button', { name: 'Call back Asha', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Call with this assistant', exact: true });
    const name = dialog.getByLabel('Name of the person');
    await expect.poll(() => name.inputValue()).toBe('Asha');
    await name.fill('Asha of the second floor');
    const open = await confirmedCalls();
    const mark = async (done: boolean): Promise<void> => {
      for (const id of open) await dashboard.api('PUT', `/calling/${id}/follow-up`, { done });
    };
    await mark(true);
    await card.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Asha of the second floor');
    await mark(false);
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'wait' });
    expect(faults).toEqual([]);
  });
});
