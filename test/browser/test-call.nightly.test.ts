import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeMessage, inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { eventually } from '../helpers/service/service.ts';
import { chooseWay, testPanel } from '../helpers/browser/try-it.ts';
import { FAKE_MICROPHONE } from '../helpers/browser/voice-page.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard({}, FAKE_MICROPHONE);
}, 180_000);
afterAll(() => dashboard?.close());

const FLOW = {
  start: 'name',
  variables: [{ name: 'caller', type: 'text' }],
  nodes: [
    {
      id: 'name',
      type: 'collect',
      variable: 'caller',
      ask: 'May I have your name?',
      edges: [{ to: 'day' }, { to: 'bye', on: 'failed' }],
    },
    {
      id: 'day',
      type: 'choose',
      ask: 'Does Tuesday suit you?',
      answers: [{ name: 'yes' }, { name: 'no' }],
      edges: [
        { to: 'bye', answer: 'yes' },
        { to: 'bye', answer: 'no' },
      ],
    },
    { id: 'bye', type: 'end', say: 'Goodbye.' },
  ],
};

it('a test call in the browser begins on the page of the assistant, under the dashboard’s policy', async () => {
  const { owner } = dashboard;
  const { page, faults } = owner;
  const [agent] = (await dashboard.api('GET', '/agent/all')).body.data.agents;
  const patient = await dashboard.api('PATCH', '/agent/v1', {
    operation: 'edit_call_config',
    agent_id: agent.id,
    // The page is checked while nobody speaks.
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 120 },
  });
  expect([patient.status, patient.body]).toEqual([200, expect.anything()]);
  await page.goto(`/agents/${agent.id}?test=true`);
  await chooseWay(page, 'Voice');
  const sent: string[] = [];
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => (typeof payload === 'string' ? sent.push(payload) : 0)),
  );
  await page.getByRole('button', { name: 'Call in the browser' }).click();
  await page.getByText('Connected.').waitFor();
  await page.getByRole('log', { name: 'Test call' }).getByText('Assistant:').first().waitFor();
  await inspect(page, 'agent-test-call');
  await page.getByLabel('Type instead of speaking').fill('Hello there');
  await page.keyboard.press('Enter');
  await page.getByRole('log', { name: 'Test call' }).getByText('Hello there').first().waitFor();
  await page.getByRole('button', { name: 'Keypad' }).click();
  await page.getByRole('button', { name: 'Key 5' }).click();
  await page.getByRole('button', { name: 'Key #' }).click();
  await expect
    .poll(() => sent.filter((text) => text.includes('dtmf')))
    .toEqual(['{"type":"dtmf","digit":"5"}', '{"type":"dtmf","digit":"#"}']);
  await page.getByRole('button', { name: 'End test call' }).click();
  await page.getByText('The call has ended.').waitFor();
  const call = await eventually('the call in the history', async () => {
    const { body } = await dashboard.api('GET', '/calling/history?call_type=webcall');
    return body.calls.find((each: any) => each.call_status === 'completed') ?? null;
  });
  expect(call).toMatchObject({ agent_id: agent.id, call_sub_status: 'USER_LEFT' });
  await page.getByRole('button', { name: 'Save as test case' }).waitFor();
  await page.getByRole('link', { name: 'Open the record of this call' }).click();
  await page.waitForURL(`**/calls/${call.call_id}`);
  // The page before has a button of this name, too.
  await page.getByRole('heading', { name: 'Transcript', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save as test case' }).click();
  const saving = page.getByRole('dialog');
  await saving.getByText('These are the words of a person.').waitFor();
  await saving.getByLabel('Name', { exact: true }).fill('Says hello');
  await saving.getByRole('button', { name: 'Save test case' }).click();
  await closeMessage(page, 'The test case “Says hello” is saved.');
  const { body } = await dashboard.api('GET', `/agent/${agent.id}/test-cases`);
  expect(body.test_cases).toMatchObject([{ name: 'Says hello', lines: ['Hello there'] }]);
  expect(faults).toEqual([]);
}, 180_000);

it('a test by voice lights the step of the flow that the call has reached, in outline and graph', async () => {
  const { page } = dashboard.owner;
  const [agent] = (await dashboard.api('GET', '/agent/all')).body.data.agents;
  const saved = await dashboard.api('PATCH', '/agent/v1', {
    operation: 'edit_flow',
    agent_id: agent.id,
    flow: FLOW,
  });
  expect([saved.status, saved.body]).toEqual([200, expect.anything()]);
  await page.goto(`/agents/${agent.id}?tab=flow&test=true`);
  await chooseWay(page, 'Voice');
  const panel = testPanel(page);
  await panel.getByRole('button', { name: 'Call in the browser', exact: true }).click();
  await panel.getByText('Connected.', { exact: false }).waitFor();
  await panel.getByText('May I have your name?', { exact: false }).first().waitFor();
  const lit = page.getByRole('treeitem', { level: 1 }).filter({ hasText: 'the conversation is here' });
  await expect.poll(() => lit.first().innerText()).toContain('name');
  await panel.getByLabel('Type instead of speaking', { exact: true }).fill('Maria Lopez');
  await page.keyboard.press('Enter');
  await panel.getByText('Does Tuesday suit you?', { exact: false }).first().waitFor();
  await expect.poll(() => lit.first().innerText()).toContain('day');
  await page.getByRole('button', { name: 'Graph', exact: true }).click();
  const step = page.locator('[data-step]').filter({ has: page.getByText('day', { exact: true }) });
  await expect.poll(() => step.locator('rect').getAttribute('class')).toContain('stroke-good');
  await inspect(page, 'assistant-flow-voice');
  await panel.getByRole('button', { name: 'End test call', exact: true }).click();
  await panel.getByText('The call has ended.', { exact: false }).waitFor();
  const cleared = await dashboard.api('PATCH', '/agent/v1', {
    operation: 'edit_flow',
    agent_id: agent.id,
    flow: null,
  });
  expect(cleared.status).toBe(200);
}, 180_000);
