import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inspect, openPage, type Watched } from '../helpers/browser/chromium.ts';
import { openDashboard, OWNER, type Dashboard } from '../helpers/browser/dashboard.ts';
import { addFilter, choiceOf, openFilter, removeFilter, setFilter } from '../helpers/browser/filters.ts';
import { createAgent, place, provisionWith, whenOver } from '../helpers/service/scenario.ts';
import { TRANSLATED, wordsOf } from '../helpers/words.ts';

const PEOPLE = 26;
const LONG = 'Wilhelmina Featherstonehaugh-Cholmondeley of the northern branch office';
let dashboard: Dashboard;
let wide: Watched;
let phone: Watched;
let campaignId = '';

async function signedIn(size: { width: number; height: number }): Promise<Watched> {
  const opened = await openPage(dashboard.browser, dashboard.service.url, size);
  await opened.page.goto('/sign-in');
  await opened.page.getByLabel('Email').fill(OWNER.email);
  await opened.page.getByLabel('Password').fill(OWNER.password);
  await opened.page.getByRole('button', { name: 'Sign in' }).click();
  await opened.page.getByRole('heading', { name: 'Home', exact: true }).waitFor();
  return opened;
}

beforeAll(async () => {
  dashboard = await openDashboard({}, [], provisionWith({}));
  const { service } = dashboard;
  await whenOver(service, await place(service, await createAgent(service), '+14155550990'));
  const HOUR = 3_600_000;
  const minute = (ms: number): string => new Date(ms).toISOString().slice(11, 16);
  const opens = Date.now() + 2 * HOUR;
  const agentId = await createAgent(service, {
    agent_name: 'Later',
    call_config: {
      call_time: {
        call_start_time: minute(opens),
        call_end_time: minute(opens + HOUR),
        timezone: 'Etc/UTC',
      },
    },
  });
  const { workspace_numbers: numbers } = (await dashboard.api('GET', '/workspace/numbers')).body;
  for (let n = 1; n <= PEOPLE; n += 1) {
    const { status } = await dashboard.api('POST', '/calling/outbound/individual', {
      name: n === PEOPLE ? LONG : `Person ${n}`,
      mobile_number: `+14155550${100 + n}`,
      agent_id: agentId,
      from_number_id: numbers[0].id,
    });
    if (status !== 200) throw new Error(`the call was refused with ${status}`);
  }
  await dashboard.api('POST', '/webhooks/test', {
    event_type: 'call_completed',
    callback_url: `${'https://receiver.example.com/a-rather-long-path/'.repeat(3)}hook`,
  });
  const rows = Array.from({ length: PEOPLE }, (_, n) => `+14155551${100 + n},Contact ${n}`);
  const form = new FormData();
  form.append('agent_id', agentId);
  form.append('campaign_name', 'Visits');
  form.append('variables_map', JSON.stringify({ mobile_number: 'Phone', callee_name: 'Name' }));
  form.append('file', new Blob([['Phone,Name', ...rows].join('\n')], { type: 'text/csv' }), 'list.csv');
  campaignId = (await dashboard.form('/campaign/save', form)).body.list_id;
  await dashboard.api('POST', '/campaign/start', {
    agent_id: agentId,
    list_id: campaignId,
    from_numbers: [numbers[0].id],
  });
  [wide, phone] = await Promise.all([
    signedIn({ width: 1440, height: 900 }),
    signedIn({ width: 390, height: 844 }),
  ]);
}, 400_000);
afterAll(() => dashboard?.close());

/** The heights of the rows of the only table of a page, once it has some. */
async function rowHeights(page: Page, name: string): Promise<number[]> {
  const rows = page.getByRole('table', { name, exact: true }).locator('tbody tr');
  await rows.first().waitFor();
  return rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
}

/** What ends in an ellipsis or goes beyond its box sideways; of addresses and details without end three lines are enough. */
const cutTexts = (region: Locator): Promise<string[]> =>
  region
    .locator('th, td, td *')
    .evaluateAll((all) =>
      all
        .filter((each) => each.scrollWidth > each.clientWidth && each.clientWidth > 0)
        .map((each) => `${each.tagName} ${each.textContent}`),
    );

/** Buttons of which the cell's line shows a part only. */
const cutButtons = (region: Locator): Promise<string[]> =>
  region.locator('td > div').evaluateAll((lines) =>
    lines
      .filter((line) => line.computedStyleMap().get('overflow-y')?.toString() !== 'visible')
      .flatMap((line) => {
        const { top, bottom } = line.getBoundingClientRect();
        return [...line.querySelectorAll('button')].filter((button) => {
          const own = button.getBoundingClientRect();
          return own.top < top - 0.5 || own.bottom > bottom + 0.5;
        });
      })
      .map((button) => button.textContent),
  );

