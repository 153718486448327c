import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Locator, Page } from 'playwright-core';
import { silentLog } from '../src/shared/log.ts';
import { EmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { migrate } from '../src/store/migrate.ts';
import { openChromium } from '../test/helpers/browser/open-chromium.ts';
import { startService, type Service } from '../test/helpers/service/service.ts';
import { BENCH_KEY, seed } from './api/seed.ts';
import { ListRequests } from './dashboard/list-requests.ts';
import { MemorySampler } from './dashboard/page-memory.ts';
import { LiveUpdates } from './dashboard/updates.ts';
import { boundsText, heading, saveResult, table } from './report.ts';

/**
 * The calls list in Chromium over `--millions` calls while 10,000 calls a minute begin or end: the time from a click to
 * the painted list, and the memory of the page.
 */
const { values: args } = parseArgs({
  options: {
    millions: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '12' },
    save: { type: 'boolean', default: false },
    note: { type: 'string', default: '' },
  },
});
const millions = Number(args.millions);
const rounds = Number(args.rounds);
const MEDIAN_MS = 300;
const MEMORY_MB = 150;
const UPDATES = 10_000;
/** Between two actions: the page also reads by itself what changed. */
const PAUSE_MS = 1_000;

/** The median of times. */
function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const DAY_MS = 86_400_000;
const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

interface Action {
  readonly name: string;
  /** Before the clock starts: what opens the field of a filter. */
  prepare?(page: Page, round: number): Promise<unknown>;
  act(page: Page, round: number): Promise<unknown>;
}

/** Elements by CSS: a search by role reads the whole page, and what it leaves behind would count as the page's memory. */
const FILTERS = 'search [role=group][aria-label=Filters]';
const button = (page: Page, group: string, text: string): Locator =>
  page.locator(`${group} button`).filter({ hasText: new RegExp(`^${text}$`) });

/** Opens the field of a filter by the menu of all filters. */
async function openFilter(page: Page, label: string): Promise<void> {
  await page
    .locator('search summary')
    .filter({ hasText: /^\+ Filter$/ })
    .click();
  await button(page, FILTERS, label).click();
}

/** A press on a choice of a filter. */
const choice = (name: string, label: string, option: string): Action => ({
  name,
  prepare: (page) => openFilter(page, label),
  act: (page) => button(page, `search [role=group][aria-label="${label}"]`, option).click(),
});

/** A day of a filter, which Enter applies. */
const day = (name: string, label: string, before: (round: number) => number): Action => ({
  name,
  async prepare(page, round) {
    await openFilter(page, label);
    await page.locator('search input[type=date]').fill(dayBefore(before(round)));
  },
  act: (page) => page.keyboard.press('Enter'),
});

/** What a person does with the list; each leaves the filters for the next one to replace. */
const ACTIONS: readonly Action[] = [
  choice('failed calls', 'Status', 'Failed'),
  choice('calls with an error: few', 'Status', 'Error'),
  {
    name: 'all states',
    act: (page) =>
      page
        .locator('search button')
        .filter({ hasText: /^Remove the filter Status/ })
        .click(),
  },
  choice('inbound calls: few', 'Direction', 'Inbound'),
  choice('outbound calls', 'Direction', 'Outbound'),
  { name: 'the next page', act: (page) => button(page, 'nav[aria-label=Pages]', 'Older').click() },
  day('from a day', 'From day', (round) => 60 - round),
  day('up to a day', 'To day', (round) => 30 - round),
  {
    name: 'calls to a number',
    async act(page, round) {
      await page
        .locator('search input[type=search]')
        .fill(`+1212${String(600_000 + round).padStart(7, '0')}`);
      await page.keyboard.press('Enter');
    },
  },
  { name: 'the whole list', act: (page) => page.locator('nav a[href="/calls"]').first().click() },
];

async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Email').fill('owner@example.com');
  await page.getByLabel('Password').fill('a long enough passphrase');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await page.getByRole('heading', { name: 'Home', exact: true }).waitFor();
}

const dataDir = await mkdtemp(join(tmpdir(), 'callwright-bench-'));
const postgres = new EmbeddedPostgres({ dataDir, log: silentLog });
let service: Service | null = null;
let browser: Browser | null = null;
try {
  const url = await postgres.start();
  await migrate(url);
  const seeded = await seed(url, millions * 1_000_000, (done) => process.stderr.write(`seeded ${done}\n`));
  const env = { DATABASE_URL: url, ROLES: 'api', LOG_LEVEL: 'warn' };
  service = await startService({ key: BENCH_KEY, env });
  browser = await openChromium([], { isWhole: true });
  const context = await browser.newContext({
    baseURL: service.url,
    viewport: { width: 1280, height: 900 },
    timezoneId: 'Asia/Kolkata',
  });
  const page = await context.newPage();
  await signIn(page, await service.ownerLink());
  const memory = await MemorySampler.open(browser, page);
  const lists = new ListRequests(page);
  const updates = new LiveUpdates(url, seeded);
  await updates.start();
  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  await page.getByRole('region', { name: 'Calls' }).waitFor();
  const times = new Map<string, number[]>(ACTIONS.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const action of ACTIONS) {
      await action.prepare?.(page, round);
      times.get(action.name)?.push(await lists.time(() => action.act(page, round)));
      await memory.sample();
      await page.waitForTimeout(PAUSE_MS);
    }
  }
  const rate = await updates.stop();
  const all = [...times.values()].flat();
  const { heap, own } = memory.most;
  const worst = Math.max(...[...times.values()].map(median));
  const text = [
    heading(
      `Dashboard, ${millions} million calls`,
      `The calls list in Chromium, ${rounds} rounds, while calls begin and end; browser, server and PostgreSQL on one machine${args.note === '' ? '' : `. ${args.note}`}`,
    ),
    table(
      ['click to painted list', 'median ms', 'slowest ms'],
      [...times].map(([name, list]) => [name, median(list).toFixed(0), Math.max(...list).toFixed(0)]),
    ),
    `Calls that began or ended: ${rate.toFixed(0)} a minute. Largest memory of the page: ${heap.toFixed(0)} MB of JavaScript heap, ${own.toFixed(0)} MB of the renderer process's own.`,
    '',
    boundsText([
      { text: `the median of every action is under ${MEDIAN_MS} ms`, holds: worst < MEDIAN_MS },
      { text: `the median of all is under ${MEDIAN_MS} ms`, holds: median(all) < MEDIAN_MS },
      { text: `the page stays under ${MEMORY_MB} MB`, holds: own > 0 && own < MEMORY_MB },
      { text: `at least ${UPDATES} calls a minute begin or end`, holds: rate >= UPDATES },
    ]),
  ].join('\n');
  console.log(text);
  if (args.save) saveResult('dashboard', text);
} finally {
  await browser?.close();
  await service?.dispose();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);
