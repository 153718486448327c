import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect, type Watched } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { SCREENS } from '../helpers/browser/places.ts';
import { joinAsViewer } from '../helpers/browser/viewer.ts';
import { createAgent, place, provisionWith } from '../helpers/service/scenario.ts';
import { eventually } from '../helpers/service/service.ts';

const TABS = ['instructions', 'flow', 'voice', 'behaviour', 'tools', 'connections', 'analysis'] as const;
const MORE_TABS = ['scorecard', 'tests', 'models', 'browser', 'versions', 'history'] as const;

let dashboard: Dashboard;
let viewer: Watched;
let agentId: string;
let callId: string;
beforeAll(async () => {
  dashboard = await openDashboard({}, [], provisionWith({}));
  agentId = await createAgent(dashboard.service);
  await dashboard.api('POST', '/dnc', { mobile_numbers: ['+14155550177'] });
  // On the built-in test carrier this callee hangs up in the middle of a sentence.
  callId = await place(dashboard.service, agentId, '+14155550007');
  await eventually('the end of the call', async () => {
    const { body } = await dashboard.api('GET', '/calling/history');
    return body.calls.find((each: any) => each.call_status === 'completed') ?? null;
  });
  viewer = await joinAsViewer(dashboard);
}, 240_000);
afterAll(async () => {
  await viewer?.context.close();
  await dashboard?.close();
});

const addresses = (): readonly string[] => [
  ...SCREENS,
  ...[...TABS, ...MORE_TABS].map((tab) => `/agents/${agentId}?tab=${tab}`),
  `/calls/${callId}`,
  `/agents/${agentId}/rehearsals`,
];
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Loading').first().waitFor({ state: 'detached' });
}
const content = (page: Page) => page.locator('#content');

describe('a viewer', () => {
  it('reads settings as text, with one badge at the head of each page', async () => {
    const { page } = viewer;
    const found: string[] = [];
    for (const path of addresses()) {
      await open(page, path);
      const badge = page.getByText('View only', { exact: true });
      await badge.first().waitFor();
      const badges = await badge.count();
      if (badges !== 1) found.push(`${path}: ${badges} badges`);
      const dead = content(page).locator(':is(input, textarea, select):is(:disabled, [readonly]):visible');
      for (const field of await dead.all())
        found.push(`${path}: ${await field.evaluate((el) => el.outerHTML)}`);
    }
    expect(found).toEqual([]);
  });

  it('sees the texts of an assistant without a field or a way to save', async () => {
    const { page, faults } = viewer;
    await open(page, `/agents/${agentId}`);
    const greeting = page.getByRole('group', { name: 'First message', exact: true });
    await greeting.getByText('Riverside', { exact: false }).waitFor();
    expect(await content(page).getByRole('textbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Try it', exact: true }).count()).toBe(0);
    await inspect(page, 'viewer-assistant');
    await open(page, `/agents/${agentId}?tab=behaviour`);
    await page.getByRole('group', { name: 'Who speaks first', exact: true }).waitFor();
    await inspect(page, 'viewer-behaviour');
    await open(page, `/agents/${agentId}?tab=voice`);
    await inspect(page, 'viewer-voice');
    await open(page, '/settings/workspace');
    await inspect(page, 'viewer-workspace');
    expect(faults).toEqual([]);
  });

  it('finds no button that the service refuses', async () => {
    const { page } = viewer;
    const refused: string[] = [];
    let pressed = '';
    page.on('response', (response) => {
      if (response.status() === 403)
        refused.push(`${pressed}: ${response.request().method()} ${response.url()}`);
    });
    for (const path of addresses()) {
      pressed = path;
      await open(page, path);
      await pressAll(page, path, (name) => (pressed = `${path} ${name}`));
    }
    await open(page, '/');
    expect(refused).toEqual([]);
  });
});

/** Presses every button of a page, and the last one of the dialog that it opens. */
async function pressAll(page: Page, path: string, onPress: (name: string) => void): Promise<void> {
  const buttons = content(page).locator('button:visible:enabled');
  const count = await buttons.count();
  for (let at = 0; at < count; at += 1) {
    // In one step each: a button may leave while the page reads again.
    const name = await buttons.evaluateAll((all, place) => all[place]?.innerText ?? null, at);
    if (name === null) continue;
    onPress(name);
    // What lies above it, such as a message, does not matter here.
    await buttons.evaluateAll((all, place) => all[place]?.click(), at);
    const dialog = page.locator('dialog[open] button:enabled').last();
    if ((await dialog.count()) > 0) {
      await dialog.dispatchEvent('click');
      await page.keyboard.press('Escape');
    }
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
    if (!page.url().endsWith(path) || (await page.locator('dialog[open]').count()) > 0)
      await open(page, path);
  }
}
