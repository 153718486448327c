import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { holdAnswers } from '../helpers/browser/hold-answers.ts';
import { openPlace } from '../helpers/browser/places.ts';
import { createAgent, provisionWith } from '../helpers/service/scenario.ts';

let dashboard: Dashboard;
let agentId = '';
let dialog: Locator;
beforeAll(async () => {
  dashboard = await openDashboard({}, [], provisionWith({}));
  agentId = await createAgent(dashboard.service, {
    intro_message: 'Hello {{callee_name}}, your visit is on {{day}}. See you at {{place|our clinic}}.',
    custom_variables: ['callee_name', 'mobile_number', 'day', 'place', 'old'],
    agent_type: 'outbound',
  });
  await dashboard.owner.page.goto(`/agents/${agentId}`);
});
afterAll(() => dashboard?.close());

async function openDialog(): Promise<void> {
  const { page } = dashboard.owner;
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  dialog = page.getByRole('dialog');
  await dialog.getByLabel('day', { exact: true }).waitFor();
}
const number = (): Locator => dialog.getByLabel('Number with country code');
const press = (): Promise<void> => dialog.getByRole('button', { name: 'Call', exact: true }).click();
const isRequired = (name: string): Promise<boolean> =>
  dialog
    .getByLabel(name, { exact: true })
    .evaluate((field) => (field as unknown as { required: boolean }).required);
const callsOf = async (): Promise<any[]> => (await dashboard.api('GET', '/calling/history')).body.calls;

describe('the dialog of a call', () => {
  it("reads a number of the workspace's country, formats it, and shows the time there", async () => {
    await openDialog();
    // The browser is British, and the workspace calls from the United States.
    await number().fill('(415) 555-0002');
    await dialog.getByText('Dials +1 415 555 0002.').waitFor();
    await dialog.getByText(/In Los Angeles it is \d/).waitFor();
    await dialog.getByText('The assistant may call at any time.').waitFor();
    await dialog.getByLabel('Name of the person').fill('Priya');
    expect(await number().inputValue()).toBe('+1 415 555 0002');
  });

  it('has one message at the field for what is no number', async () => {
    await number().fill('415');
    await dialog.getByLabel('day', { exact: true }).fill('Monday');
    await press();
    await dialog.getByText('This is no phone number of United States').waitFor();
    expect(await dialog.getByText(/phone number|E\.164|mobile_number|req_/).count()).toBe(1);
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await number().fill('+1 415 555 0002');
    await dialog.getByText('Dials +1 415 555 0002.').waitFor();
  });

  it('asks for what the active version uses alone, and shows the first words', async () => {
    expect(await isRequired('day')).toBe(true);
    expect(await isRequired('place')).toBe(false);
    expect(await dialog.getByLabel('old', { exact: true }).count()).toBe(0);
    await dialog.getByText('“Hello Priya, your visit is on Monday. See you at our clinic.”').waitFor();
    await dialog.getByLabel('day', { exact: true }).fill('');
    await dialog.getByText('Without a value for “day” it leaves those words out.').waitFor();
    await inspect(dashboard.owner.page, 'call-dialog');
  });

  it('places a call without a value only after a click', async () => {
    const { page } = dashboard.owner;
    await press();
    expect(await callsOf()).toEqual([]);
    await dialog.getByLabel('Call anyway without the values that are missing').check();
    await press();
    await page.getByText('Call to +14155550002').waitFor();
    expect(await callsOf()).toHaveLength(1);
  });

  it('offers no call without values in a workspace that refuses them', async () => {
    const { page } = dashboard.owner;
    const isStrict = async (): Promise<boolean> =>
      (await dashboard.api('GET', '/workspace/settings')).body.strict_variables;
    await openPlace(page, 'Workspace');
    await page.getByLabel('Refuse calls and chats that lack a value').check();
    await page.getByText('A request without a value, or with a value for no variable, is refused').waitFor();
    await expect.poll(isStrict).toBe(true);
    await inspect(page, 'workspace');
    const settings = await holdAnswers(page, '/workspace/settings');
    await page.goto(`/agents/${agentId}`);
    await openDialog();
    await dialog.getByText('Without a value for').waitFor();
    const anyway = dialog.getByLabel('Call anyway without the values that are missing');
    expect(await anyway.count()).toBe(0);
    const known = page.waitForResponse((response) => response.url().endsWith('/workspace/settings'));
    await settings.release();
    await known;
    expect(await anyway.count()).toBe(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await openPlace(page, 'Workspace');
    await page.getByLabel('Refuse calls and chats that lack a value').uncheck();
    await expect.poll(isStrict).toBe(false);
  });

  it('says until when a call waits outside the calling hours', async () => {
    const { page, faults } = dashboard.owner;
    const HOUR = 3_600_000;
    const minute = (ms: number): string => new Date(ms).toISOString().slice(11, 16);
    const opens = Date.now() + 2 * HOUR;
    const edited = await dashboard.api('PATCH', '/agent/v1', {
      operation: 'edit_call_config',
      agent_id: agentId,
      call_config: {
        call_time: {
          call_start_time: minute(opens),
          call_end_time: minute(opens + HOUR),
          timezone: 'Etc/UTC',
        },
      },
    });
    expect(edited.status).toBe(200);
    await page.goto(`/agents/${agentId}`);
    await openDialog();
    await number().fill('+44 20 7946 0002');
    await dialog.getByText(/In London it is \d/).waitFor();
    await dialog.getByText(/The call waits until .* there/).waitFor();
    await dialog.getByText('Without a value for the name of the person and “day”').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await inspect(page, 'phone-call-dialog-waits');
    expect(faults).toEqual([]);
  });
});
