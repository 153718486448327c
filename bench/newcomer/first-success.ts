import type { Page } from 'playwright-core';
import { obstacle } from './hour.ts';

const [MOST_DECISIONS, MOST_MS] = [6, 180_000];

/**
 * From Home to the first finished call of an assistant of one's own, by the welcome page. A decision is a press or a choice.
 * Returns the obstacles: more decisions than six, or more than three minutes.
 */
export async function firstSuccess(page: Page): Promise<string[]> {
  const beganAt = performance.now();
  let decisions = 0;
  const press = async (role: 'button' | 'link', name: string | RegExp): Promise<void> => {
    decisions += 1;
    await page.getByRole(role, { name }).click();
  };
  await press('link', 'To do: Make a first call');
  await press('button', /^Appointment reminder/);
  await press('button', 'Create and try it');
  await press('button', 'Watch a test call');
  decisions += 1;
  await page.getByRole('dialog').getByRole('button', { name: 'Call', exact: true }).click();
  await page.getByRole('region', { name: 'Live call' }).waitFor({ timeout: 30_000 });
  await page.getByRole('region', { name: 'Recording' }).locator('svg').first().waitFor({ timeout: MOST_MS });
  const tookMs = performance.now() - beganAt;
  process.stderr.write(`          ${decisions} decisions, ${(tookMs / 1000).toFixed(1)} s\n`);
  return [
    ...obstacle(decisions <= MOST_DECISIONS, `${decisions} decisions to a first call`),
    ...obstacle(tookMs <= MOST_MS, `${Math.round(tookMs / 1000)} s to a first call`),
  ];
}
