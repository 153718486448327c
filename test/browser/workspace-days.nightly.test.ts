import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MOVED_AT_ONCE } from '../../src/domain/workspaces/zone.ts';
import { inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { openPlace } from '../helpers/browser/places.ts';
import { countByDay, insertMany } from '../helpers/calls/many-calls.ts';
import { holdResults } from '../helpers/calls/held-results.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';

let database: TestDatabase;
let dashboard: Dashboard;
let workspaceId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  dashboard = await openDashboard({ DATABASE_URL: database.url });
  workspaceId = (await dashboard.api('GET', '/workspace')).body.workspace_info.id;
});
afterAll(async () => {
  await dashboard?.close();
  await database?.close();
});
beforeEach(async () => {
  await dashboard.owner.page.goto('/');
  await openPlace(dashboard.owner.page, 'Workspace');
});

const zone = () => dashboard.owner.page.getByLabel('Time zone');
const country = () => dashboard.owner.page.getByLabel('Country of numbers without a code');
const form = () => dashboard.owner.page.locator('form').filter({ has: zone() });
const save = () => form().getByRole('button', { name: 'Save', exact: true });
const settings = async (): Promise<any> => (await dashboard.api('GET', '/workspace/settings')).body;
const days = async (): Promise<Map<string, number>> => {
  const { body } = await dashboard.api('GET', '/analytics/platform-analytics');
  return new Map(body.data.daily.map((day: any) => [day.date, day.total_calls]));
};

describe('the card of days and numbers', () => {
  it('saves zone and country by the keyboard, says whose days hold, and takes it back', async () => {
    const { page, faults } = dashboard.owner;
    expect(await zone().inputValue()).toBe('UTC');
    expect(await country().inputValue()).toBe('');
    expect(await save().isDisabled()).toBe(true);
    await zone().selectOption('America/New_York');
    await country().selectOption('US');
    await save().focus();
    await page.keyboard.press('Enter');
    await page.getByText('Days are those of America/New York now.').waitFor();
    expect(await settings()).toMatchObject({
      timezone: 'America/New_York',
      country: 'US',
      timezone_change: null,
    });
    await page.reload();
    await zone().waitFor();
    await expect
      .poll(async () => [await zone().inputValue(), await country().inputValue()])
      .toEqual(['America/New_York', 'US']);
    await inspect(page, 'workspace-days');

    await zone().selectOption('UTC');
    await save().click();
    await page.getByText('Days are those of UTC now.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => zone().inputValue(), { timeout: 60_000 }).toBe('America/New_York');
    expect((await settings()).timezone).toBe('America/New_York');
    expect(faults).toEqual([]);
  });

  it('shows how far a change in a workspace of many calls is, keeps the old days until it is done, and reads again', async () => {
    const { page, faults } = dashboard.owner;
    await insertMany(database.db, workspaceId, {
      from: new Date('2026-05-01T00:30:00Z'),
      count: MOVED_AT_ONCE + 1,
    });
    const before = await countByDay(database.db, workspaceId, 'America/New_York');
    expect(await days()).toEqual(before);
    const release = await holdResults(database, workspaceId);
    try {
      await zone().selectOption('Asia/Kolkata');
      await save().click();
      await page
        .getByText('All kept calls are counted again; days are those of Asia/Kolkata when that is done.')
        .waitFor();
      const progress = form().getByRole('status');
      await progress
        .getByText('The days of Asia/Kolkata are being counted: 50% of the calls so far.')
        .waitFor();
      await expect.poll(() => zone().inputValue()).toBe('America/New_York');
      await expect.poll(() => zone().isDisabled()).toBe(true);
      expect(await days()).toEqual(before);
      await inspect(page, 'workspace-days-moving');

      await country().selectOption('IN');
      await save().click();
      await expect.poll(async () => (await settings()).country, { timeout: 60_000 }).toBe('IN');
      expect(await settings()).toMatchObject({
        timezone: 'America/New_York',
        timezone_change: { timezone: 'Asia/Kolkata', percent: 50 },
      });
    } finally {
      await release();
    }
    await expect.poll(() => zone().inputValue(), { timeout: 60_000 }).toBe('Asia/Kolkata');
    await expect.poll(() => zone().isDisabled()).toBe(false);
    await expect.poll(() => form().getByRole('status').count()).toBe(0);
    expect(await days()).toEqual(await countByDay(database.db, workspaceId, 'Asia/Kolkata'));
    expect(faults).toEqual([]);
  });
});
