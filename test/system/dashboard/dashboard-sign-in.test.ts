import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFirstRun, renewFirstRun } from '../../../src/domain/users/first-run.ts';
import { totpCode } from '../../../src/domain/users/totp.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import { createTenant, createTestApi, TEST_SEAL, type TestApi } from '../../helpers/api/api.ts';
import { openTestLinks } from '../../helpers/database/links.ts';
import { Browser, createPerson, PASSWORD, signedIn } from '../../helpers/browser/browser.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api?.close());

const FIRST = { email: 'first@example.com', password: 'a long enough one' };

describe('the first run', () => {
  it('creates one owner of every ownerless workspace, with the printed link only', async () => {
    const tenant = await createTenant(api);
    const browser = new Browser(api);
    const create = (token: string, over = {}) =>
      browser.request('POST', '/dashboard-api/first-run', { token, ...FIRST, ...over });
    expect((await browser.request('GET', '/dashboard-api/first-run')).body).toEqual({ needed: true });
    const deps = { ...api, seal: TEST_SEAL };
    const printed = await readFirstRun(deps);
    if (typeof printed !== 'object') throw new Error('no link was printed');
    expect(await readFirstRun(deps)).toEqual(printed);

    // After a day no start prints the link, and it creates no owner; a new one ends the earlier ones.
    api.clock.advance(86_400_000 - 1);
    expect(await readFirstRun(deps)).toEqual(printed);
    api.clock.advance(1);
    expect(await readFirstRun(deps)).toBe('expired');
    expect((await create(printed.token)).body['code']).toBe('LINK_INVALID');
    const earlier = (await renewFirstRun(deps))?.token ?? '';
    const token = (await renewFirstRun(deps))?.token ?? '';
    expect(await readFirstRun(deps)).toEqual({ token });
    expect((await create(earlier)).body['code']).toBe('LINK_INVALID');
    expect((await create('x'.repeat(43))).body['code']).toBe('LINK_INVALID');
    expect((await create(token, { password: 'short' })).status).toBe(422);
    const both = await Promise.all([create(token), create(token, { email: 'second@example.com' })]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await create(token)).body['code']).toBe('FIRST_RUN_OVER');
    expect([await readFirstRun(deps), await renewFirstRun(deps)]).toEqual(['over', null]);
    expect((await browser.request('GET', '/dashboard-api/first-run')).body).toEqual({ needed: false });
    const session = await browser.readSession();
    expect(session.body['workspaces']).toEqual([
      {
        id: tenant.workspaceId,
        name: expect.any(String),
        parent_workspace_id: null,
        role: 'owner',
        timezone: 'UTC',
        country: null,
      },
    ]);
  });
});

