import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect, openPage, type Watched } from '../helpers/browser/chromium.ts';
import { openDashboard, OWNER, type Dashboard } from '../helpers/browser/dashboard.ts';
import { openPlace } from '../helpers/browser/places.ts';
import { freeTcpPort } from '../helpers/service/service.ts';
import { startTcpProxy, type TcpProxy } from '../helpers/sip/tcp-proxy.ts';

let dashboard: Dashboard;
let proxy: TcpProxy;
/** A window whose connection to the service the test can cut. */
let far: Watched;
let target: { host: string; port: number };
beforeAll(async () => {
  dashboard = await openDashboard();
  target = { host: '127.0.0.1', port: Number(new URL(dashboard.service.url).port) };
  // A port that no other program gets while the proxy is away.
  proxy = await startTcpProxy(target, await freeTcpPort());
  far = await openPage(dashboard.browser, `http://127.0.0.1:${proxy.port}`);
  await far.page.goto('/sign-in');
  await signIn(far, OWNER.password);
  await far.page.getByRole('heading', { name: 'Home' }).waitFor();
});
afterAll(async () => {
  await dashboard?.close();
  await proxy?.close();
});

async function signIn({ page }: Watched, password: string): Promise<void> {
  const email = page.getByLabel('Email');
  if ((await email.inputValue()) === '') await email.fill(OWNER.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('a session that ends under an open page', () => {
  it('asks for the password in a sheet and comes back to the same page with what was typed', async () => {
    const { page, context } = far;
    await page.goto('/agents/new');
    await page.getByLabel('First message').fill('Hello, this is Rita.');
    const voice = page.getByRole('group', { name: 'Voice', exact: true });
    await voice.getByText('Claire', { exact: true }).waitFor();
    await context.clearCookies();
    await page.getByLabel('Language', { exact: true }).selectOption('hi-IN');
    const sheet = page.getByRole('dialog', { name: 'You were signed out' });
    await sheet.waitFor();
    expect(await sheet.getByLabel('Email').inputValue()).toBe(OWNER.email);
    await inspect(page, 'signed-out');
    await signIn(far, 'not the passphrase');
    await sheet.getByText('Email or password is wrong').waitFor();
    expect(await sheet.getByText('Request').count()).toBe(0);
    await signIn(far, OWNER.password);
    await sheet.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/agents/new');
    expect(await page.getByLabel('First message').inputValue()).toBe('Hello, this is Rita.');
    await voice.getByText('Anika', { exact: true }).waitFor();
    await voice.getByRole('button', { name: 'Change the voice', exact: true }).click();
    await page.getByText('Voices that speak Hindi (India)').waitFor();
    await page.getByRole('radio').first().waitFor();
  });

  it('signs another window in with the first one, and lets it save', async () => {
    const { page, context } = far;
    const other = await context.newPage();
    await other.goto('/do-not-call');
    await other.getByRole('heading', { name: 'Do not call' }).waitFor();
    await context.clearCookies();
    await page.goto('/calls');
    await signIn(far, OWNER.password);
    await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
    // The window asks for the password too if it read something in between; the sheet closes by itself.
    await other.getByRole('dialog').waitFor({ state: 'detached' });
    await other.getByLabel('Numbers with country code, one a line').fill('+14155550177');
    await other.getByRole('button', { name: 'Never call these' }).click();
    await other.getByRole('table').getByText('+14155550177').waitFor();
    expect(await other.getByRole('dialog').count()).toBe(0);
    await other.close();
  });

  it('stays open when an answer from before the sign-in of another window says late that it has ended', async () => {
    const { page, context } = far;
    await page.goto('/do-not-call');
    await page.getByRole('table').getByText('+14155550177').waitFor();
    await page.route('**/api/v0/workspace/numbers**', (route) =>
      route.fulfill({ status: 401, json: { code: 'SIGNED_OUT', message: 'Sign in' } }),
    );
    const refused = page.waitForResponse((response) => response.status() === 401);
    await page.getByRole('link', { name: 'Numbers', exact: true }).click();
    await refused;
    await page.unrouteAll();
    await page.getByRole('cell', { name: '+1 415 555 0100', exact: true }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await context.cookies()).length).toBeGreaterThan(0);
  });

  it('says so when the role of the user changes, and shows what it allows', async () => {
    const { page } = far;
    await page.goto('/numbers');
    await page.getByRole('cell', { name: '+1 415 555 0100', exact: true }).waitFor();
    await page.route('**/dashboard-api/session', async (route) => {
      const response = await route.fetch();
      const account = (await response.json()) as { workspaces: { role: string }[] };
      for (const each of account.workspaces) each.role = 'viewer';
      await route.fulfill({ response, json: account });
    });
    await page.route('**/api/v0/dnc**', (route) =>
      route.fulfill({ status: 403, json: { code: 'ROLE_TOO_LOW', message: 'This needs the role manager' } }),
    );
    await page.getByRole('link', { name: 'Do not call' }).click();
    await page.getByText('Your role in My workspace is now viewer.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Never call these' }).count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
  });
});

