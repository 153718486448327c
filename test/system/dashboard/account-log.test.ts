import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renewFirstRun } from '../../../src/domain/users/first-run.ts';
import { resetByOperator } from '../../../src/domain/users/recovery.ts';
import { totpCode } from '../../../src/domain/users/totp.ts';
import { createTenant, createTestApi, TEST_SEAL, type Tenant, type TestApi } from '../../helpers/api/api.ts';
import { Browser, createPerson, PASSWORD, signedIn } from '../../helpers/browser/browser.ts';

let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
});
afterAll(() => api?.close());

const NEXT = 'another long passphrase';
type SignedIn = Awaited<ReturnType<typeof signedIn>>;

/** The actions of the account's own log, oldest first. */
async function logOf(browser: Browser): Promise<string[]> {
  const { body } = await browser.request('GET', '/dashboard-api/account-log');
  return (body['entries'] as { action: string }[]).map(({ action }) => action).reverse();
}
/** The entries about a user in the audit log of a workspace, oldest first. */
const auditOf = (workspaceId: string, userId: string) =>
  api.db
    .selectFrom('audit_log')
    .select(['action', 'actor_type as by', 'actor'])
    .where('workspace_id', '=', workspaceId)
    .where('action', 'like', 'account.%')
    .where((e) => e(e.ref('objects', '->>').key('user_id'), '=', userId))
    .orderBy('id')
    .execute();
const copied = (actions: readonly string[]) => actions.map((action) => `account.${action}`);
const twoStepOn = async (browser: Browser): Promise<() => string> => {
  const begun = await browser.request('POST', '/dashboard-api/two-step', { password: PASSWORD });
  const code = (): string => totpCode(String(begun.body['secret']), Math.floor(api.clock.now() / 30_000));
  expect((await browser.request('POST', '/dashboard-api/two-step/confirm', { code: code() })).status).toBe(
    200,
  );
  api.clock.advance(30_000);
  return code;
};
const setPassword = (url: unknown) =>
  new Browser(api).request('POST', '/dashboard-api/password-link', {
    token: String(url).split('#')[1] ?? '',
    password: NEXT,
  });

describe('what happens to an account', () => {
  it('is in its log, and in the audit logs of all its workspaces', async () => {
    const one = await signedIn(api, tenant.workspaceId, 'manager');
    const { userId, email } = one.person;
    const other = await createTenant(api);
    await api.db
      .insertInto('memberships')
      .values({ workspace_id: other.workspaceId, user_id: userId, role: 'viewer', created_at: new Date() })
      .execute();
    expect((await new Browser(api).signIn(email, { password: 'not the password' })).status).toBe(401);
    const code = await twoStepOn(one);
    const off = { password: PASSWORD, code: code() };
    expect((await one.request('DELETE', '/dashboard-api/two-step', off)).status).toBe(200);

    const second = new Browser(api);
    await second.signIn(email);
    const { body } = await one.request('GET', '/dashboard-api/sessions');
    const others = (body['sessions'] as { id: string; current: boolean }[]).filter(({ current }) => !current);
    const ended = await one.request('DELETE', `/dashboard-api/sessions/${others[0]?.id ?? ''}`);
    expect(ended.status).toBe(200);
    await second.signIn(email);
    expect((await one.request('DELETE', '/dashboard-api/sessions')).status).toBe(200);
    const change = { password: PASSWORD, new_password: NEXT };
    expect((await one.request('PATCH', '/dashboard-api/password', change)).status).toBe(200);
    expect((await one.request('POST', '/dashboard-api/sign-out')).status).toBe(200);
    await one.signIn(email, { password: NEXT });

    const happened = [
      'sign_in_failed',
      'two_step_on',
      'two_step_off',
      'signed_in',
      'session_ended',
      'signed_in',
      'other_sessions_ended',
      'password_changed',
      'signed_out',
      'signed_in',
    ];
    expect(await logOf(one)).toEqual(['signed_in', ...happened]);
    for (const { workspaceId } of [tenant, other]) {
      const known = workspaceId === tenant.workspaceId ? ['signed_in', ...happened] : happened;
      const rows = await auditOf(workspaceId, userId);
      expect(rows.map(({ action }) => action)).toEqual(copied(known));
      expect(new Set(rows.map(({ by, actor }) => `${by} ${actor}`))).toEqual(new Set([`user ${email}`]));
    }
  });

  it('begins with the invitation that its owner accepts', async () => {
    const owner = await signedIn(api, tenant.workspaceId);
    const invited = await owner.request('POST', '/dashboard-api/invitations', {
      email: 'invited@example.com',
      role: 'viewer',
    });
    const token = String(invited.body['url']).split('#')[1] ?? '';
    const guest = new Browser(api);
    const accepted = await guest.request('POST', '/dashboard-api/invitation/accept', {
      token,
      password: PASSWORD,
    });
    expect(accepted.status).toBe(200);
    await guest.readSession();
    expect(await logOf(guest)).toEqual(['invitation_accepted']);
    const { id } = await api.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'invited@example.com')
      .executeTakeFirstOrThrow();
    expect(await auditOf(tenant.workspaceId, id)).toEqual([
      { action: 'account.invitation_accepted', by: 'user', actor: 'invited@example.com' },
    ]);
  });

  it('begins with the first owner on a new installation, in every workspace that the owner adopts', async () => {
    const fresh = await createTestApi();
    try {
      const adopted = [await createTenant(fresh), await createTenant(fresh)];
      const link = await renewFirstRun({ ...fresh, seal: TEST_SEAL });
      const browser = new Browser(fresh);
      const made = await browser.request('POST', '/dashboard-api/first-run', {
        token: link?.token ?? '',
        email: 'first@example.com',
        password: PASSWORD,
      });
      expect(made.status).toBe(200);
      const { body } = await browser.request('GET', '/dashboard-api/account-log');
      expect(body['entries']).toMatchObject([{ action: 'first_owner' }]);
      const rows = await fresh.db
        .selectFrom('audit_log')
        .select(['workspace_id', 'actor'])
        .where('action', '=', 'account.first_owner')
        .execute();
      const byWorkspace = rows.toSorted((a, b) => a.workspace_id.localeCompare(b.workspace_id));
      const ids = adopted.map(({ workspaceId }) => workspaceId).toSorted((a, b) => a.localeCompare(b));
      expect(byWorkspace).toEqual(
        ids.map((workspaceId) => ({ workspace_id: workspaceId, actor: 'first@example.com' })),
      );
    } finally {
      await fresh.close();
    }
  });
});

