import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPart, publishDraft, saveSection } from '../helpers/browser/assistant.ts';
import { inspect, openChromium, openPage, type Watched } from '../helpers/browser/chromium.ts';
import { OWNER, SCRIPT } from '../helpers/browser/dashboard.ts';
import { setFilter } from '../helpers/browser/filters.ts';
import { openPlace, openUserMenu, showRequests } from '../helpers/browser/places.ts';
import { startService, type Service } from '../helpers/service/service.ts';

const { email: EMAIL, password: PASSWORD } = OWNER;

let service: Service;
let browser: Browser;
let owner: Watched;
let key: string;
let callId: string;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService({}), openChromium()]);
  owner = await openPage(browser, service.url);
});
afterAll(async () => {
  await browser?.close();
  await service?.dispose();
});

const api = async (method: string, path: string, body?: object): Promise<{ status: number; body: any }> => {
  const response = await fetch(`${service.url}/api/v0${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
};

describe('the first run', () => {
  it('makes the owner with the printed link, by keyboard alone', async () => {
    const { page } = owner;
    key = await service.ownKey();
    await page.goto(await service.ownerLink());
    await page.getByLabel('Email').waitFor();
    await inspect(page, 'first-run');
    await page.keyboard.type(EMAIL);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByRole('heading', { name: 'No calls yet' }).waitFor();
    await inspect(page, 'calls-empty');
    await page.goto('/first-run');
    await page.getByRole('heading', { name: 'This installation has an owner' }).waitFor();
    expect(await page.getByLabel('Email').count()).toBe(0);
  });

  it('opens a page only after signing in, then goes on to it', async () => {
    const { page } = await openPage(browser, service.url);
    await page.goto('/numbers?x=1');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await inspect(page, 'sign-in');
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Email or password is wrong').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Numbers' }).waitFor();
    await page.getByRole('cell', { name: '+1 415 555 0100', exact: true }).waitFor();
    await inspect(page, 'numbers');
    expect(new URL(page.url()).pathname).toBe('/numbers');
    await page.context().close();
  });
});

describe('the dashboard', () => {
  it('shows a call of the built-in carrier: live, then its transcript and recording', async () => {
    const { page } = owner;
    const { agents } = (await api('GET', '/agent/all')).body.data;
    const { workspace_numbers: numbers } = (await api('GET', '/workspace/numbers')).body;
    const placed = await api('POST', '/calling/outbound/individual', {
      name: SCRIPT,
      mobile_number: '+14155550123',
      agent_id: agents[0].id,
      from_number_id: numbers[0].id,
    });
    callId = placed.body.data.call_id;
    await page.goto('/calls');
    await page.getByText(SCRIPT).waitFor();
    await page.goto(`/calls/${callId}`);
    const live = page.getByRole('region', { name: 'Live call' });
    // A line of the list has been said to its end: what is cut off later may be without the name.
    await live.getByRole('listitem').filter({ hasText: 'Maya' }).first().waitFor();
    await live.getByRole('button', { name: 'Hang up' }).click();
    await live.getByRole('button', { name: 'Hang up' }).click();
    await page.getByText('Ended by the workspace').first().waitFor();
    await page.getByRole('slider', { name: 'Place in the recording' }).waitFor();
    await page.getByRole('tab', { name: 'Connection' }).click();
    await page.getByRole('heading', { name: 'SIP messages' }).waitFor();
    await page.getByText('Received: 200 INVITE').waitFor();
    await inspect(page, 'call-connection');
    await page.keyboard.press('ArrowRight');
    await page.getByText('Raw JSON').waitFor();
    await page.getByRole('tab', { name: 'Conversation' }).click();
    const moments = page.getByRole('list', { name: 'Moments of the call' });
    await moments.getByText('The call ends').waitFor();
    const [attempt] = (await api('GET', `/calling/call-details?id=${callId}`)).body.data.attempts;
    const sent = attempt.sip_messages.map((step: any) => `${step.direction} ${step.message}`);
    expect(sent.slice(0, 1)).toEqual(['out INVITE']);
    expect(sent).toEqual(expect.arrayContaining(['in 200 INVITE', 'out ACK', 'out BYE']));
    expect(JSON.stringify(attempt.sip_messages)).not.toMatch(/4155550123|authorization/i);
    const line = page.getByRole('listitem').filter({ hasText: 'Maya' });
    await line.first().locator('p').click();
    const second = (): Promise<number> =>
      page.locator('audio').evaluate((audio) => (audio as unknown as { currentTime: number }).currentTime);
    await expect.poll(second).toBeGreaterThan(0);
    expect(page.url()).toMatch(/\?t=\d+$/);
    await inspect(page, 'call');
  });

  it('keeps the filters of the calls list in the address', async () => {
    const { page } = owner;
    await page.goto('/calls');
    await setFilter(page, 'Status', 'Failed');
    await page.getByRole('heading', { name: 'No call matches' }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=failed');
    await page.getByRole('button', { name: 'Remove the filter Status Failed' }).click();
    await page.getByText(SCRIPT).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.keyboard.press('j');
    const tip = page.getByRole('tooltip');
    await tip.getByText('Your time, Asia/Calcutta').or(tip.getByText('Your time, Asia/Kolkata')).waitFor();
    await tip.getByText('Assistant’s time, UTC').waitFor();
    await inspect(page, 'calls-time');
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByText('Call to +14155550123').waitFor();
    await page.goto('/calls?status=failed');
    await page.getByRole('button', { name: 'Save as a view' }).click();
    await page.getByLabel('Name of the view').fill('Failed ones');
    await inspect(page, 'calls-save-view');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText(SCRIPT).waitFor();
    await page.getByRole('button', { name: 'Failed ones', exact: true }).click();
    await page.getByRole('heading', { name: 'No call matches' }).waitFor();
    await page.getByRole('button', { name: 'Remove the view Failed ones' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Remove the view Failed ones' }).click();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText(SCRIPT).waitFor();
    await page.getByText('Columns', { exact: true }).click();
    await inspect(page, 'calls-columns');
    await page.getByLabel('Your number', { exact: true }).uncheck();
    await page.getByRole('columnheader', { name: 'Your number' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText(SCRIPT).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Your number' }).count()).toBe(0);
    await page.getByText('Columns', { exact: true }).click();
    await page.getByLabel('Your number', { exact: true }).check();
    await page.getByRole('columnheader', { name: 'Your number' }).waitFor();
    await page.getByText('Columns', { exact: true }).click();
    await inspect(page, 'calls');
    await page.goto('/calls?status=failed');
    await page.getByRole('heading', { name: 'No call matches' }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Status Failed' }).waitFor();
  });

  it('changes an assistant and makes a version of it', async () => {
    const { page } = owner;
    await page.goto('/agents');
    const row = page.getByRole('row').filter({ hasText: 'Demo: appointment confirmation' });
    await row.getByText('v1').waitFor();
    await row.getByRole('button', { name: 'Play the voice of Demo: appointment confirmation' }).click();
    await row.getByRole('button', { name: 'Stop the voice of Demo: appointment confirmation' }).waitFor();
    await inspect(page, 'assistants');
    await row.getByRole('link', { name: 'Demo: appointment confirmation', exact: true }).click();
    const opening = page.getByLabel('First message');
    await opening.fill('Hello, this is Maya. May I ask you something?');
    await saveSection(page, 'Opening');
    await publishDraft(page, 'v2');
    await openPart(page, 'Versions and A/B test');
    await page
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: 'v2 Active', exact: true }) })
      .getByRole('button', { name: 'Duplicate', exact: true })
      .click();
    await page.getByRole('cell', { name: 'v3', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Activate' }).first().waitFor();
    await inspect(page, 'assistant');
    const { agents } = (await api('GET', '/agent/all')).body.data;
    const { version_details: versions } = (await api('GET', `/agent/${agents[0].id}`)).body.agents;
    const intros = Object.values(versions as Record<string, any>).map((v) => v.agent_config.intro_message);
    expect(intros.filter((intro) => intro === 'Hello, this is Maya. May I ask you something?')).toHaveLength(
      2,
    );
    expect(intros).toHaveLength(3);
  });

  it('replaces the API key after the typed name, and the old one gets 401 at once', async () => {
    const { page } = owner;
    await openPlace(page, 'API keys');
    await page.getByText(`cw_live_••••••••${key.slice(-4)}`).waitFor();
    await page.getByRole('button', { name: 'Regenerate key' }).click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Regenerate key' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel('Type the workspace name').fill('My workspace');
    await inspect(page, 'api-key-dialog');
    await confirm.click();
    const made = (await page.getByTestId('new-key').textContent()) ?? '';
    expect(made).toMatch(/^cw_live_\w{32}$/);
    expect((await api('GET', '/workspace')).status).toBe(401);
    key = made;
    expect((await api('GET', '/workspace')).status).toBe(200);
    await inspect(page, 'api-key');
    await page.reload();
    await page.getByText(`cw_live_••••••••${made.slice(-4)}`).waitFor();
    expect(await page.content()).not.toContain(made);
  });

  it('lets a viewer in by invitation, who sees no key and changes nothing', async () => {
    const { page } = owner;
    await openPlace(page, 'Members');
    await page.getByLabel('Email of the person').fill('viewer@example.com');
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = (await page.getByText(/invitation#/).textContent()) ?? '';
    await inspect(page, 'members');
    const viewer = await openPage(browser, service.url);
    await viewer.page.goto(link);
    await viewer.page.getByLabel('Password').fill('the passphrase of a viewer');
    await inspect(viewer.page, 'invitation');
    await viewer.page.getByRole('button', { name: 'Join' }).click();
    await viewer.page.getByRole('link', { name: 'Calls', exact: true }).click();
    await viewer.page.getByText(SCRIPT).waitFor();
    await viewer.page.getByText('View only', { exact: true }).waitFor();
    expect(await viewer.page.getByRole('link', { name: 'API key' }).count()).toBe(0);
    await viewer.page.goto('/settings/api-key');
    await viewer.page.getByRole('heading', { name: 'Only owners manage keys' }).waitFor();
    await inspect(viewer.page, 'api-key-viewer');
    const { request } = viewer.context;
    const session = await (await request.get('/dashboard-api/session')).json();
    const refused = await request.post('/dashboard-api/api-key', {
      headers: { 'x-csrf-token': session.csrf_token, 'x-workspace-id': session.workspaces[0].id },
      data: {},
    });
    const status = refused.status();
    expect(status).toBe(403);
    expect(viewer.faults).toEqual([]);
    await viewer.context.close();
  });

  it('ends other sessions, which are then signed out', async () => {
    const { page } = owner;
    const other = await openPage(browser, service.url, { width: 390, height: 844 });
    await other.page.goto('/sign-in');
    await other.page.getByLabel('Email').fill(EMAIL);
    await other.page.getByLabel('Password').fill(PASSWORD);
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByRole('button', { name: 'Menu' }).click();
    await inspect(other.page, 'phone-menu');
    await other.page.getByRole('link', { name: 'Numbers' }).click();
    await openPlace(page, 'Your account');
    await showRequests(page);
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' });
    const password = page
      .locator('form')
      .filter({ has: page.getByRole('button', { name: 'Change password' }) });
    await password.getByLabel('Current password').fill(PASSWORD);
    await password.getByRole('button', { name: 'Copy as curl' }).click();
    await password.getByText('Copied').waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toContain(`-d '{"password":"<password>","new_password":"<new_password>"}'`);
    expect(copied).not.toContain(PASSWORD);
    await inspect(page, 'account');
    await other.page.reload();
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(other.faults).toEqual([]);
    await other.context.close();
  });

  it('signs out, and ran or loaded nothing from elsewhere', async () => {
    const { page, faults } = owner;
    await openUserMenu(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto('/calls');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await sleep(100);
    expect(faults).toEqual([]);
  });
});
