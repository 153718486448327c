import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { editedVersion } from '../helpers/browser/assistant.ts';
import { closeMessage, inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { testPanel } from '../helpers/browser/try-it.ts';

let dashboard: Dashboard;
let agentId: string;
beforeAll(async () => {
  dashboard = await openDashboard();
  const { voices } = (await dashboard.api('GET', '/agent/voices')).body;
  const made = await dashboard.api('POST', '/public/agent', {
    agent_name: 'Front desk',
    introduction_and_objective: 'Answer the phone.',
    response_guidelines: 'Short sentences.',
    task: 'Take messages.',
    primary_language: 'en-US',
    voice_id: voices.find((voice: any) => voice.languages.includes('en-US')).id,
    intro_message: 'Hello, this is Asha.',
  });
  if (made.status !== 200) throw new Error(`the assistant was not created: ${made.status}`);
  agentId = made.body.data.id;
});
afterAll(() => dashboard?.close());

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    if ((await page.locator(`${selector}:focus`).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${selector}`);
}
const inTree = (page: Page): Promise<void> => page.locator('[role=tree]:focus').waitFor();

it('a flow of sixty steps is built and saved by keyboard alone', async () => {
  const { page, faults } = dashboard.owner;
  await page.goto(`/agents/${agentId}?tab=flow`);
  await page.getByText('No steps yet.', { exact: false }).waitFor();
  const items = page.getByRole('tree', { name: 'Steps of the flow' }).getByRole('treeitem', { level: 1 });
  await tabTo(page, '[role=tree]');
  /** Adds a step behind the selected one, types into its main field, and returns to the outline. */
  const add = async (key: string, text: string): Promise<void> => {
    await page.keyboard.press(key);
    await page.locator('[data-main] textarea:focus').waitFor();
    await page.keyboard.type(text);
    await page.keyboard.press('Escape');
    await inTree(page);
  };
  await add('2', 'Welcome to City Dental.');
  await page.keyboard.press('3');
  await page.locator('[data-main] textarea:focus').waitFor();
  await page.keyboard.type('May I have your name?');
  await page.keyboard.press('Tab');
  await page.keyboard.type('caller');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Add the variable caller', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('[data-field=variable] input:focus').waitFor();
  await page.keyboard.press('Escape');
  await inTree(page);
  await add('4', 'Would you like to hear our offers?');
  // The first answer leads to the end, the second one to what follows.
  await add('9', 'Goodbye.');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => page.getByRole('heading', { name: 'Step choose_1' }).isVisible()).toBe(true);
  await add('2', 'Offer 1.');
  for (let count = 2; count <= 55; count += 1) await add('2', `Offer ${count}.`);
  await add('9', 'That was all. Goodbye.');
  await expect.poll(() => items.count()).toBe(60);

  // An edge by its form; the last step of the list and the last condition are chosen.
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.getByRole('heading', { name: 'Step collect_1' }).isVisible()).toBe(true);
  await page.keyboard.press('e');
  await page.locator('[data-main] select:focus').waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  await page.getByLabel('Event', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await inTree(page);

  await page.keyboard.press('End');
  await page.keyboard.press('Delete');
  await expect.poll(() => items.count()).toBe(59);
  await page.keyboard.press('Control+z');
  await expect.poll(() => items.count()).toBe(60);
  await page.keyboard.press('End');
  await page.keyboard.press('F2');
  await page.locator('[data-name] input:focus').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('bye');
  await page.keyboard.press('Enter');
  await inTree(page);
  await page.getByText('The check finds no fault.', { exact: true }).waitFor();
  await inspect(page, 'assistant-flow-outline');

  await tabTo(page, 'section[aria-label="Unsaved changes"] button:last-of-type');
  await page.keyboard.press('Enter');
  await closeMessage(page, 'Flow: saved.');
  const { flow } = await editedVersion(dashboard, agentId);
  expect(flow.nodes).toHaveLength(60);
  expect(flow.variables).toEqual([{ name: 'caller', type: 'text' }]);
  expect(flow.nodes[0]).toEqual({
    id: 'say_1',
    type: 'say',
    text: 'Welcome to City Dental.',
    edges: [{ to: 'collect_1' }],
  });
  expect(flow.nodes[1].edges).toEqual([{ to: 'choose_1' }, { to: 'bye', on: 'failed' }]);
  expect(flow.nodes[2].edges).toEqual([
    { to: 'bye', answer: 'yes' },
    { to: 'say_2', answer: 'no' },
  ]);
  expect(flow.nodes.find(({ id }: any) => id === 'say_56').edges).toEqual([{ to: 'end_2' }]);
  expect(faults).toEqual([]);
});

it('a fault stands beside the step that has it', async () => {
  const { page } = dashboard.owner;
  const tree = page.getByRole('tree', { name: 'Steps of the flow' });
  await tree.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.getByLabel('Words', { exact: true }).fill('');
  const step = tree.getByRole('treeitem', { level: 1 }).first();
  await step.getByText('text must be a text of 1 to 2000 characters').waitFor();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByText('The check finds no fault.', { exact: true }).waitFor();
  expect(await step.innerText()).not.toContain('must be');
});

it('the graph shows, selects and drags the steps of the outline', async () => {
  const { page, faults } = dashboard.owner;
  await page.getByRole('button', { name: 'Graph', exact: true }).click();
  const graph = page.getByRole('img', { name: 'Graph of 60 steps.', exact: false });
  await graph.waitFor();
  await expect.poll(() => graph.locator('[data-step]').count()).toBe(60);
  await expect.poll(() => graph.locator('[data-edge]').count()).toBe(60);
  await expect.poll(() => graph.getByText('yes', { exact: true }).count()).toBe(1);
  await page.getByLabel('Find a step', { exact: true }).fill('Offer 3.');
  await page.getByRole('heading', { name: 'Step say_4', exact: true }).waitFor();
  const step = graph.locator('[data-step]').filter({ hasText: 'say_4' }).first();
  const before = await step.getAttribute('transform');
  // Waits until the view that was moved to the step rests.
  await step.hover({ position: { x: 5, y: 5 } });
  const box = (await step.boundingBox())!;
  await page.mouse.down();
  await page.mouse.move(box.x + 65, box.y + 45, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => step.getAttribute('transform')).not.toBe(before);
  const dragged = await step.getAttribute('transform');
  await page.getByLabel('Find a step', { exact: true }).fill('May I have');
  await page.getByRole('heading', { name: 'Step collect_1', exact: true }).waitFor();
  await graph.locator('[data-edge]').filter({ hasText: 'failed' }).locator('text').click();
  await page.getByRole('heading', { name: 'Edge of collect_1', exact: true }).waitFor();
  await inspect(page, 'assistant-flow-graph');
  await page.getByRole('button', { name: 'Outline', exact: true }).click();
  const chosen = page.getByRole('treeitem', { selected: true });
  await expect.poll(() => chosen.innerText()).toBe('failed → bye');
  await page.getByRole('button', { name: 'Graph', exact: true }).click();
  await expect.poll(() => step.getAttribute('transform')).toBe(dragged);
  await page.getByRole('button', { name: 'Lay out anew', exact: true }).click();
  await expect.poll(() => step.getAttribute('transform')).toBe(before);
  expect(faults).toEqual([]);
});

it('the graph draws a broken line from a talk to a step that it may start', async () => {
  const { page, faults } = dashboard.owner;
  const graph = page.getByRole('img', { name: /^Graph of/ });
  await graph.waitFor();
  expect(await graph.locator('[data-task]').count()).toBe(0);
  await page.getByRole('button', { name: 'Outline', exact: true }).click();
  await page.getByRole('tree', { name: 'Steps of the flow' }).focus();
  await page.keyboard.press('1');
  await page.getByLabel('What the model does here', { exact: true }).fill('Answer questions.');
  await page.getByLabel('Collect steps that it may start', { exact: true }).fill('collect_1\nnobody');
  await page.getByRole('button', { name: 'Graph', exact: true }).click();
  await graph.locator('[data-task]').waitFor({ state: 'attached' });
  expect(await graph.locator('[data-task]').count()).toBe(1);
  await inspect(page, 'assistant-flow-graph-tasks');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await graph.locator('[data-task]').waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
});

it('a test by text lights the step that it has reached', async () => {
  const { page } = dashboard.owner;
  await page.goto(`/agents/${agentId}?tab=flow&test=true`);
  const test = testPanel(page);
  await test.getByRole('button', { name: 'Start the conversation', exact: true }).click();
  await test.getByText('May I have your name?', { exact: false }).waitFor();
  const lit = page.getByRole('treeitem', { level: 1 }).filter({ hasText: 'the conversation is here' });
  await expect.poll(() => lit.first().innerText()).toContain('collect_1');
  await test.getByLabel('Your words', { exact: true }).fill('Maria Lopez');
  await page.keyboard.press('Enter');
  await test.getByText('Would you like to hear our offers?', { exact: false }).waitFor();
  await expect.poll(() => lit.first().innerText()).toContain('choose_1');
  const moves = page.getByRole('list', { name: 'Moves through the flow' }).getByRole('listitem');
  await expect.poll(() => moves.count()).toBe(2);
  expect(await moves.allInnerTexts()).toEqual([
    'say_1 → collect_1 (default)',
    'collect_1 → choose_1 (default)',
  ]);
  await inspect(page, 'assistant-flow-test');
});

it('a finished call is replayed over the graph, with how often calls went where', async () => {
  const { page, faults } = dashboard.owner;
  const body = (data: object) => ({ contentType: 'application/json', body: JSON.stringify(data) });
  const path = [
    { seconds: 3.2, from: 'say_1', to: 'collect_1', by: 'default' },
    { seconds: 9.5, from: 'collect_1', to: 'choose_1', by: 'default' },
    { seconds: 14, from: 'choose_1', to: 'bye', by: 'yes' },
  ];
  // The call and the counts are made up; the service's own answers are tested in test/system.
  await page.route('**/calling/replay?*', (route) =>
    route.fulfill(body({ status: 'success', data: { flow_steps: path } })),
  );
  const edges = path.map(({ from, to, by }, at) => ({ from, to, by, count: 40 - at }));
  await page.route('**/flow/counts?*', (route) =>
    route.fulfill(body({ version_id: '', calls: 40, edges, ends: [{ node: 'bye', count: 38 }] })),
  );
  await page.goto(`/agents/${agentId}?tab=flow&call=0190a2f4-0000-7000-8000-000000000001`);
  const call = page.getByRole('region', { name: 'Moves of the call', exact: true });
  await call.getByText('Move 0 of 3', { exact: true }).waitFor();
  for (let move = 1; move <= 3; move += 1) {
    await call.getByRole('button', { name: 'Next move', exact: true }).click();
    await call.getByText(`Move ${move} of 3`, { exact: true }).waitFor();
  }
  const step = page.locator('[data-step]').filter({ has: page.getByText('bye', { exact: true }) });
  await expect.poll(() => step.locator('rect').getAttribute('class')).toContain('stroke-good');
  await page.getByLabel('Show where calls of the last 30 days went', { exact: false }).check();
  await page.getByText('Show where calls of the last 30 days went: 40 counted', { exact: true }).waitFor();
  await page.locator('[data-edge]').getByText('yes · 38', { exact: true }).waitFor();
  await inspect(page, 'assistant-flow-call');
  await page.getByRole('button', { name: 'Outline', exact: true }).click();
  await page.getByRole('treeitem').getByText('38 calls ended here', { exact: true }).waitFor();
  await page.unrouteAll();
  expect(faults).toEqual([]);
});