describe('signing in', () => {
  it('sets a cookie that scripts and other sites cannot use, and stores only its hash', async () => {
    const { email } = await createPerson(api, null);
    const answer = await new Browser(api).signIn(email.toUpperCase());
    expect(answer.status).toBe(200);
    const [session, device] = [answer.headers['set-cookie'] ?? []].flat();
    expect(session).toMatch(
      /^cw_session=[0-9A-Za-z]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    expect(device).toMatch(
      /^cw_device=sealed:v1:[\w-]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
    );
    const token = /=(\w+);/.exec(JSON.stringify(session))?.[1] ?? '';
    const rows = await api.db.selectFrom('sessions').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('marks the cookie Secure behind TLS', async () => {
    const tls = await createTestApi({
      link: await openTestLinks(new ManualClock(), 'https://voice.example.com'),
    });
    try {
      const { email } = await createPerson(tls, null);
      const browser = new Browser(tls);
      const host = { host: 'voice.example.com' };
      const body = { email, password: PASSWORD };
      const answer = await browser.request('POST', '/dashboard-api/sign-in', body, host);
      const [session, device] = [answer.headers['set-cookie'] ?? []].flat();
      expect(session).toMatch(/^__Host-cw_session=\w+; .*; SameSite=Strict; Secure$/);
      expect(device).toMatch(/^__Host-cw_device=[\w:-]+; .*; SameSite=Strict; Secure$/);
      expect((await browser.request('GET', '/dashboard-api/session', undefined, host)).status).toBe(200);
    } finally {
      await tls.close();
    }
  });

  it('answers an unknown address and a wrong password alike', async () => {
    const { email } = await createPerson(api, null);
    const browser = new Browser(api);
    const tries = [
      { email, password: 'wrong password' },
      { email: 'nobody@example.com', password: 'wrong password' },
    ];
    const answers = [];
    for (const body of tries) answers.push(await browser.request('POST', '/dashboard-api/sign-in', body));
    for (const { status, body, headers } of answers) {
      expect([status, body['message'], body['code']]).toEqual([
        401,
        'Email or password is wrong',
        'SIGN_IN_FAILED',
      ]);
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  it('refuses an account after 10 wrong passwords, the right one too, and known or not alike', async () => {
    const { email } = await createPerson(api, null);
    const browser = new Browser(api);
    for (const address of [email, 'missing@example.com']) {
      const guesser = new Browser(api);
      const statuses = await Promise.all(
        Array.from({ length: 11 }, async () => {
          const body = { email: address, password: 'wrong password' };
          return (await guesser.request('POST', '/dashboard-api/sign-in', body)).status;
        }),
      );
      expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    }
    const refused = await browser.signIn(email);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, expect.any(String)]);
    api.clock.advance(900_000);
    expect((await browser.signIn(email)).status).toBe(200);
  });

  it('lets a browser in that signed in before, although strangers have locked the account', async () => {
    const { email } = await createPerson(api, null);
    const own = new Browser(api);
    await own.signIn(email);
    own.cookie = null;
    const guesser = new Browser(api);
    for (let n = 0; n < 10; n += 1) {
      await guesser.request('POST', '/dashboard-api/sign-in', { email, password: 'wrong password' });
    }
    expect((await new Browser(api).signIn(email)).status).toBe(429);
    expect((await own.signIn(email)).status).toBe(200);
  });

  it('ends the session that the browser had, and starts one with another token', async () => {
    const { email } = await createPerson(api, null);
    const browser = new Browser(api);
    await browser.signIn(email);
    const first = browser.cookie;
    await browser.signIn(email);
    expect(browser.cookie).not.toBe(first);
    const old = new Browser(api);
    old.cookie = first;
    expect((await old.readSession()).status).toBe(401);
    expect((await browser.readSession()).status).toBe(200);
  });

  it('is refused to pages of other sites', async () => {
    const { email } = await createPerson(api, null);
    const browser = new Browser(api);
    const body = { email, password: PASSWORD };
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ]) {
      const answer = await browser.request('POST', '/dashboard-api/sign-in', body, headers);
      expect(answer.body['code']).toBe('CROSS_SITE');
    }
  });
});

describe('a session', () => {
  it('ends at sign-out, when it is revoked, after a week unused and 30 days after its sign-in', async () => {
    const { workspaceId } = await createTenant(api);
    const one = await signedIn(api, workspaceId);
    const two = new Browser(api);
    await two.signIn(one.person.email);
    const three = new Browser(api);
    await three.signIn(one.person.email);
    const list = (await one.request('GET', '/dashboard-api/sessions')).body['sessions'] as {
      id: string;
      current: boolean;
    }[];
    expect(list.map(({ current }) => current).filter(Boolean)).toHaveLength(1);
    const twoId = (
      (await two.request('GET', '/dashboard-api/sessions')).body['sessions'] as typeof list
    ).find(({ current }) => current)?.id;
    expect((await one.request('DELETE', `/dashboard-api/sessions/${twoId}`)).status).toBe(200);
    expect((await two.readSession()).status).toBe(401);
    expect((await one.request('DELETE', `/dashboard-api/sessions/${twoId}`)).status).toBe(404);
    expect((await one.request('DELETE', '/dashboard-api/sessions')).body['revoked_count']).toBe(1);
    expect((await three.readSession()).status).toBe(401);

    const stranger = await signedIn(api, workspaceId);
    const ownId = list.find(({ current }) => current)?.id;
    expect((await stranger.request('DELETE', `/dashboard-api/sessions/${ownId}`)).status).toBe(404);
    const signOut = await stranger.request('POST', '/dashboard-api/sign-out');
    expect(signOut.headers['set-cookie']).toContain('Max-Age=0');
    expect((await stranger.readSession()).status).toBe(401);

    /** Uses the session, whose use is stored after the response. */
    const use = async (): Promise<void> => {
      expect((await one.readSession()).status).toBe(200);
      const seen = () =>
        api.db
          .selectFrom('sessions')
          .select('id')
          .where('id', '=', ownId ?? '');
      const now = new Date(api.clock.now());
      await expect.poll(() => seen().where('seen_at', '=', now).execute()).toHaveLength(1);
    };
    api.clock.advance(6 * 86_400_000);
    await use();
    for (let day = 6; day < 30; day += 6) {
      await use();
      api.clock.advance(6 * 86_400_000);
    }
    expect((await one.readSession()).status).toBe(401);
    const idle = await signedIn(api, workspaceId);
    api.clock.advance(7 * 86_400_000);
    expect((await idle.readSession()).status).toBe(401);
  });

  it('changes nothing without its CSRF token or from another site', async () => {
    const { workspaceId } = await createTenant(api);
    const browser = await signedIn(api, workspaceId);
    const change = (headers: Record<string, string>) =>
      browser.request('POST', '/api/v0/workspace/sub', { name: 'Child' }, headers);
    for (const headers of [
      { 'x-csrf-token': '' },
      { 'x-csrf-token': 'x'.repeat(43) },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      expect((await change(headers)).body['code']).toBe('CROSS_SITE');
      expect((await browser.request('POST', '/dashboard-api/sign-out', undefined, headers)).status).toBe(403);
    }
    expect((await change({})).status).toBe(200);
  });
});

describe('the account', () => {
  it('changes the password with the old one, which ends the other sessions', async () => {
    const { workspaceId } = await createTenant(api);
    const one = await signedIn(api, workspaceId);
    const other = new Browser(api);
    await other.signIn(one.person.email);
    const change = (password: string) =>
      one.request('PATCH', '/dashboard-api/password', { password, new_password: 'another long one' });
    expect((await change('wrong password')).body['code']).toBe('PASSWORD_WRONG');
    expect((await change(PASSWORD)).status).toBe(200);
    expect((await one.readSession()).status).toBe(200);
    expect((await other.readSession()).status).toBe(401);
    expect((await other.signIn(one.person.email)).status).toBe(401);
    expect((await other.signIn(one.person.email, { password: 'another long one' })).status).toBe(200);
  });

  it('with two-step sign-in needs a code, which works once, or a recovery code', async () => {
    const { workspaceId } = await createTenant(api);
    const one = await signedIn(api, workspaceId);
    const { email } = one.person;
    const begun = await one.request('POST', '/dashboard-api/two-step', { password: PASSWORD });
    const secret = String(begun.body['secret']);
    const stored = await api.db
      .selectFrom('users')
      .select('totp_secret')
      .where('id', '=', one.person.userId)
      .executeTakeFirstOrThrow();
    expect(stored.totp_secret).toMatch(/^sealed:/);
    const code = (): string => totpCode(secret, Math.floor(api.clock.now() / 30_000));
    const confirm = (value: string) =>
      one.request('POST', '/dashboard-api/two-step/confirm', { code: value });
    expect((await confirm('000000')).status).toBe(422);
    const confirmed = await confirm(code());
    const recovery = confirmed.body['recovery_codes'] as string[];
    expect(recovery).toHaveLength(10);

    const other = new Browser(api);
    expect((await other.signIn(email)).body['code']).toBe('CODE_REQUIRED');
    expect((await other.signIn(email, { code: '123456' })).body['code']).toBe('CODE_WRONG');
    expect((await other.signIn(email, { code: code() })).body['code']).toBe('CODE_WRONG');
    api.clock.advance(30_000);
    const fresh = code();
    expect((await other.signIn(email, { code: `${fresh.slice(0, 3)} ${fresh.slice(3)}` })).status).toBe(200);
    expect((await other.signIn(email, { code: fresh })).body['code']).toBe('CODE_WRONG');
    const [spare = ''] = recovery;
    expect((await other.signIn(email, { code: spare.toUpperCase() })).status).toBe(200);
    expect((await other.signIn(email, { code: spare })).body['code']).toBe('CODE_WRONG');

    expect((await other.signIn(email)).body['code']).toBe('CODE_REQUIRED');
  });

  it('turns two-step sign-in off with the password and a code, not with the password alone', async () => {
    const { workspaceId } = await createTenant(api);
    const one = await signedIn(api, workspaceId);
    const begun = await one.request('POST', '/dashboard-api/two-step', { password: PASSWORD });
    const code = (): string => totpCode(String(begun.body['secret']), Math.floor(api.clock.now() / 30_000));
    const confirmed = await one.request('POST', '/dashboard-api/two-step/confirm', { code: code() });
    const [spare = ''] = confirmed.body['recovery_codes'] as string[];
    const off = async (body: object) => {
      const answer = await one.request('DELETE', '/dashboard-api/two-step', { password: PASSWORD, ...body });
      return [answer.status, (await one.readSession()).body['user']];
    };
    const on = expect.objectContaining({ two_step: true });
    expect(await off({})).toEqual([422, on]);
    expect(await off({ code: '000000' })).toEqual([422, on]);
    // Used to turn it on.
    expect(await off({ code: code() })).toEqual([422, on]);
    expect(await off({ password: 'not the password', code: spare })).toEqual([403, on]);
    expect(await off({ code: spare })).toEqual([200, expect.objectContaining({ two_step: false })]);
    expect((await new Browser(api).signIn(one.person.email)).status).toBe(200);
  });

  it('cannot guess the code that turns two-step sign-in off', async () => {
    const { workspaceId } = await createTenant(api);
    const one = await signedIn(api, workspaceId);
    const begun = await one.request('POST', '/dashboard-api/two-step', { password: PASSWORD });
    const step = Math.floor(api.clock.now() / 30_000);
    const code = totpCode(String(begun.body['secret']), step);
    await one.request('POST', '/dashboard-api/two-step/confirm', { code });
    const statuses: number[] = [];
    for (let i = 0; i < 21; i += 1) {
      const guess = { password: PASSWORD, code: '000000' };
      statuses.push((await one.request('DELETE', '/dashboard-api/two-step', guess)).status);
    }
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([422]));
    expect(statuses.at(-1)).toBe(429);
  });
});
