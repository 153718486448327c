import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspect, openPage, type Watched } from '../helpers/browser/chromium.ts';
import { openDashboard, OWNER, type Dashboard } from '../helpers/browser/dashboard.ts';
import { startFakeOpenAiServer } from '../helpers/openai-server.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard?.close());

/** The buttons and links that a person pressed on the way. */
const press = async (
  page: Watched['page'],
  role: 'button' | 'link',
  name: string | RegExp,
): Promise<void> => {
  presses += 1;
  await page.getByRole(role, { name }).click();
};
let presses = 0;

it('leads from a template to the live words of a first call in at most six decisions', async () => {
  const { page, faults } = dashboard.owner;
  await press(page, 'link', 'To do: Make a first call');
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  await inspect(page, 'welcome');
  await press(page, 'button', /^Appointment reminder/);
  await page.getByLabel('First words').waitFor();
  await page.getByLabel('Your company').fill('Riverside Dental');
  await expect.poll(() => page.getByLabel('First words').inputValue()).toContain('this is Riverside Dental.');
  // The browser's clock is India's; its language is that of Britain.
  await expect.poll(() => page.getByLabel('Country', { exact: true }).inputValue()).toBe('IN');
  await page.getByLabel('Country', { exact: true }).selectOption('US');
  await page.getByLabel('Time zone').selectOption('America/Chicago');
  await page.getByLabel('Not before').fill('10:00');
  const voice = page.getByRole('group', { name: 'Voice', exact: true });
  await voice.getByRole('button', { name: /^Hear / }).click();
  await voice.getByRole('button', { name: /^Stop / }).waitFor();
  await inspect(page, 'welcome-assistant');
  await press(page, 'button', 'Create and try it');
  await page.getByRole('heading', { name: 'Appointment reminder is ready' }).waitFor();
  const { agents } = (await dashboard.api('GET', '/agent/all')).body.data;
  const made = agents.find(({ agent_display_name: name }: any) => name === 'Appointment reminder');
  const details = (await dashboard.api('GET', `/agent/${made.id}`)).body.agents;
  expect(details.version_details[details.active_agent_version_id].call_config.call_time).toMatchObject({
    call_start_time: '10:00',
    timezone: 'America/Chicago',
    use_callee_timezone: true,
  });
  await page.getByRole('button', { name: 'Call in the browser' }).waitFor();
  await inspect(page, 'welcome-try');
  await press(page, 'button', 'Watch a test call');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Call', exact: true }).click();
  const live = page.getByRole('region', { name: 'Live call' });
  await live.getByText('Priya').first().waitFor();
  expect(presses + 1).toBeLessThanOrEqual(6);
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('link', { name: 'Done: Make a first call' }).waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByText('First steps').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('Latest results').first().waitFor();
  expect(await page.getByText('First steps').count()).toBe(0);
  expect(faults).toEqual([]);
});

it('fits a phone', async () => {
  const phone = await openPage(dashboard.browser, dashboard.service.url, { width: 390, height: 844 });
  await phone.page.goto('/sign-in');
  await phone.page.getByLabel('Email').fill(OWNER.email);
  await phone.page.getByLabel('Password').fill(OWNER.password);
  await phone.page.getByRole('button', { name: 'Sign in' }).click();
  await phone.page.getByRole('heading', { name: 'Home', exact: true }).waitFor();
  await phone.page.goto('/welcome');
  await phone.page.getByRole('button', { name: /^Appointment reminder/ }).waitFor();
  await inspect(phone.page, 'phone-welcome');
  const most = phone.page.getByRole('navigation', { name: 'Most used' });
  await most.getByRole('link', { name: 'Calls', exact: true }).click();
  await phone.page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
  await phone.page.getByLabel('Called number').waitFor();
  await phone.page.getByRole('button', { name: 'Filters' }).click();
  await phone.page.getByRole('dialog', { name: 'Filters' }).getByLabel('Status').waitFor();
  await inspect(phone.page, 'phone-calls-filters');
  await phone.page.getByRole('button', { name: 'Show the list' }).click();
  await most.getByRole('button', { name: 'More' }).click();
  await phone.page.getByRole('link', { name: 'Campaigns' }).waitFor();
  expect(phone.faults).toEqual([]);
  await phone.context.close();
});

it('begins an assistant from a sentence, where a language model is set', async () => {
  const draft = {
    name: 'Table bookings',
    opening: 'Hello {{callee_name}}, this is Trattoria Roma.',
    objective: 'You ask guests whether they come.',
    guidelines: 'Short sentences.',
    task: '1. Ask "Do you still come tonight?"',
  };
  const model = await startFakeOpenAiServer([{ text: JSON.stringify(draft) }]);
  const described = await openDashboard({ LLM_BASE_URL: model.baseUrl, LLM_MODEL: 'writer' });
  try {
    const { page, faults } = described.owner;
    await page.goto('/welcome');
    await page.getByLabel('What should it do?').fill('Calls our guests and asks whether they still come.');
    await page.getByRole('button', { name: 'Write it', exact: true }).click();
    await page.getByRole('heading', { name: 'Your assistant', exact: true }).waitFor();
    await expect.poll(() => page.getByLabel('First words').inputValue()).toBe(draft.opening);
    await inspect(page, 'welcome-described');
    await page.getByLabel('What it does, step by step').fill('1. Ask "Will you come tonight?"');
    await page.getByRole('button', { name: 'Create and try it', exact: true }).click();
    await page.getByRole('heading', { name: 'Table bookings is ready', exact: true }).waitFor();
    const { body } = await described.api('GET', '/agent/all');
    expect(body.data.agents.map(({ agent_display_name: name }: any) => name)).toContain('Table bookings');
    expect(faults).toEqual([]);
  } finally {
    await described.close();
    await model.close();
  }
});
