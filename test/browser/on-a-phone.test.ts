import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect, openPage, type Watched } from '../helpers/browser/chromium.ts';
import { openDashboard, OWNER, type Dashboard } from '../helpers/browser/dashboard.ts';
import { createAgent, place, provisionWith, whenOver } from '../helpers/service/scenario.ts';

const WIDTH = 390;
const PEOPLE = 60;
let dashboard: Dashboard;
let phone: Watched;
let agentId = '';
let callId = '';
let campaignId = '';

beforeAll(async () => {
  dashboard = await openDashboard({}, [], provisionWith({}));
  const { service } = dashboard;
  agentId = await createAgent(service);
  callId = await place(service, agentId, '+14155550990');
  await whenOver(service, callId);
  const minute = (ms: number): string => new Date(ms).toISOString().slice(11, 16);
  const HOUR = 3_600_000;
  const opens = Date.now() + 2 * HOUR;
  const laterId = await createAgent(service, {
    agent_name: 'Later',
    call_config: {
      call_time: {
        call_start_time: minute(opens),
        call_end_time: minute(opens + HOUR),
        timezone: 'Etc/UTC',
      },
    },
  });
  const rows = Array.from({ length: PEOPLE }, (_, n) => `+14155551${100 + n},Contact ${n}`);
  const form = new FormData();
  form.append('agent_id', laterId);
  form.append('campaign_name', 'Visits');
  form.append('variables_map', JSON.stringify({ mobile_number: 'Phone', callee_name: 'Name' }));
  form.append('file', new Blob([['Phone,Name', ...rows].join('\n')], { type: 'text/csv' }), 'list.csv');
  campaignId = (await dashboard.form('/campaign/save', form)).body.list_id;
  const { workspace_numbers: numbers } = (await dashboard.api('GET', '/workspace/numbers')).body;
  await dashboard.api('POST', '/campaign/start', {
    agent_id: laterId,
    list_id: campaignId,
    from_numbers: [numbers[0].id],
  });
  phone = await openPage(dashboard.browser, service.url, { width: WIDTH, height: 844 });
  const { page } = phone;
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Home', exact: true }).waitFor();
}, 400_000);
afterAll(() => dashboard?.close());

/** The strip of a page with one. */
const onlyStrip = (page: Page): Locator => page.locator('[data-hides]');

/** Where the chosen tab or link of a strip is: the edges of the window that it crosses, and what the strip hides. */
const placeOf = (shown: Locator): Promise<{ beyond: number; hides: string | null; lines: number }> =>
  shown.evaluate((strip, windowWidth) => {
    const chosen = strip.querySelector('[aria-selected=true], [aria-current=page]');
    const { left, right } = chosen?.getBoundingClientRect() ?? { left: -1, right: -1 };
    const tops = [...strip.querySelectorAll('[role=tab], a')].map((tab) => tab.getBoundingClientRect().top);
    return {
      beyond: Math.max(0, -left, right - windowWidth),
      hides: strip.getAttribute('data-hides'),
      lines: new Set(tops).size,
    };
  }, WIDTH);