const topOf = (page: Page, name: string): Promise<number> =>
  page
    .getByRole('table', { name, exact: true })
    .getByRole('columnheader')
    .first()
    .evaluate((header) => header.getBoundingClientRect().top);

/** The list on a page, its address and the name of its table. */
const lists = (): (readonly [path: string, name: string])[] => [
  ['/calls', 'Calls'],
  ['/campaigns', 'Campaigns'],
  [`/campaigns/${campaignId}`, 'Contacts'],
  ['/webhooks', 'Deliveries'],
  ['/settings/requests', 'API requests'],
  ['/settings/audit-log', 'Audit log'],
];

beforeEach(() => wide.page.setViewportSize({ width: 1440, height: 900 }));

describe('a list', () => {
  it.each([1440, 1280])('has rows of one line, no wider than its box, in %i pixels', async (width) => {
    const { page } = wide;
    await page.setViewportSize({ width, height: 900 });
    for (const [path, name] of lists()) {
      await page.goto(path);
      const heights = await rowHeights(page, name);
      expect(Math.min(...heights), `${name}: the lowest row`).toBeGreaterThanOrEqual(32);
      expect(Math.max(...heights), `${name}: the highest row`).toBeLessThanOrEqual(40);
      const beyond = await page
        .getByRole('region', { name, exact: true })
        .evaluate((box) => box.scrollWidth - box.clientWidth);
      expect(beyond, `${name} is wider than its box by`).toBe(0);
    }
  });

  it('cuts no button', async () => {
    const { page } = wide;
    for (const [path, name] of [...lists(), ['/settings/account', 'Sessions'] as const]) {
      await page.goto(path);
      await rowHeights(page, name);
      const region = page.getByRole('region', { name, exact: true });
      expect(await cutButtons(region), `${name}: buttons that are cut`).toEqual([]);
    }
  });

  it('takes more lines on a tablet before it cuts a name, a time or a title, or scrolls sideways', async () => {
    const { page } = wide;
    await page.setViewportSize({ width: 820, height: 900 });
    for (const [path, name] of [...lists(), ['/agents', 'Assistants'] as const]) {
      await page.goto(path);
      const rows = await rowHeights(page, name);
      expect(Math.max(...rows), `${name}: the highest row`).toBeLessThanOrEqual(110);
      const region = page.getByRole('region', { name, exact: true });
      const beyond = await region.evaluate((box) => box.scrollWidth - box.clientWidth);
      expect(beyond, `${name} is wider than its box by`).toBe(0);
      expect(await cutTexts(region), `${name}: texts that are cut`).toEqual([]);
    }
  });

  it('of calls shows at least 18 in a window of 900 pixels', async () => {
    const { page } = wide;
    await page.goto('/calls');
    await rowHeights(page, 'Calls');
    const rows = page.getByRole('table', { name: 'Calls' }).locator('tbody tr');
    const bottoms = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
    expect(bottoms.filter((bottom) => bottom <= 900).length).toBeGreaterThanOrEqual(18);
    await inspect(page, 'lists-calls');
  });

  it('keeps its header at the top while the page scrolls', async () => {
    const { page } = wide;
    await page.goto('/calls');
    await rowHeights(page, 'Calls');
    expect(await topOf(page, 'Calls')).toBeGreaterThan(50);
    await page.locator('html').evaluate((html) => html.scrollTo(0, html.scrollHeight));
    await expect.poll(() => topOf(page, 'Calls')).toBe(0);
    // The navigation of a smaller window stays above it.
    await page.setViewportSize({ width: 820, height: 600 });
    await page.locator('html').evaluate((html) => html.scrollTo(0, html.scrollHeight));
    const bar = page.getByRole('banner');
    await expect.poll(() => bar.evaluate((header) => header.getBoundingClientRect().top)).toBe(0);
    const barBottom = await bar.evaluate((header) => header.getBoundingClientRect().bottom);
    await expect.poll(() => topOf(page, 'Calls')).toBe(barBottom);
  });

  it.each(['/settings/account', '/settings/workspace', '/agents'])(
    'has no row under its header in 660 pixels, though it may be wider than its box: %s',
    async (path) => {
      const { page } = wide;
      await page.setViewportSize({ width: 660, height: 900 });
      await page.goto(path);
      await page.getByRole('table').locator('tbody tr').first().waitFor();
      const hidden = await page.getByRole('table').evaluateAll((tables) =>
        tables.map((table) => {
          const header = table.querySelector('th')?.getBoundingClientRect().bottom ?? 0;
          const row = table.querySelector('tbody tr')?.getBoundingClientRect().top ?? Infinity;
          return Math.max(0, Math.round(header - row));
        }),
      );
      expect(hidden, 'pixels of the first row of each table').toEqual(hidden.map(() => 0));
    },
  );

  it('shows an id without its middle, with the whole of it in the title and by a button', async () => {
    const { page } = wide;
    await page.goto('/settings/requests');
    const row = page.getByRole('table', { name: 'API requests' }).locator('tbody tr').first();
    const id = row.locator('code[title^=req_]');
    const whole = await id.getAttribute('title');
    // Another request may come to the head of the list meanwhile.
    const same = page.getByRole('table', { name: 'API requests' }).locator(`code[title="${whole}"]`);
    expect(await same.innerText()).toBe(`${whole?.slice(0, 8)}…${whole?.slice(-6)}`);
    await page.getByRole('button', { name: `Copy the request id ${whole}` }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(whole);
  });
});

describe('the filters of a list', () => {
  it('are set, changed and removed by the keyboard, and the address has them', async () => {
    const { page } = wide;
    await page.goto('/calls');
    await rowHeights(page, 'Calls');
    const address = (): string => new URL(page.url()).search;
    await addFilter(page).focus();
    await page.keyboard.press('Enter');
    const menu = page.getByRole('group', { name: 'Filters', exact: true });
    await menu.getByRole('button', { name: 'Result', exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await choiceOf(page, 'Status', 'Queued').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('?status=registered');
    // The keyboard goes on where it was.
    await addFilter(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Shift+Tab');
    await page
      .getByRole('button', { name: 'Remove the filter Status Queued' })
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await choiceOf(page, 'Status', 'Queued').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('?status=ongoing');
    await page.getByRole('heading', { name: 'No call matches' }).waitFor();
    await page.locator('search summary').filter({ hasText: 'Status' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Delete');
    await expect.poll(address).toBe('');
    await addFilter(page).and(page.locator(':focus')).waitFor();
    await rowHeights(page, 'Calls');
    // Escape leaves the menu and the filters as they are.
    await page.keyboard.press('Enter');
    await menu.waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await addFilter(page).and(page.locator(':focus')).waitFor();
    expect(address()).toBe('');
  });

  it('are in a menu that a press elsewhere closes', async () => {
    const { page } = wide;
    await page.goto('/calls');
    await rowHeights(page, 'Calls');
    await addFilter(page).click();
    const menu = page.getByRole('group', { name: 'Filters', exact: true });
    await menu.getByRole('button', { name: 'Finding', exact: true }).click();
    await choiceOf(page, 'Finding', 'Dead air').waitFor();
    await inspect(page, 'lists-filter-menu');
    await page.getByRole('heading', { name: 'Calls', exact: true }).click();
    await page.getByRole('group', { name: 'Finding' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  });

  it('are set and removed by the mouse, days and numbers too', async () => {
    const { page, faults } = wide;
    await page.goto('/calls');
    await rowHeights(page, 'Calls');
    await setFilter(page, 'Status', 'Queued');
    await openFilter(page, 'From day');
    await page.getByLabel('From day').fill('2026-01-05');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByRole('button', { name: 'Remove the filter From day 5 Jan 2026' }).waitFor();
    await page.getByLabel('Called number').fill(`+14155550${100 + PEOPLE}`);
    await page.keyboard.press('Enter');
    await expect.poll(() => rowHeights(page, 'Calls').then(({ length }) => length)).toBe(1);
    await page.getByRole('cell', { name: LONG }).waitFor();
    const search = new URL(page.url()).searchParams;
    expect([search.get('status'), search.get('from')]).toEqual(['registered', '2026-01-05']);
    await inspect(page, 'lists-filters-set');
    await removeFilter(page, 'From day');
    await removeFilter(page, 'Status');
    await page.getByLabel('Called number').fill('');
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await expect.poll(() => rowHeights(page, 'Calls').then(({ length }) => length)).toBe(50);
    expect(faults).toEqual([]);
  });

  it.each(TRANSLATED)('have words in the language of the reader: %s', async (language) => {
    const { page } = wide;
    const words = await wordsOf(language);
    const word = (text: string): string => words[text] ?? '';
    await page.evaluate(`localStorage.setItem('language', '${language}')`);
    await page.goto('/calls?status=registered');
    await page.getByRole('heading', { level: 1, name: word('Calls') }).waitFor();
    await page
      .locator('search summary')
      .filter({ hasText: `+ ${word('Filter')}` })
      .click();
    await page
      .getByRole('group', { name: word('Filters'), exact: true })
      .getByRole('button', { name: word('Direction'), exact: true })
      .waitFor();
    const remove = [word('Remove the filter'), word('Status'), word('Queued')].join(' ');
    await expect.poll(() => page.getByRole('button', { name: remove, exact: true }).count()).toBe(1);
    await page.evaluate(`localStorage.removeItem('language')`);
  });
});

describe('a list on a phone', () => {
  const rowsOf = (name: string) => phone.page.getByRole('list', { name, exact: true }).getByRole('listitem');

  it('shows two lines a row, and calls on the first screen', async () => {
    const { page, faults } = phone;
    for (const [path, name] of lists()) {
      await page.goto(path);
      await rowsOf(name).first().waitFor();
      const heights = await rowsOf(name).evaluateAll((all) =>
        all.map((row) => row.getBoundingClientRect().height),
      );
      // Deliveries have a button below.
      expect(Math.max(...heights), `${name}: the highest row`).toBeLessThanOrEqual(
        name === 'Deliveries' ? 120 : 76,
      );
      await inspect(page, `lists-phone-${name.toLowerCase().replaceAll(' ', '-')}`);
    }
    await page.goto('/calls');
    await rowsOf('Calls').first().waitFor();
    const bottoms = await rowsOf('Calls').evaluateAll((all) =>
      all.map((row) => row.getBoundingClientRect().bottom),
    );
    expect(bottoms.filter((bottom) => bottom <= 844 - 56).length).toBeGreaterThanOrEqual(7);
    expect(faults).toEqual([]);
  });

  it('opens its row from everywhere in it', async () => {
    const { page } = phone;
    await page.goto('/calls');
    const row = rowsOf('Calls').filter({ hasText: 'Person 7' });
    await row.waitFor();
    const box = await row.boundingBox();
    await row.click({ position: { x: (box?.width ?? 0) - 10, y: (box?.height ?? 0) - 6 } });
    await expect.poll(() => page.url()).toMatch(/\/calls\/[\da-f-]{36}$/);
  });

  it('has the analytics in tabs of a few screens, no wider than the phone', async () => {
    const { page, faults } = phone;
    await page.goto('/analytics');
    // The tabs stand before the figures do.
    await page.getByRole('heading', { name: 'Ended calls', exact: true }).waitFor();
    const tabs = page.getByRole('tab');
    await tabs.first().waitFor();
    for (const tab of await tabs.all()) {
      await tab.click();
      await inspect(page, `lists-phone-analytics-${(await tab.innerText()).toLowerCase()}`);
      const measured = await page
        .locator('html')
        .evaluate((html) => ({ height: html.scrollHeight, beyond: html.scrollWidth - html.clientWidth }));
      expect(measured.height).toBeLessThanOrEqual(4 * 844);
      expect(measured.beyond).toBe(0);
    }
    expect(faults).toEqual([]);
  });

  it('has its filters in a sheet, and the navigation at both edges', async () => {
    const { page, faults } = phone;
    await page.goto('/calls');
    await rowsOf('Calls').first().waitFor();
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.getByLabel('Status').selectOption('registered');
    await expect.poll(() => new URL(page.url()).search).toBe('?status=registered');
    const edges = await sheet.evaluate((dialog) => {
      const { left, right, bottom } = dialog.getBoundingClientRect();
      return [left, right, bottom];
    });
    expect(edges).toEqual([0, 390, 844]);
    await inspect(page, 'lists-phone-sheet');
    await sheet.getByRole('button', { name: 'Show the list' }).click();
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Filters (1)', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Status Queued' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    // A press above the sheet closes it.
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await sheet.waitFor();
    await page.mouse.click(195, 20);
    await sheet.waitFor({ state: 'detached' });
    await page.locator('html').evaluate((html) => html.scrollTo(0, html.scrollHeight));
    const bar = page.getByRole('banner');
    await expect.poll(() => bar.evaluate((header) => header.getBoundingClientRect().top)).toBe(0);
    const most = page.getByRole('navigation', { name: 'Most used' });
    await most.getByRole('button', { name: 'More' }).click();
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor();
    expect(faults).toEqual([]);
  });
});
