import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { happyFlow } from '../helpers/rehearsals/happy-survey.ts';

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
      flow: happyFlow(thanks),
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
    await page
      .getByRole('button', { name: 'Is happy: Says certain words: 0%, before 100%, open call 0' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Call 0' });
    const conversation = dialog.getByRole('list', { name: 'Conversation' });
    await conversation.getByText('Whatever.').waitFor();
    await inspect(page, 'rehearsed-call');
    await dialog.getByLabel('With the version to compare with').check();
    await conversation.getByText('We are glad to hear that.').waitFor();
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();
    await dialog.waitFor({ state: 'hidden' });
    const { rehearsals } = (await dashboard.api('GET', `/agent/${agentId}/rehearsals`)).body;
    expect(rehearsals).toMatchObject([{ state: 'ended', version_slug: 'draft', played_calls: 30 }]);
  });

  it('begin with scenarios of fields, which are a file as text', async () => {
    const { page } = dashboard.owner;
    await page.goto(`/agents/${agentId}/rehearsals`);
    const card = page.getByRole('main');
    await card.getByRole('heading', { name: 'Rehearse', exact: true }).waitFor();
    await card.getByRole('button', { name: 'With fields', exact: true }).click();
    await card.getByLabel('Name of scenario 1', { exact: true }).fill('Is unhappy');
    await card.getByLabel('Goal of caller 1', { exact: true }).fill('Says no.');
    await card.getByLabel('Temper of caller 1', { exact: true }).selectOption({ label: 'Angry' });
    await card.getByLabel('Asked, one wording a line (1.1)', { exact: true }).fill('happy');
    await card.getByLabel('Answers (1.1)', { exact: true }).fill('No.');
    await card.getByLabel('Of expectation 1.1', { exact: true }).fill('sorry to hear');
    await card.getByLabel('Voice of caller 1', { exact: true }).selectOption({ label: 'A woman' });
    await card.getByLabel('Noise of caller 1', { exact: true }).selectOption({ label: 'A car' });
    await card.getByLabel('Codec of caller 1', { exact: true }).selectOption('PCMA');
    await card.getByLabel('Lost packets of caller 1, in percent', { exact: true }).fill('2');
    await card.getByRole('button', { name: 'Add an expectation to scenario 1', exact: true }).click();
    await card
      .getByLabel('Expectation 1.2', { exact: true })
      .selectOption({ label: 'The call ends as one of these' });
    const ends = card.getByRole('group', { name: 'Of expectation 1.2', exact: true });
    await expect
      .poll(() => ends.getByLabel('The assistant hangs up', { exact: true }).isChecked())
      .toBe(true);
    await ends.getByLabel('The caller hangs up', { exact: true }).check();
    await inspect(page, 'rehearsal-fields');
    await card.getByRole('button', { name: 'As text', exact: true }).click();
    const file = JSON.parse(await card.getByLabel('Scenarios', { exact: true }).inputValue());
    const sounds = { voice: 'woman', noise: 'car', line: { codec: 'PCMA', loss: 0.02 } };
    expect(file).toMatchObject([{ name: 'Is unhappy', persona: { temper: 'angry', ...sounds } }]);
    expect(file[0].expect).toEqual([
      { type: 'says', any_of: ['sorry to hear'] },
      { type: 'ends', as: ['AGENT_ENDED', 'USER_LEFT'] },
    ]);
    await card.getByRole('button', { name: 'With fields', exact: true }).click();
    await card.getByLabel('Words of caller 1', { exact: true }).selectOption({ label: 'The language model' });
    await card.getByLabel('Compare with', { exact: true }).selectOption({ label: 'Nothing' });
    await card.getByLabel('Calls', { exact: true }).fill('2');
    await card.getByLabel('Cost limit', { exact: true }).fill('0.5');
    await card.getByRole('button', { name: 'Start the rehearsal' }).click();
    await card.getByText('No language model is set: choose one under Providers').waitFor();
    await card
      .getByLabel('Words of caller 1', { exact: true })
      .selectOption({ label: 'Rules, from its facts' });
    await card.getByRole('button', { name: 'Start the rehearsal' }).click();
    await page.getByRole('status').getByText('2 of 2 calls').waitFor({ timeout: 60_000 });
    const { rehearsals } = (await dashboard.api('GET', `/agent/${agentId}/rehearsals`)).body;
    const { rehearsal } = (
      await dashboard.api('GET', `/agent/${agentId}/rehearsals/${rehearsals[0].rehearsal_id}`)
    ).body;
    expect(JSON.stringify(rehearsal.result)).toContain('Is unhappy');
    expect(rehearsal).toMatchObject({ max_cost: 0.5, cost: 0, currency: 'USD' });
    await page
      .getByRole('status')
      .getByText(/of .*0\.50? spent/)
      .waitFor();
  });

  it('are drafted as a text to read, and nothing runs unseen', async () => {
    const { page } = dashboard.owner;
    const count = async (): Promise<number> =>
      (await dashboard.api('GET', `/agent/${agentId}/rehearsals`)).body.rehearsals.length;
    const before = await count();
    await page.goto(`/agents/${agentId}/rehearsals`);
    await page.getByRole('button', { name: 'Draft scenarios by rules' }).click();
    const file = page.getByLabel('Scenarios', { exact: true });
    await expect.poll(() => file.inputValue(), { timeout: 30_000 }).toContain('happy');
    await inspect(page, 'rehearsal-drafted');
    expect(await count()).toBe(before);
    // Without a language model there is no draft by one.
    expect(await page.getByRole('button', { name: 'Draft scenarios by the model' }).count()).toBe(0);
  });

  it('begin by sound, and show the conversation as it was', async () => {
    const { page } = dashboard.owner;
    await page.goto(`/agents/${agentId}/rehearsals`);
    const card = page.getByRole('main');
    await card.getByRole('heading', { name: 'Rehearse', exact: true }).waitFor();
    await card.getByLabel('How callers call', { exact: true }).selectOption('sound');
    await expect.poll(() => card.getByLabel('Calls', { exact: true }).inputValue()).toBe('20');
    await card.getByLabel('Calls at a time', { exact: true }).fill('2');
    await card.getByLabel('Who hears the callers', { exact: true }).selectOption('given');
    await card.getByLabel('Calls', { exact: true }).fill('1');
    // It does not hold, so the grid opens the call.
    await card.getByLabel('Scenarios', { exact: true }).fill(FILE.replaceAll('glad to hear', 'never said'));
    await card.getByLabel('Compare with', { exact: true }).selectOption({ label: 'Nothing' });
    await inspect(page, 'rehearsal-by-sound');
    await card.getByRole('button', { name: 'Start the rehearsal' }).click();
    await page.getByRole('status').getByText('1 of 1 calls').waitFor({ timeout: 800_000 });
    await page.getByRole('status').getByText('By sound').waitFor();
    await page.getByRole('button', { name: 'Open call 0', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Call 0' });
    await dialog.getByRole('list', { name: 'Conversation' }).getByText('Yes.').waitFor();
    await inspect(page, 'rehearsed-by-sound');
  }, 900_000);

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
