import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { createAgent, place, provisionWith, whenOver } from '../helpers/service/scenario.ts';

let dashboard: Dashboard;
let page: Page;
/** The live calls and the events of their stream, as the page is made to get them. */
let calls: readonly object[] = [];
let events: readonly object[] = [];

const ID = '00000000-0000-4000-8000-00000000000';
const [ASHA, BELA, CARLA, DINA] = [`${ID}1`, `${ID}2`, `${ID}3`, `${ID}4`];
const words = (call: string, role: string) => ({
  type: 'words',
  call_id: call,
  role,
  text: 'I would like to',
  at: Date.now(),
});

beforeAll(async () => {
  dashboard = await openDashboard({}, [], provisionWith({}));
  page = dashboard.owner.page;
  const { service } = dashboard;
  const agentId = await createAgent(service);
  await whenOver(service, await place(service, agentId, '+14155550990'));
  const form = new FormData();
  form.append('agent_id', agentId);
  form.append('campaign_name', 'Visits');
  form.append('variables_map', JSON.stringify({ mobile_number: 'Phone', callee_name: 'Name' }));
  form.append('file', new Blob(['Phone,Name\n+14155550124,Asha'], { type: 'text/csv' }), 'list.csv');
  const campaign = (await dashboard.form('/campaign/save', form)).body.list_id;
  const [ended] = (await dashboard.api('GET', '/calling/history')).body.calls;
  const live = (id: string, name: string, bulk: string | null) => ({
    ...ended,
    id,
    call_id: id,
    callee_name: name,
    bulk_list_id: bulk,
    call_status: 'ongoing',
    call_sub_status: 'CALL_ONGOING',
    answered_at: new Date().toISOString(),
    ended_at: null,
    result: null,
    result_source: null,
  });
  calls = [live(ASHA, 'Asha', campaign), live(BELA, 'Bela', campaign), live(CARLA, 'Carla', null)];
  events = [
    words(ASHA, 'agent'),
    words(ASHA, 'caller'),
    {
      type: 'line',
      call_id: BELA,
      line: { role: 'agent', text: 'Are you there?', endedAt: Date.now() - 60_000 },
    },
    words(CARLA, 'caller'),
  ];
  await page.route(
    ({ pathname, searchParams }) =>
      pathname.endsWith('/calling/history') && searchParams.get('status') === 'ongoing',
    (route) =>
      route.fulfill({
        json: { calls, limit: 200, offset: 0, count: calls.length, total: calls.length, next_cursor: null },
      }),
  );
  // The page opens the stream again a second after its end.
  await page.route('**/calling/live', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: [{ type: 'begun', call_id: null }, ...events]
        .map((event) => `data: ${JSON.stringify(event)}\n\n`)
        .join(''),
    }),
  );
  await page.goto('/live');
}, 400_000);
afterAll(() => dashboard?.close());

const wall = () => page.getByRole('region', { name: 'Calls', exact: true });
const card = (name: string) => wall().getByRole('button').filter({ hasText: name });
/** The sides whose lane moves on the card of a person. */
const speaking = (name: string): Promise<(string | null)[]> =>
  card(name)
    .locator('[data-speaks]')
    .evaluateAll((lanes) => lanes.map((lane) => lane.getAttribute('data-speaks')));
