import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../../helpers/api/api.ts';
import { Browser, createPerson, PASSWORD, signedIn } from '../../helpers/browser/browser.ts';

let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
});
afterAll(() => api?.close());

const ID = '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10';
describe('roles', () => {
  it('hold in child workspaces, and nowhere else', async () => {
    const parent = await createTenant(api);
    const owner = await signedIn(api, parent.workspaceId, 'owner');
    const viewer = await signedIn(api, parent.workspaceId, 'viewer');
    const made = await owner.request('POST', '/api/v0/workspace/sub', { name: 'Client' });
    const childId = (made.body['sub_workspace'] as { id: string }).id;
    const childOnly = await signedIn(api, childId, 'manager');
    owner.workspaceId = childId;
    viewer.workspaceId = childId;
    const read = async (browser: Browser): Promise<number> =>
      (await browser.request('GET', '/api/v0/workspace')).status;
    expect([await read(owner), await read(viewer), await read(childOnly)]).toEqual([200, 200, 200]);
    expect((await owner.request('POST', '/dashboard-api/api-key', {})).status).toBe(200);
    expect((await viewer.request('POST', '/dashboard-api/api-key', {})).status).toBe(403);
    const list = (await owner.readSession()).body['workspaces'] as { id: string; role: string }[];
    expect(list.map(({ id, role }) => [id, role])).toEqual([
      [parent.workspaceId, 'owner'],
      [childId, 'owner'],
    ]);
    for (const workspaceId of [parent.workspaceId, tenant.workspaceId, ID, 'x', null]) {
      childOnly.workspaceId = workspaceId;
      const answer = await childOnly.request('GET', '/api/v0/workspace');
      expect([answer.status, answer.body['code']]).toEqual([403, 'NOT_A_MEMBER']);
    }
  });

  it('name the person in the audit log', async () => {
    const own = await createTenant(api);
    const owner = await signedIn(api, own.workspaceId);
    await owner.request('POST', '/dashboard-api/api-key', { workspace_name: 'wrong' });
    const { body } = await owner.request('GET', '/api/v0/workspace/audit-log');
    const entries = body['entries'] as { action: string }[];
    expect(entries.filter(({ action }) => !action.startsWith('account.'))).toMatchObject([
      { action: 'regenerateApiKey', status: 422, actor: { type: 'user', name: owner.person.email } },
    ]);
  });
});

describe('the API key', () => {
  it('is shown once, needs the typed name to be replaced, and the old one is invalid at once', async () => {
    const own = await createTenant(api);
    const owner = await signedIn(api, own.workspaceId);
    const { name } = await api.db
      .selectFrom('workspaces')
      .select('name')
      .where('id', '=', own.workspaceId)
      .executeTakeFirstOrThrow();
    const page = () => owner.request('GET', '/dashboard-api/api-key');
    expect((await page()).body['api_key']).toMatchObject({
      prefix: 'cw_live_',
      last_four: own.key.slice(-4),
      created_at: new Date(api.clock.now()).toISOString(),
    });
    const regenerate = (body: object) => owner.request('POST', '/dashboard-api/api-key', body);
    for (const body of [{}, { workspace_name: 'Other' }, { workspace_name: '' }]) {
      expect((await regenerate(body)).status).toBe(422);
    }
    expect((await api.request('GET', '/api/v0/workspace', { key: own.key })).status).toBe(200);
    const made = await regenerate({ workspace_name: ` ${name} ` });
    const key = String(made.body['api_key']);
    expect(key).toMatch(/^cw_live_\w{32}$/);
    expect(made.headers['cache-control']).toBe('no-store');
    const old = await api.request('GET', '/api/v0/workspace', { key: own.key });
    expect([old.status, old.body['message']]).toEqual([401, 'Invalid credentials']);
    expect((await api.request('GET', '/api/v0/workspace', { key })).status).toBe(200);
    expect((await page()).text).not.toContain(key);
    const entries = await api.db
      .selectFrom('audit_log')
      .selectAll()
      .where('workspace_id', '=', own.workspaceId)
      .execute();
    expect(JSON.stringify(entries)).not.toContain(key);
  });

  it('opens no endpoint of the dashboard', async () => {
    for (const [method, path] of [
      ['GET', 'api-key'],
      ['POST', 'api-key'],
      ['GET', 'members'],
      ['POST', 'invitations'],
      ['GET', 'session'],
    ] as const) {
      const answer = await api.request(method, `/dashboard-api/${path}`, {
        key: tenant.key,
        ...(method === 'POST' ? { body: {} } : {}),
        headers: { 'x-workspace-id': tenant.workspaceId },
      });
      expect(answer.status).toBe(401);
    }
  });
});

