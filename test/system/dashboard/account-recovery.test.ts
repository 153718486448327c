import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resetByOperator } from '../../../src/domain/users/recovery.ts';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../../helpers/api/api.ts';
import { Browser, createPerson } from '../../helpers/browser/browser.ts';

let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
});
afterAll(() => api?.close());

const NEXT = 'another long passphrase';
const setPassword = (url: string) =>
  new Browser(api).request('POST', '/dashboard-api/password-link', {
    token: url.split('#')[1] ?? '',
    password: NEXT,
  });

describe('a forgotten password', () => {
  it('is replaced with the link of callwright user reset, once, and ends every session', async () => {
    const { email } = await createPerson(api, tenant.workspaceId, 'viewer');
    const before = new Browser(api);
    await before.signIn(email);
    const link = await resetByOperator({ ...api, publicUrl: 'http://callwright.test' }, email, 'password');
    if (link === null || typeof link === 'string') throw new Error('no link was made');
    expect((await setPassword(link.url)).status).toBe(200);
    expect((await setPassword(link.url)).body['code']).toBe('LINK_INVALID');
    expect((await before.request('GET', '/dashboard-api/session')).status).toBe(401);
    const after = new Browser(api);
    expect((await after.signIn(email)).status).toBe(401);
    expect((await after.signIn(email, { password: NEXT })).status).toBe(200);
    const log = await after.request('GET', '/dashboard-api/account-log');
    const entries = log.body['entries'] as { action: string }[];
    expect(entries.map(({ action }) => action)).toEqual([
      'signed_in',
      'sign_in_failed',
      'password_changed',
      'password_link_made',
      'signed_in',
    ]);
    const audit = await api.db
      .selectFrom('audit_log')
      .select(['action', 'actor_type', 'actor'])
      .where('workspace_id', '=', tenant.workspaceId)
      .where('action', '=', 'account.password_link_made')
      .execute();
    expect(audit).toEqual([
      { action: 'account.password_link_made', actor_type: 'operator', actor: 'callwright user reset' },
    ]);
  });

  it('link is invalid after 24 hours', async () => {
    const { email } = await createPerson(api, tenant.workspaceId, 'viewer');
    const link = await resetByOperator({ ...api, publicUrl: 'http://callwright.test' }, email, 'password');
    if (link === null || typeof link === 'string') throw new Error('no link was made');
    api.clock.advance(86_400_000);
    expect((await setPassword(link.url)).body['code']).toBe('LINK_INVALID');
  });
});