describe('tabs on a phone', () => {
  it('of an assistant stand on two lines that fade where they go on, with the chosen links in view', async () => {
    const { page, faults } = phone;
    const parts = page.getByRole('navigation', { name: 'Parts of the assistant' });
    const [groups, partsOfGroup] = [
      parts.locator('[data-hides]').first(),
      parts.locator('[data-hides]').nth(1),
    ];
    const hides = async (): Promise<readonly unknown[]> => [
      await placeOf(groups),
      await placeOf(partsOfGroup),
    ];
    const line = (hidden: string) => ({ beyond: 0, hides: hidden, lines: 1 });
    await page.goto(`/agents/${agentId}`);
    await parts.getByRole('link', { name: 'Instructions' }).waitFor();
    await expect.poll(hides).toEqual([line('after'), line('none')]);
    await inspect(page, 'phone-assistant-tabs');
    await page.goto(`/agents/${agentId}?tab=tests`);
    await parts.getByRole('link', { name: 'History' }).waitFor();
    await expect.poll(hides).toEqual([line('before'), line('both')]);
    await parts.getByRole('link', { name: 'History' }).click();
    await expect.poll(hides).toEqual([line('before'), line('before')]);
    await inspect(page, 'phone-assistant-last-tab');
    await parts.getByRole('link', { name: 'Voice', exact: true }).click();
    await expect.poll(() => parts.locator('[data-hides]').count()).toBe(1);
    await expect.poll(() => placeOf(groups)).toMatchObject({ beyond: 0, lines: 1 });
    expect(faults).toEqual([]);
  });

  it('of the settings stand on one line with the open page in view', async () => {
    const { page } = phone;
    await page.goto('/settings/workspace');
    await page.getByRole('navigation', { name: 'Section' }).waitFor();
    await expect.poll(() => placeOf(onlyStrip(page))).toEqual({ beyond: 0, hides: 'after', lines: 1 });
    await page.goto('/settings/audit-log');
    await page.getByRole('navigation', { name: 'Section' }).waitFor();
    await expect.poll(() => placeOf(onlyStrip(page))).toMatchObject({ beyond: 0, lines: 1 });
  });

  it('follow the arrow keys', async () => {
    const { page } = phone;
    await page.goto('/analytics');
    const tabs = page.getByRole('tablist', { name: 'Parts of the page' }).getByRole('tab');
    await tabs.first().click();
    await expect.poll(() => placeOf(onlyStrip(page))).toEqual({ beyond: 0, hides: 'after', lines: 1 });
    await page.keyboard.press('ArrowLeft');
    await tabs.last().and(page.locator(':focus[aria-selected=true]')).waitFor();
    await expect.poll(() => placeOf(onlyStrip(page))).toEqual({ beyond: 0, hides: 'before', lines: 1 });
    await page.keyboard.press('ArrowRight');
    await tabs.first().and(page.locator(':focus[aria-selected=true]')).waitFor();
    await expect.poll(() => placeOf(onlyStrip(page))).toEqual({ beyond: 0, hides: 'after', lines: 1 });
  });
});

describe('lists on a phone', () => {
  // A row with choices or buttons has them below its two lines.
  it.each([
    ['/agents', 'Assistants', 124],
    ['/', 'Latest results', 76],
    ['/credits', 'Movements of credits', 76],
    ['/settings/account', 'Sessions', 124],
    ['/settings/members', 'Members', 172],
    ['/numbers', 'Numbers', 220],
    ['/settings/workspace', 'Stored data and quotas', 76],
  ])('has rows of two lines: %s, %s', async (path, name, most) => {
    const { page, faults } = phone;
    await page.goto(path);
    const rows = page.getByRole('list', { name, exact: true }).getByRole('listitem');
    await rows.first().waitFor();
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect(Math.max(...heights), `${name}: the highest row`).toBeLessThanOrEqual(most);
    await inspect(page, `phone-list-${name.toLowerCase().replaceAll(' ', '-')}`);
    expect(faults).toEqual([]);
  });

  it('say since when a session is signed in, and what can be done with an assistant', async () => {
    const { page, faults } = phone;
    await page.goto('/settings/account');
    const session = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').first();
    await session.getByText('Signed in').waitFor();
    await page.goto('/agents');
    const assistant = page.getByRole('list', { name: 'Assistants' }).getByRole('listitem').first();
    await assistant.getByRole('link', { name: /^Try / }).waitFor();
    await assistant.getByRole('link', { name: /^Calls of / }).click();
    await page.waitForURL('**/calls?agent=**');
    expect(faults).toEqual([]);
  });

  it('open what a row is about from everywhere in it', async () => {
    const { page } = phone;
    await page.goto('/agents');
    const row = page.getByRole('list', { name: 'Assistants' }).getByRole('listitem').last();
    const box = await row.boundingBox();
    await row.click({ position: { x: (box?.width ?? 0) - 10, y: (box?.height ?? 0) - 6 } });
    await expect.poll(() => page.url()).toMatch(/\/agents\/[\da-f-]{36}$/);
  });
});