describe('members', () => {
  const linkToken = (url: unknown): string => String(url).split('#')[1] ?? '';

  it('join by a link that works once, with an account of their own', async () => {
    const own = await createTenant(api);
    const owner = await signedIn(api, own.workspaceId);
    const invited = await owner.request('POST', '/dashboard-api/invitations', {
      email: 'New@example.com',
      role: 'manager',
    });
    const url = String(invited.body['url']);
    expect(url).toMatch(/^http:\/\/callwright\.test\/invitation#\w{43}$/);
    const token = linkToken(url);
    const guest = new Browser(api);
    expect((await guest.request('POST', '/dashboard-api/invitation', { token })).body).toMatchObject({
      email: 'New@example.com',
      role: 'manager',
      has_account: false,
    });
    const accept = (body: object) =>
      guest.request('POST', '/dashboard-api/invitation/accept', { token, ...body });
    expect((await accept({})).status).toBe(401);
    expect((await accept({ password: PASSWORD })).status).toBe(200);
    expect((await accept({ password: PASSWORD })).body['code']).toBe('LINK_INVALID');
    guest.workspaceId = own.workspaceId;
    await guest.readSession();
    expect((await guest.request('GET', '/api/v0/workspace')).status).toBe(200);
    const { body } = await guest.request('GET', '/dashboard-api/members');
    expect((body['members'] as { email: string; role: string }[]).map((m) => [m.email, m.role])).toEqual([
      [owner.person.email, 'owner'],
      ['New@example.com', 'manager'],
    ]);
  });

  it('with an account accept when they are signed in, and nobody else can', async () => {
    const own = await createTenant(api);
    const owner = await signedIn(api, own.workspaceId);
    const known = await createPerson(api, null);
    const invitation = await owner.request('POST', '/dashboard-api/invitations', {
      email: known.email.toLowerCase(),
      role: 'viewer',
    });
    const token = linkToken(invitation.body['url']);
    const accept = (browser: Browser, body: object = {}) =>
      browser.request('POST', '/dashboard-api/invitation/accept', { token, ...body });
    expect((await accept(new Browser(api), { password: PASSWORD })).body['code']).toBe('ACCOUNT_EXISTS');
    expect((await accept(owner)).body['code']).toBe('LINK_OF_ANOTHER');
    const browser = new Browser(api);
    await browser.signIn(known.email);
    expect((await accept(browser)).status).toBe(200);
    browser.workspaceId = own.workspaceId;
    expect((await browser.request('GET', '/api/v0/workspace')).status).toBe(200);
  });

  it('join by no link that was withdrawn, replaced or has expired', async () => {
    const own = await createTenant(api);
    const owner = await signedIn(api, own.workspaceId);
    const invite = async (email: string): Promise<[id: string, token: string]> => {
      const { body } = await owner.request('POST', '/dashboard-api/invitations', { email, role: 'viewer' });
      return [String(body['id']), linkToken(body['url'])];
    };
    const isOpen = async (token: string): Promise<boolean> =>
      (await new Browser(api).request('POST', '/dashboard-api/invitation', { token })).status === 200;
    const [, first] = await invite('guest@example.com');
    const [id, second] = await invite('Guest@example.com');
    expect([await isOpen(first), await isOpen(second)]).toEqual([false, true]);
    expect((await owner.request('DELETE', `/dashboard-api/invitations/${id}`)).status).toBe(200);
    expect(await isOpen(second)).toBe(false);
    const [, third] = await invite('guest@example.com');
    api.clock.advance(7 * 86_400_000 - 1);
    expect(await isOpen(third)).toBe(true);
    api.clock.advance(1);
    expect(await isOpen(third)).toBe(false);
  });

  it('lose access at once, and the last owner stays', async () => {
    const own = await createTenant(api);
    const owner = await signedIn(api, own.workspaceId);
    const manager = await signedIn(api, own.workspaceId, 'manager');
    const member = (person: { userId: string }): string => `/dashboard-api/members/${person.userId}`;
    const demote = () => owner.request('PATCH', member(owner.person), { role: 'viewer' });
    expect((await demote()).body['code']).toBe('LAST_OWNER');
    expect((await owner.request('DELETE', member(owner.person))).body['code']).toBe('LAST_OWNER');
    expect((await owner.request('PATCH', member(manager.person), { role: 'viewer' })).status).toBe(200);
    const create = await manager.request('PATCH', '/api/v0/campaign/pause', { campaign_id: ID });
    expect(create.body['code']).toBe('ROLE_TOO_LOW');
    expect((await owner.request('DELETE', member(manager.person))).status).toBe(200);
    expect((await manager.request('GET', '/api/v0/workspace')).status).toBe(403);
    const other = await createTenant(api);
    const stranger = await signedIn(api, other.workspaceId);
    expect((await stranger.request('DELETE', member(owner.person))).status).toBe(404);
  });
});
