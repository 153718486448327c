import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPart } from '../helpers/browser/assistant.ts';
import { insertCheckedCalls } from '../helpers/calls/checked-calls.ts';
import { inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { holdAnswers } from '../helpers/browser/hold-answers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';

let database: TestDatabase;
let dashboard: Dashboard;
let agent: { id: string; agent_display_name: string };
/** Ended calls of the last days, each with a dead air, and one without. */
let callIds: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  dashboard = await openDashboard({ DATABASE_URL: database.url });
  [agent] = (await dashboard.api('GET', '/agent/all')).body.data.agents;
  callIds = await insertCheckedCalls(database.db, agent.id);
});
afterAll(async () => {
  await dashboard?.close();
  await database?.close();
});

/** The figures of the quality of calls. */
async function openQuality(page: Page): Promise<void> {
  await page.goto('/analytics');
  await page.getByRole('tab', { name: 'Quality', exact: true }).click();
}

const deadAir = async (): Promise<{ calls: number; false_share: number }> =>
  (await dashboard.api('GET', '/quality/findings')).body.detectors.find(
    ({ detector }: { detector: string }) => detector === 'dead_air',
  );

describe('a finding', () => {
  it('has its place and words on the page of its call, and its false alarm is counted', async () => {
    const { page, faults } = dashboard.owner;
    const row = page.getByRole('list', { name: 'Findings', exact: true }).getByRole('listitem');
    await page.goto(`/calls/${callIds[0]}`);
    await row.getByText('Dead air', { exact: true }).waitFor();
    await row.getByText('6.2 s without a word after “yes”', { exact: true }).waitFor();
    expect(await row.innerText()).toContain('0:03');
    await inspect(page, 'call-findings');
    await row.getByRole('button', { name: 'False alarm', exact: true }).click();
    await row.getByRole('button', { name: 'Not a false alarm', exact: true }).waitFor();
    await row.getByText(/marked a false alarm/).waitFor();
    expect((await deadAir()).false_share).toBeCloseTo(1 / 3);
    await openQuality(page);
    const counted = page.getByRole('row', { name: /Dead air/ });
    await counted.getByText(/^33(\.3)? ?%$/).waitFor();
    await inspect(page, 'quality-detectors');
    await page.goto(`/calls/${callIds[0]}`);
    await row.getByRole('button', { name: 'Not a false alarm', exact: true }).click();
    await row.getByRole('button', { name: 'False alarm', exact: true }).waitFor();
    expect((await deadAir()).false_share).toBe(0);
    expect(faults).toEqual([]);
  });

  it('of a failed call becomes a rehearsed scenario in one click', async () => {
    const { page, faults } = dashboard.owner;
    await page.goto(`/calls/${callIds[0]}`);
    await page.getByLabel('More actions').click();
    await page.getByRole('button', { name: 'Rehearse this', exact: true }).click();
    await page.waitForURL(/\/rehearsals\?run=/);
    const { body } = await dashboard.api('GET', `/agent/${agent.id}/rehearsals`);
    expect(body.rehearsals).toHaveLength(1);
    expect(new URL(page.url()).searchParams.get('run')).toBe(body.rehearsals[0].rehearsal_id);
    expect(faults).toEqual([]);
  });
});

describe('the trend of quality', () => {
  it('has a point a day and a line for each alert over its figures', async () => {
    const { page, faults } = dashboard.owner;
    const set = (alerts: object[]) => dashboard.api('PUT', '/quality/alerts', { alerts });
    const { status } = await set([
      { name: 'Low score', measure: 'score_below', threshold: 70 },
      { name: 'Any finding', measure: 'findings_above', threshold: 20 },
      { name: 'Silence', measure: 'findings_above', detector: 'dead_air', threshold: 10 },
    ]);
    expect(status).toBe(200);
    await openQuality(page);
    const chart = page.getByRole('slider', { name: /^Mean score and share of calls with a finding/ });
    await page.getByRole('button', { name: 'Alert: Low score', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Alert: Any finding', exact: true }).waitFor();
    // A rule over one detector is not over the figures of the chart.
    expect(await page.getByRole('button', { name: 'Alert: Silence', exact: true }).count()).toBe(0);
    await expect.poll(() => chart.locator('circle').count()).toBe(6);
    await expect.poll(() => chart.locator('line[stroke-dasharray="2 4"]').count()).toBe(2);
    await chart.press('ArrowRight');
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toContain('70 alert: low score');
    await chart.scrollIntoViewIfNeeded();
    await inspect(page, 'quality-trend');
    await set([]);
    expect(faults).toEqual([]);
  });
});

describe('the quality of calls', () => {
  it('has alerts that a manager sets, changes and removes', async () => {
    const { page, faults } = dashboard.owner;
    await openQuality(page);
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
      .getByText('More than 10% of calls with “Dead air”, over at least 20 calls in 24 h', { exact: true })
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

  it.each([
    ['a desktop', { width: 1280, height: 900 }],
    ['a phone', { width: 390, height: 844 }],
  ])('keep the open form of their alerts when the totals arrive late, on %s', async (_, size) => {
    const { page, faults } = dashboard.owner;
    await page.setViewportSize(size);
    const totals = await holdAnswers(page, '/analytics/platform-analytics');
    await openQuality(page);
    await page.getByRole('button', { name: 'Change the alerts', exact: true }).click();
    const name = page
      .getByRole('form', { name: 'Alerts', exact: true })
      .getByLabel('Name of alert 1', { exact: true });
    await name.fill('Typed before the totals');
    await totals.release();
    await page.getByRole('heading', { name: 'Ended calls', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Download all as CSV', exact: true }).waitFor();
    expect(await name.inputValue()).toBe('Typed before the totals');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(faults).toEqual([]);
  });

  it('is scored by the scorecard of an assistant', async () => {
    const { page } = dashboard.owner;
    await page.goto(`/agents/${agent.id}`);
    await openPart(page, 'Scorecard');
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
