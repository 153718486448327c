import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { openChromium } from '../test/helpers/browser/open-chromium.ts';
import { DEVELOPER_SCREENS, SCREENS } from '../test/helpers/browser/places.ts';
import { startService, type Service } from '../test/helpers/service/service.ts';

/**
 * Pictures of every screen in three widths and both themes, after calls to the test carrier: to look at, and to compare
 * before and after a change. `--out`: their folder; `--only`: screens whose address has these words.
 */
const { values: args } = parseArgs({
  options: { out: { type: 'string', default: 'screens' }, only: { type: 'string', default: '' } },
});
const SIZES = [
  { width: 1440, height: 900 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
];
/** Of the test carrier: people who answer, busy, no answer, voicemail, silence, and one who hangs up. */
const PEOPLE = [
  ['Alice Moore', '+14155550123'],
  ['Pat O’Neil', '+14155550002'],
  ['Dan Wu', '+14155550004'],
  ['Bob Stone', '+14155550003'],
  ['Eva Lind', '+14155550005'],
  ['Ivo Quist', '+14155550141'],
  ['Pia Khan', '+14155550142'],
] as const;
const PASSWORD = 'a long enough passphrase';
const ENDED_LIMIT_MS = 120_000;

async function api(service: Service, key: string, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`${service.url}/api/v0${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
  return response.json();
}

/** Calls everybody with the demo assistant, and resolves with its id and the id of a call once the calls have ended. */
async function placeCalls(service: Service, key: string): Promise<{ agentId: string; callId: string }> {
  const { agents } = (await api(service, key, 'GET', '/agent/all')).data;
  const { workspace_numbers: numbers } = await api(service, key, 'GET', '/workspace/numbers');
  const placed = [];
  for (const [name, number] of PEOPLE) {
    placed.push(
      await api(service, key, 'POST', '/calling/outbound/individual', {
        name,
        mobile_number: number,
        agent_id: agents[0].id,
        from_number_id: numbers[0].id,
      }),
    );
  }
  const until = Date.now() + ENDED_LIMIT_MS;
  for (;;) {
    const { total } = await api(service, key, 'GET', '/calling/history?status=ongoing');
    const { total: queued } = await api(service, key, 'GET', '/calling/history?status=registered');
    if ((total === 0 && queued === 0) || Date.now() > until) break;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return { agentId: agents[0].id, callId: placed[0].data.call_id };
}

async function take(page: Page, path: string, folder: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Loading').first().waitFor({ state: 'detached' });
  const name = path === '/' ? 'home' : path.slice(1).replaceAll(/[/?=]/g, '-');
  for (const theme of ['light', 'dark']) {
    await page.locator('html').evaluate((html, wanted) => html.setAttribute('data-theme', wanted), theme);
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
  }
}

const service = await startService({ ownDatabase: true });
const browser = await openChromium();
try {
  const key = await service.ownKey();
  const context = await browser.newContext({
    baseURL: service.url,
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(await service.ownerLink());
  await page.getByLabel('Email').fill('maria@riverside.example');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  const { agentId, callId } = await placeCalls(service, key);
  const paths = [
    ...SCREENS,
    ...DEVELOPER_SCREENS,
    '/welcome',
    '/agents/new',
    '/campaigns/new',
    `/agents/${agentId}`,
    `/agents/${agentId}?tab=behaviour`,
    `/agents/${agentId}/playground`,
    `/calls/${callId}`,
  ].filter((path) => path.includes(args.only));
  for (const size of SIZES) {
    const folder = join(args.out, String(size.width));
    await mkdir(folder, { recursive: true });
    await page.setViewportSize(size);
    for (const path of paths) await take(page, path, folder);
  }
  console.log(`${paths.length} screens in ${SIZES.length} widths and both themes are in ${args.out}`);
} finally {
  await browser.close();
  await service.dispose();
}
