import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
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

/** What a person does with the list; each leaves the filters for the next one to replace. */
const ACTIONS: readonly (readonly [name: string, act: (page: Page, round: number) => Promise<unknown>])[] = [
  ['failed calls', (page) => page.getByLabel('Status').selectOption('failed')],
  ['calls with an error: few', (page) => page.getByLabel('Status').selectOption('error')],
  ['all states', (page) => page.getByLabel('Status').selectOption('')],
  ['inbound calls: few', (page) => page.getByLabel('Direction').selectOption('inbound')],
  ['outbound calls', (page) => page.getByLabel('Direction').selectOption('outbound')],
  ['the next page', (page) => page.getByRole('button', { name: 'Older' }).click()],
  ['from a day', (page, round) => page.getByLabel('From day').fill(dayBefore(60 - round))],
  ['up to a day', (page, round) => page.getByLabel('To day').fill(dayBefore(30 - round))],
  [
    'calls to a number',
    async (page, round) => {
      await page.getByLabel('Callee number').fill(`+1212${String(600_000 + round).padStart(7, '0')}`);
      await page.keyboard.press('Enter');
    },
  ],
  ['the whole list', (page) => page.getByRole('link', { name: 'Calls', exact: true }).click()],
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
  browser = await openChromium();
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
  const times = new Map<string, number[]>(ACTIONS.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, act] of ACTIONS) {
      times.get(name)?.push(await lists.time(() => act(page, round)));
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