describe('a member who has forgotten the password or lost the second factor', () => {
  const helped = (owner: SignedIn, member: { userId: string }, what: 'password-link' | 'two-step') =>
    owner.request(what === 'two-step' ? 'DELETE' : 'POST', `/dashboard-api/members/${member.userId}/${what}`);

  it('gets a link from an owner, which sets a password once, ends the sessions and is in both logs', async () => {
    const owner = await signedIn(api, tenant.workspaceId);
    const member = await signedIn(api, tenant.workspaceId, 'viewer');
    const { userId, email } = member.person;
    const first = await helped(owner, { userId }, 'password-link');
    const second = await helped(owner, { userId }, 'password-link');
    expect([first.status, second.status]).toEqual([200, 200]);
    expect((await setPassword(first.body['url'])).body['code']).toBe('LINK_INVALID');
    expect((await setPassword(second.body['url'])).status).toBe(200);
    expect((await setPassword(second.body['url'])).body['code']).toBe('LINK_INVALID');
    expect((await member.request('GET', '/dashboard-api/session')).status).toBe(401);
    expect((await member.signIn(email, { password: NEXT })).status).toBe(200);
    const happened = [
      'signed_in',
      'password_link_made',
      'password_link_made',
      'password_changed',
      'signed_in',
    ];
    expect(await logOf(member)).toEqual(happened);
    const rows = await auditOf(tenant.workspaceId, userId);
    expect(rows.map(({ action }) => action)).toEqual(copied(happened));
    expect(rows[1]).toEqual({
      action: 'account.password_link_made',
      by: 'user',
      actor: owner.person.email,
    });
  });

  it('signs in without a second factor once an owner or the operator has turned it off', async () => {
    const owner = await signedIn(api, tenant.workspaceId);
    const member = await signedIn(api, tenant.workspaceId, 'viewer');
    const { userId, email } = member.person;
    for (const by of ['owner', 'operator'] as const) {
      await twoStepOn(member);
      expect((await new Browser(api).signIn(email)).body['code']).toBe('CODE_REQUIRED');
      const answer =
        by === 'owner'
          ? (await helped(owner, { userId }, 'two-step')).status
          : await resetByOperator({ ...api, publicUrl: '' }, email, 'two-step');
      expect(answer).toBe({ owner: 200, operator: 'two-step is off' }[by]);
      expect([by, (await member.request('GET', '/dashboard-api/session')).status]).toEqual([by, 401]);
      expect([by, (await member.signIn(email)).status]).toEqual([by, 200]);
    }
    const rows = await auditOf(tenant.workspaceId, userId);
    expect(rows.filter(({ action }) => action === 'account.two_step_off')).toEqual([
      { action: 'account.two_step_off', by: 'user', actor: owner.person.email },
      { action: 'account.two_step_off', by: 'operator', actor: 'callwright user reset' },
    ]);
  });

  it('who also works elsewhere gets no link from an owner of one workspace, and a manager makes none', async () => {
    const owner = await signedIn(api, tenant.workspaceId);
    const manager = await signedIn(api, tenant.workspaceId, 'manager');
    const elsewhere = await createTenant(api);
    const shared = await createPerson(api, tenant.workspaceId, 'viewer');
    await api.db
      .insertInto('memberships')
      .values({
        workspace_id: elsewhere.workspaceId,
        user_id: shared.userId,
        role: 'owner',
        created_at: new Date(),
      })
      .execute();
    for (const what of ['password-link', 'two-step'] as const) {
      expect((await helped(owner, shared, what)).status).toBe(409);
      expect((await helped(manager, shared, what)).status).toBe(403);
    }
    const links = await api.db
      .selectFrom('password_links')
      .select('user_id')
      .where('user_id', '=', shared.userId)
      .execute();
    expect(links).toEqual([]);
  });
});