describe('a service that goes away and comes back', () => {
  it('keeps what the page shows, says that it reconnects, and reads everything again', async () => {
    const { page } = far;
    await page.getByRole('link', { name: 'Live calls', exact: true }).click();
    await page.getByRole('heading', { name: 'No live calls' }).waitFor();
    await page.getByRole('link', { name: 'Analytics', exact: true }).click();
    await page.getByRole('heading', { name: 'Analytics', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Numbers', exact: true }).click();
    await page.getByRole('cell', { name: '+1 415 555 0100', exact: true }).waitFor();
    await proxy.close();
    await page.getByText('Reconnecting…').waitFor();
    await inspectAlone();
    expect(await page.getByRole('cell', { name: '+1 415 555 0100', exact: true }).count()).toBeGreaterThan(0);
    for (const [link, heading] of [
      ['Live calls', 'Live calls'],
      ['Analytics', 'Analytics'],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).click();
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      expect(await page.getByRole('alert').count(), `${heading} shows no error`).toBe(0);
    }
    // The browser has not loaded this screen yet.
    await openPlace(page, 'Credits');
    proxy = await startTcpProxy(target, proxy.port);
    await page.getByText('Reconnecting…').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Credits', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Live calls', exact: true }).click();
    await page.getByRole('heading', { name: 'No live calls' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('heals by itself when only the answers of one page failed', async () => {
    const { page } = far;
    await page.route('**/dnc**', (route) => route.fulfill({ status: 500, json: { message: 'Broken' } }));
    await page.goto('/do-not-call');
    await page.getByRole('alert').filter({ hasText: 'Broken' }).waitFor();
    await page.unrouteAll();
    await page.getByRole('table').getByText('+14155550177').waitFor();
    expect(far.faults).toEqual([]);
  });

  it('keeps a form and what was typed in it when a read is refused for too many requests', async () => {
    const { page } = far;
    await page.goto('/settings/workspace');
    const typed = page.getByLabel('Opened destinations', { exact: true });
    await typed.fill('IN, SE');
    const strict = page.getByLabel(/^Refuse calls and chats that lack a value/);
    await page.route('**/workspace/settings', (route) =>
      route.request().method() === 'GET'
        ? route.fulfill({ status: 429, json: { code: 'TOO_MANY_REQUESTS', message: 'Too many' } })
        : route.fallback(),
    );
    await strict.check();
    // A box that is being stored keeps the focus.
    await strict.and(page.locator(':focus')).waitFor();
    await page.getByText('Some data is old.').waitFor();
    expect(await typed.inputValue()).toBe('IN, SE');
    await strict.and(page.locator(':focus')).waitFor();
    await page.unrouteAll();
    await page.getByText('Some data is old.').waitFor({ state: 'detached' });
    await expect.poll(() => strict.isChecked()).toBe(true);
    expect(await typed.inputValue()).toBe('IN, SE');
    await strict.uncheck();
    await page.getByText('are placed again, with a warning').waitFor();
    expect(far.faults).toEqual([]);
  });

  async function inspectAlone(): Promise<void> {
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await far.page.screenshot({ path: `${folder}/reconnecting.png` });
  }
});

describe('several windows of a browser', () => {
  it('share one stream, and the next one continues when the window that reads it closes', async () => {
    const { context } = far;
    const streams: string[] = [];
    const count = (url: string, name: string): void => {
      if (url.includes('/workspace/changes')) streams.push(name);
    };
    const windows = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        const page = await context.newPage();
        page.on('request', (request) => count(request.url(), name));
        await page.goto('/do-not-call');
        await page.getByRole('table').getByText('+14155550177').waitFor();
        return page;
      }),
    );
    await far.page.goto('about:blank');
    await expect.poll(() => streams.length).toBe(1);
    const [reader = ''] = streams;
    await windows['abc'.indexOf(reader)]?.close();
    await expect.poll(() => streams.length).toBe(2);
    expect(streams[1]).not.toBe(reader);
    for (const page of windows) if (!page.isClosed()) await page.close();
  });

  it('share the stream of the live calls, too', async () => {
    const { context } = far;
    const streams: string[] = [];
    const pages = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        const page = await context.newPage();
        page.on('request', (request) => {
          if (new URL(request.url()).pathname.endsWith('/calling/live')) streams.push(name);
        });
        await page.goto('/live');
        await page.getByRole('heading', { level: 1, name: 'Live calls', exact: true }).waitFor();
        return page;
      }),
    );
    await expect.poll(() => streams.length).toBe(1);
    const [reader = ''] = streams;
    await pages['abc'.indexOf(reader)]?.close();
    await expect.poll(() => streams.length).toBe(2);
    expect(streams[1]).not.toBe(reader);
    for (const page of pages) if (!page.isClosed()) await page.close();
  });
});
