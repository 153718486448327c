import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';

const FLOW = (thanks: string) => ({
  start: 'score',
  variables: [{ name: 'happy', type: 'boolean' }],
  nodes: [
    {
      id: 'score',
      type: 'collect',
      variable: 'happy',
      ask: 'Are you happy with us?',
      edges: [
        { to: 'thanks', if: 'happy' },
        { to: 'sorry' },
        { to: 'sorry', on: 'failed' },
        { to: 'sorry', on: 'refused' },
      ],
    },
    { id: 'thanks', type: 'end', say: thanks },
    { id: 'sorry', type: 'end', say: 'We are sorry to hear that. Goodbye.' },
  ],
});
const FILE = `name: Is happy
persona: { goal: Says yes., answers: [{ asked: [happy], says: 'Yes.' }] }
expect: [{ type: says, any_of: [glad to hear] }, { type: ends, as: [AGENT_ENDED] }]`;

let dashboard: Dashboard;
let agentId: string;
beforeAll(async () => {
  dashboard = await openDashboard();
  const { agents } = (await dashboard.api('GET', '/agent/all')).body.data;
  agentId = agents[0].id;
  const edit = (thanks: string, more: object = {}) =>
    dashboard.api('PATCH', '/agent/v1', {
      operation: 'edit_flow',
      agent_id: agentId,
      flow: FLOW(thanks),
      ...more,
    });
  await edit('We are glad to hear that. Goodbye.');
  const { draft } = (await dashboard.api('POST', `/agent/${agentId}/draft`, {})).body;
  await edit('Whatever. Goodbye.', { version_id: draft.version_id });
});
afterAll(async () => {
  await dashboard?.close();
});

describe('the rehearsals of an assistant', () => {
  it('compare the draft with the active version, and open a call that failed', async () => {
    const { page } = dashboard.owner;
    await page.goto(`/agents/${agentId}/rehearsals`);
    await page.getByRole('heading', { name: 'Rehearsals', exact: true }).waitFor();
    await page.getByText('No rehearsals yet').waitFor();
    await page.getByLabel('Version', { exact: true }).selectOption({ label: 'The draft' });
    await page.getByLabel('Calls', { exact: true }).fill('30');
    await page.getByLabel('Scenarios', { exact: true }).fill(FILE);
    await inspect(page, 'rehearsal-new');
    await page.getByRole('button', { name: 'Start the rehearsal' }).click();
    await page.getByRole('region', { name: 'Scenarios and expectations' }).waitFor({ timeout: 60_000 });
    await page.getByRole('status').getByText('30 of 30 calls').waitFor();
    await page.getByRole('region', { name: 'Comparison' }).getByText('Worse', { exact: true }).waitFor();
    await inspect(page, 'rehearsal');
    await page.getByRole('button', { name: 'Is happy: says: 0 %, before 100 %, open call 0' }).click();
    const dialog = page.getByRole('dialog', { name: 'Call 0' });
    const conversation = dialog.getByRole('list', { name: 'Conversation' });
    await conversation.getByText('Whatever.').waitFor();
    await inspect(page, 'rehearsed-call');
    await dialog.getByLabel('With the version to compare with').check();
    await conversation.getByText('We are glad to hear that.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await dialog.waitFor({ state: 'hidden' });
    const { rehearsals } = (await dashboard.api('GET', `/agent/${agentId}/rehearsals`)).body;
    expect(rehearsals).toMatchObject([{ state: 'ended', version_slug: 'draft', played_calls: 30 }]);
  });

  it('are the condition to publish where the workspace wants it', async () => {
    const { page } = dashboard.owner;
    await page.goto('/settings/workspace');
    const gate = page.getByLabel(/^Publish a draft only after a rehearsal/);
    await gate.check();
    await page.getByText('Drafts need a rehearsal before they are published.').waitFor();
    const refused = await dashboard.api('POST', `/agent/${agentId}/draft/publish`, {});
    expect([refused.status, refused.body.code]).toEqual([409, 'DRAFT_NOT_REHEARSED']);
  });
});
