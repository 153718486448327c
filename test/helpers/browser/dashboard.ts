import type { Browser } from 'playwright-core';
import { openChromium, openPage, type Watched } from './chromium.ts';
import { startService, TEST_KEY, type Service } from '../service/service.ts';

/** Marks that would run or load something if a page inserted them as HTML. */
export const SCRIPT = '<img src=x onerror="alert(1)"><script>alert(1)</script>';
export const OWNER = { email: 'owner@example.com', password: 'a long enough passphrase' };

/** A fresh service with its first owner signed in. */
export interface Dashboard {
  readonly service: Service;
  readonly browser: Browser;
  readonly owner: Watched;
  /** Sends a request with the key of the first workspace. */
  api(method: string, path: string, body?: object): Promise<{ status: number; body: any }>;
  /** Sends a form with that key. */
  form(path: string, form: FormData): Promise<{ status: number; body: any }>;
  /** Rejects with the output of the service if it has ended before. */
  close(): Promise<void>;
}

/** `env`: settings of the service; `switches`: of the browser; `provision`: a document whose workspace has `TEST_KEY`. */
export async function openDashboard(
  env: Record<string, string> = {},
  switches: readonly string[] = [],
  provision?: Record<string, unknown>,
): Promise<Dashboard> {
  const [service, browser] = await Promise.all([
    startService({ env, ...(provision === undefined ? {} : { provision }) }),
    openChromium(switches, { isWhole: switches.length > 0 }),
  ]);
  const key = provision === undefined ? await service.ownKey() : TEST_KEY;
  const owner = await openPage(browser, service.url);
  await owner.page.goto(await service.ownerLink());
  await owner.page.getByLabel('Email').fill(OWNER.email);
  await owner.page.getByLabel('Password').fill(OWNER.password);
  await owner.page.keyboard.press('Enter');
  await owner.page.getByRole('link', { name: 'Go to Home' }).click();
  await owner.page.getByRole('heading', { name: 'Home', exact: true }).waitFor();
  return {
    service,
    browser,
    owner,
    async api(method, path, body) {
      const response = await fetch(`${service.url}/api/v0${path}`, {
        method,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
    async form(path, form) {
      const response = await fetch(`${service.url}/api/v0${path}`, {
        method: 'POST',
        headers: { 'x-api-key': key },
        body: form,
      });
      return { status: response.status, body: await response.json() };
    },
    async close() {
      const ended = service.child.exitCode ?? service.child.signalCode;
      await browser.close();
      await service.dispose();
      // A test that stopped it says so by its signal.
      if (ended !== null && !service.child.killed)
        throw new Error(`the service ended (${ended}): ${service.output()}`);
    },
  };
}
