import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';

let dashboard: Dashboard;
let agent: { id: string; agent_display_name: string };
beforeAll(async () => {
  dashboard = await openDashboard();
  [agent] = (await dashboard.api('GET', '/agent/all')).body.data.agents;
});
afterAll(() => dashboard?.close());

describe('the quality of calls', () => {
  it('has alerts that a manager sets, changes and removes', async () => {
    const { page, faults } = dashboard.owner;
    await page.goto('/analytics');
    await page.getByRole('heading', { name: 'Alerts', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change the alerts', exact: true }).click();
    const form = page.getByRole('form', { name: 'Alerts', exact: true });
    await form.getByLabel('Name of alert 1', { exact: true }).fill('Silence');
    await form
      .getByLabel('Assistant of alert 1', { exact: true })
      .selectOption({ label: agent.agent_display_name });
    await form.getByLabel('Detector of alert 1', { exact: true }).selectOption({ label: 'Dead air' });
    await form.getByRole('button', { name: 'Add an alert', exact: true }).click();
    await form.getByLabel('Name of alert 2', { exact: true }).fill('Low score');
    await form.getByLabel('Figure of alert 2', { exact: true }).selectOption({ label: 'Mean score below' });
    await form.getByLabel('Threshold (2)', { exact: true }).fill('70');
    await inspect(page, 'alerts-form');
    await form.getByRole('button', { name: 'Save the alerts', exact: true }).click();
    const table = page.getByRole('table', { name: 'Alerts', exact: true });
    await table
      .getByText('More than 10 % of calls with “Dead air”, over at least 20 calls in 24 h', { exact: true })
      .waitFor();
    await inspect(page, 'alerts');
    expect((await dashboard.api('GET', '/quality/alerts')).body).toMatchObject({
      alerts: [
        { name: 'Silence', agent_id: agent.id, detector: 'dead_air', threshold: 10, raised_at: null },
        { name: 'Low score', agent_id: null, measure: 'score_below', threshold: 70 },
      ],
    });
    await page.getByRole('button', { name: 'Change the alerts', exact: true }).click();
    await form.getByRole('button', { name: 'Remove alert 1', exact: true }).click();
    await form.getByRole('button', { name: 'Save the alerts', exact: true }).click();
    // The form stands in the table's place until the service has saved the rules.
    await table.getByText('Low score', { exact: true }).waitFor();
    await table.getByText('Silence', { exact: true }).waitFor({ state: 'detached' });
    expect((await dashboard.api('GET', '/quality/alerts')).body.alerts).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('is scored by the scorecard of an assistant', async () => {
    const { page } = dashboard.owner;
    await page.goto(`/agents/${agent.id}`);
    await page.getByRole('link', { name: 'Scorecard', exact: true }).click();
    await page.getByRole('button', { name: 'Add a scored criterion', exact: true }).click();
    await page.getByLabel('Name of scored criterion 1', { exact: true }).fill('No silence');
    await inspect(page, 'scorecard');
    await page.getByRole('button', { name: 'Save the scorecard', exact: true }).click();
    await page.getByRole('heading', { name: 'Scorecard, version 1', exact: true }).waitFor();
    expect((await dashboard.api('GET', `/agent/${agent.id}/scorecard`)).body.scorecard).toMatchObject({
      version: 1,
      criteria: [{ name: 'No silence', rule: 'no_finding', detector: 'dead_air', points: 10 }],
    });
  });
});