const motion = (side: string): Promise<string> =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector('[data-speaks=${side}]') ?? document.body).animationName`,
  );
const headings = () => wall().getByRole('heading', { level: 2 }).allInnerTexts();
const choose = (name: string): Promise<void> =>
  page.getByRole('group', { name: 'Group by' }).getByRole('button', { name, exact: true }).click();

describe('a card of the wall', () => {
  it('has a lane in motion for each side whose words arrive', async () => {
    await expect.poll(() => speaking('Asha')).toEqual(['caller', 'agent']);
    await expect.poll(() => speaking('Carla')).toEqual(['caller']);
    expect(await speaking('Bela')).toEqual([]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await expect.poll(() => motion('agent')).toBe('speaks');
    await expect.poll(() => motion('caller')).toBe('speaks, fades');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(() => motion('agent')).toBe('none');
    await expect.poll(() => motion('caller')).toBe('none');
    await inspect(page, 'live-wall');
  });
});

describe('the flags of the wall', () => {
  const flagsOn = (name: string): Promise<(string | null)[]> =>
    card(name)
      .locator('[data-flag]')
      .evaluateAll((flags) => flags.map((flag) => flag.getAttribute('data-flag')));
  const names = async (): Promise<string[]> =>
    (await wall().getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0] ?? '');

  it('say who asks for a person, is not understood, and talks for long, and lead the wall', async () => {
    const [shown, spoken] = [calls, events];
    const line = (call: string, role: string, text: string) => ({
      type: 'line',
      call_id: call,
      line: { role, text, endedAt: Date.now() + 60_000 },
    });
    const [first] = calls as [{ agent_name: string }];
    const long = { ...first, id: DINA, call_id: DINA, callee_name: 'Dina' };
    // Of the 240 seconds of the assistant.
    calls = [...calls, { ...long, answered_at: new Date(Date.now() - 200_000).toISOString() }];
    events = [
      line(ASHA, 'caller', '[not understood]'),
      line(ASHA, 'agent', 'Sorry, say that again?'),
      line(ASHA, 'caller', '[not understood]'),
      line(BELA, 'agent', 'How may I help?'),
      { type: 'notice', call_id: CARLA, code: 'ASKED_FOR_PERSON', message: 'the caller asks for a person' },
      line(CARLA, 'agent', 'One moment.'),
    ];
    await page.reload();
    await expect.poll(() => flagsOn('Dina')).toEqual(['long']);
    await expect.poll(() => flagsOn('Asha')).toEqual(['missed']);
    await expect.poll(() => flagsOn('Carla')).toEqual(['person']);
    expect(await flagsOn('Bela')).toEqual([]);
    expect(await card('Dina').locator('[data-flag=long]').getAttribute('title')).toBe(
      'Has used three quarters of the 4:00 after which the calls of this assistant are ended.',
    );
    await expect.poll(names).toEqual(['Asha', 'Carla', 'Dina', 'Bela']);
    await inspect(page, 'live-wall-flags');
    events = [...events, { type: 'notice', call_id: CARLA, code: 'TAKEN_OVER', message: '' }];
    await expect.poll(() => flagsOn('Carla')).toEqual([]);
    await expect.poll(names).toEqual(['Asha', 'Dina', 'Bela', 'Carla']);
    [calls, events] = [shown, spoken];
    await page.reload();
    await expect.poll(() => flagsOn('Bela')).toEqual(['silent']);
  });
});

describe('the cards of the wall', () => {
  it('are grouped by campaign or assistant, silent calls first, as the reader chose before', async () => {
    expect(await headings()).toEqual([]);
    await expect.poll(() => wall().getByRole('listitem').first().innerText()).toContain('Bela');
    await choose('Campaign');
    const byCampaign = ['Visits 2 live', 'Without a campaign 1 live'];
    await expect.poll(headings).toEqual(byCampaign);
    const cards = wall().getByRole('list').first().getByRole('listitem');
    await expect
      .poll(async () => (await cards.allInnerTexts()).map((text) => text.slice(0, 4)))
      .toEqual(['Bela', 'Asha']);
    await inspect(page, 'live-wall-groups');
    await page.reload();
    await expect.poll(headings).toEqual(byCampaign);
    await choose('Assistant');
    await expect.poll(headings).toEqual(['Appointments 3 live']);
    await choose('Nothing');
    await expect.poll(headings).toEqual([]);
  });

  it('fill the screen until the reader leaves it, even after the last call', async () => {
    // Headless Chromium fills no screen; the test tells the page that it does.
    await page.evaluate(`(() => {
      let shown = null;
      const show = (element) => {
        shown = element;
        document.dispatchEvent(new Event('fullscreenchange'));
        return Promise.resolve();
      };
      Object.defineProperty(document, 'fullscreenEnabled', { configurable: true, get: () => true });
      Object.defineProperty(document, 'fullscreenElement', { configurable: true, get: () => shown });
      Element.prototype.requestFullscreen = function () { return show(this); };
      document.exitFullscreen = () => show(null);
    })()`);
    await choose('Assistant');
    await wall().getByRole('button', { name: 'Full screen', exact: true }).click();
    const leave = wall().getByRole('button', { name: 'Leave full screen', exact: true });
    await leave.waitFor();
    expect(await page.evaluate('document.fullscreenElement.getAttribute("aria-label")')).toBe('Calls');
    expect(await wall().getByRole('status', { name: 'Connection' }).count()).toBe(1);
    const spoken = events;
    calls = [];
    events = [{ type: 'ended', call_id: ASHA, sub_status: 'USER_LEFT', at: Date.now() }];
    await wall().getByText('0 live', { exact: true }).waitFor();
    await leave.click();
    await page.getByRole('heading', { name: 'No live calls' }).waitFor();
    events = spoken;
  });

  it('offer no full screen where the browser has none', async () => {
    const [call] = (await dashboard.api('GET', '/calling/history')).body.calls;
    calls = [ASHA, BELA].map((id) => ({ ...call, id, call_id: id, call_status: 'ongoing' }));
    await page.addInitScript(
      `Object.defineProperty(Document.prototype, 'fullscreenEnabled', { get: () => false })`,
    );
    await page.goto('/live');
    await wall().getByRole('group', { name: 'Group by' }).waitFor();
    expect(await wall().getByRole('button', { name: 'Full screen', exact: true }).count()).toBe(0);
    expect(dashboard.owner.faults).toEqual([]);
  });
});