describe('the header of a page on a phone', () => {
  const more = (): Locator => phone.page.getByLabel('More actions');

  it('has further actions in a menu inside the window, which closes before a dialog opens', async () => {
    const { page, faults } = phone;
    await page.goto(`/campaigns/${campaignId}`);
    const actions = page.getByRole('region', { name: 'Actions', exact: true });
    await actions.getByRole('button', { name: 'Pause' }).waitFor();
    expect((await actions.boundingBox())?.height).toBeLessThanOrEqual(48);
    await more().click();
    await actions.getByRole('button', { name: 'Download the report so far' }).waitFor();
    await actions.getByRole('link', { name: 'Show its calls' }).waitFor();
    await inspect(page, 'phone-campaign-more');
    const box = await actions.getByRole('button', { name: 'Terminate' }).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(WIDTH);
    await actions.getByRole('button', { name: 'Terminate' }).click();
    const dialog = page.getByRole('dialog', { name: /^Terminate/ });
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await actions.getByRole('button', { name: 'Terminate' }).waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('holds the dialog of an action in the menu', async () => {
    const { page, faults } = phone;
    await page.goto(`/calls/${callId}`);
    await more().click();
    await page.getByRole('button', { name: 'Rehearse this' }).waitFor();
    await inspect(page, 'phone-call-more');
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase this call' });
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Erase', exact: true }).waitFor({ state: 'detached' });
    await more().and(page.locator(':focus')).waitFor();
    expect(faults).toEqual([]);
  });
});

/** What is pressed and is lower than a finger needs; a box counts with its label, a link only in a list or navigation. */
const lowTargets = (page: Page): Promise<string[]> =>
  page
    .locator('main :is(button, summary, select, input, textarea, [role=tab], nav a, ol a)')
    .evaluateAll((all) =>
      all.flatMap((each) => {
        const target = /^(checkbox|radio)$/.test(each.getAttribute('type') ?? '')
          ? (each.closest('label') ?? each)
          : each;
        const { width, height } = target.getBoundingClientRect();
        const name = each.getAttribute('aria-label') ?? each.textContent;
        return width > 0 && height > 0 && height < 39.5 ? [`${Math.round(height)} px: ${name}`] : [];
      }),
    );

describe('what is pressed on a phone', () => {
  it('is at least 40 pixels high', async () => {
    const { page } = phone;
    const screens = [
      ['/', page.getByRole('heading', { name: 'First steps' })],
      ['/analytics', page.getByText('Figures by day')],
      [`/calls/${callId}`, page.getByRole('list', { name: 'Moments of the call' })],
      ['/settings/members', page.getByRole('list', { name: 'Members' })],
      ['/numbers', page.getByRole('list', { name: 'Numbers' })],
      [`/agents/${agentId}?tab=voice`, page.getByRole('radio').first()],
      [`/agents/${agentId}?tab=behaviour`, page.getByRole('checkbox').first()],
      [`/campaigns/${campaignId}`, page.getByRole('list', { name: 'Contacts' })],
    ] as const;
    for (const [path, content] of screens) {
      await page.goto(path);
      await content.waitFor();
      expect(await lowTargets(page), `${path}: low targets`).toEqual([]);
    }
    await page.goto(`/calls/${callId}`);
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      expect(await lowTargets(page), `low targets of the call, ${await tab.innerText()}`).toEqual([]);
    }
  });
});

describe('a campaign on a phone', () => {
  it('has its contacts after the results, and its hours and rules in parts of their own', async () => {
    const { page, faults } = phone;
    await page.goto(`/campaigns/${campaignId}`);
    await page.getByRole('list', { name: 'Contacts' }).waitFor();
    await page.getByText('Answered', { exact: true }).first().waitFor();
    const headings = (): Promise<string[]> => page.locator('main h2').allInnerTexts();
    const order = (await headings()).filter((each) =>
      ['Progress', 'Answered', 'Contacts', 'Rules', 'Money and list'].includes(each),
    );
    expect(order).toEqual(['Progress', 'Answered', 'Contacts']);
    await inspect(page, 'phone-campaign-order');
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect.poll(async () => (await headings()).at(-1)).toBe('Contacts');
    await page.setViewportSize({ width: WIDTH, height: 844 });
    await page.getByRole('tab', { name: 'Rules and money' }).click();
    await expect.poll(async () => (await headings()).slice(-2)).toEqual(['Rules', 'Money and list']);
    await inspect(page, 'phone-campaign-rules');
    expect(faults).toEqual([]);
  });
});
