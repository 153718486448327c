import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Listening, LiveCalls } from '../../../src/dialer/live-calls.ts';
import { LiveAccess } from '../../../src/domain/access/live-access.ts';
import { returnLostChats } from '../../../src/domain/chats/lost-take-overs.ts';
import { silentLog } from '../../../src/shared/log.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { signedIn, type Browser } from '../../helpers/browser/browser.ts';
import { createHoldings } from '../../helpers/api/owned-objects.ts';
import { makeKey } from '../../helpers/api/principals.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';

type Member = Browser & { person: { userId: string; email: string } };

let database: TestDatabase;
/** Two processes over one database: what goes on in the first is revoked through the second. */
let here: TestApi;
let elsewhere: TestApi;
let tenant: Tenant;
let owner: Member;
beforeAll(async () => {
  database = await createTestDatabase();
  here = await createTestApi({}, database);
  elsewhere = await createTestApi({}, database);
  tenant = await createTenant(elsewhere);
  owner = await signedIn(elsewhere, tenant.workspaceId);
  await here.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await here?.server.close();
  await elsewhere?.close();
});

const member = (role: 'owner' | 'manager' | 'viewer'): Promise<Member> =>
  signedIn(elsewhere, tenant.workspaceId, role);
const done = async (answer: Promise<{ status: number; text: string }>): Promise<void> => {
  const { status, text } = await answer;
  expect([status, text]).toEqual([200, text]);
};
const changeRole = ({ person }: Member, role: string) =>
  done(owner.request('PATCH', `/dashboard-api/members/${person.userId}`, { role }));

describe('an event stream', () => {
  /** Opens the stream, waits for its first event, then runs `revoke`, and resolves when the stream has ended. */
  async function endsAfter(headers: Record<string, string>, revoke: () => Promise<void>): Promise<boolean> {
    const { port } = here.server.server.address() as { port: number };
    const response = await fetch(`http://127.0.0.1:${port}/api/v0/workspace/changes`, { headers });
    expect(response.status).toBe(200);
    const reader = response.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await revoke();
    for (;;) if ((await reader.read()).done) return true;
  }
  const cookies = (browser: Member): Record<string, string> => ({
    cookie: browser.cookie ?? '',
    'x-workspace-id': tenant.workspaceId,
  });

  it('ends when its reader is removed from the workspace, in whichever process', async () => {
    const viewer = await member('viewer');
    expect(
      await endsAfter(cookies(viewer), () =>
        done(owner.request('DELETE', `/dashboard-api/members/${viewer.person.userId}`)),
      ),
    ).toBe(true);
  });

  it('ends with the session that opened it, and another session of the person goes on', async () => {
    const viewer = await member('viewer');
    expect(
      await endsAfter(cookies(viewer), () => done(viewer.request('POST', '/dashboard-api/sign-out'))),
    ).toBe(true);
  });

  it('ends with a named key that is revoked or expires', async () => {
    const revoked = await makeKey(elsewhere, tenant, ['workspace:read']);
    expect(
      await endsAfter({ 'x-api-key': revoked.key }, () =>
        done(owner.request('DELETE', `/dashboard-api/keys/${revoked.id}`)),
      ),
    ).toBe(true);
    const expiresAt = new Date(here.clock.now() + 1_000);
    const brief = await makeKey(elsewhere, tenant, ['workspace:read'], { expiresAt });
    expect(await endsAfter({ 'x-api-key': brief.key }, async () => here.clock.advance(1_000))).toBe(true);
  });

  it('ends with the key of the workspace when it is replaced', async () => {
    const other = await createTenant(elsewhere);
    const theirs = await signedIn(elsewhere, other.workspaceId);
    const { name } = await elsewhere.db
      .selectFrom('workspaces')
      .select('name')
      .where('id', '=', other.workspaceId)
      .executeTakeFirstOrThrow();
    expect(
      await endsAfter({ 'x-api-key': other.key }, () =>
        done(theirs.request('POST', '/dashboard-api/api-key', { workspace_name: name })),
      ),
    ).toBe(true);
  });
});

describe('what goes on', () => {
  const grantOf = async (browser: Member, need: 'viewer' | 'manager') => {
    const { body } = await browser.request('GET', '/dashboard-api/sessions');
    const [session] = (body['sessions'] as { id: string; current: boolean }[]).filter(
      ({ current }) => current,
    );
    return { kind: 'session', need, sessionId: session!.id, workspaceId: tenant.workspaceId } as const;
  };

  it('is checked every second, and ends when the role is too low for it', async () => {
    const manager = await member('manager');
    const [reading, listening] = [await grantOf(manager, 'viewer'), await grantOf(manager, 'manager')];
    const access = new LiveAccess({ db: here.db, clock: here.clock });
    const ended: string[] = [];
    access.hold(reading, () => ended.push('reading'));
    access.hold(listening, () => ended.push('listening'));
    await access.check();
    expect(ended).toEqual([]);
    await changeRole(manager, 'viewer');
    await vi.waitFor(() => expect(ended).toEqual(['listening']), { timeout: 60_000 });
    access.close();
  });

  it('ends after a minute in which the database cannot be asked, and not before', async () => {
    const manager = await member('manager');
    const broken = { selectFrom: 'nothing' } as never;
    const access = new LiveAccess({ db: broken, clock: here.clock });
    let isEnded = false;
    access.hold(await grantOf(manager, 'viewer'), () => (isEnded = true));
    here.clock.advance(59_000);
    await access.check();
    expect(isEnded).toBe(false);
    here.clock.advance(1_000);
    await access.check();
    expect(isEnded).toBe(true);
    access.close();
  });
});

describe('a listener of a live call', () => {
  async function liveCall(live: LiveCalls): Promise<{ callId: string; unlistened: string[] }> {
    const { agentId } = await createTestAgent(elsewhere, tenant);
    const placed = await elsewhere.request('POST', '/api/v0/calling/outbound/individual', {
      key: tenant.key,
      body: { name: 'P', mobile_number: '+14155550002', agent_id: agentId, from_number_id: tenant.numberId },
    });
    const { call_id: callId } = placed.body['data'] as { call_id: string };
    await elsewhere.db.updateTable('calls').set({ status: 'ongoing' }).where('id', '=', callId).execute();
    const unlistened: string[] = [];
    live.add(tenant.workspaceId, callId, {
      hangup: () => undefined,
      cut: () => undefined,
      listen: () => true,
      control: () => false,
      unlisten: (id) => void unlistened.push(id),
    });
    return { callId, unlistened };
  }

  const removed = (manager: Member) =>
    done(owner.request('DELETE', `/dashboard-api/members/${manager.person.userId}`));
  const lowered = (manager: Member) => changeRole(manager, 'viewer');
  const signedOut = (manager: Member) => done(manager.request('POST', '/dashboard-api/sign-out'));

  it.each([
    ['the role of its person is lowered', lowered],
    ['its person is removed from the workspace', removed],
    ['the session that asked for it ends', signedOut],
  ])('is cut off when %s, and a token that was asked for before opens nothing', async (_cause, revoke) => {
    const live = new LiveCalls();
    const { callId, unlistened } = await liveCall(live);
    const { db } = here;
    const { clock } = elsewhere;
    const access = new LiveAccess({ db, clock });
    const deps = { db, clock, log: silentLog, live, access, drop: () => undefined };
    const listening = new Listening(deps);
    const manager = await member('manager');
    const asked = async () => {
      const { body } = await manager.request('POST', `/dashboard-api/calls/${callId}/listen`);
      return { token: String(body['token']), origin: 'http://callwright.test' };
    };
    const [first, second] = [await asked(), await asked()];
    const opened = await listening.open(first);
    expect(opened).toHaveProperty('listenerId');
    const { listenerId } = opened as { listenerId: string };
    listening.connect(listenerId, null as never);
    await revoke(manager);
    await access.check();
    expect(unlistened).toEqual([listenerId]);
    expect(await listening.open(second)).toMatchObject({ refuse: 403 });
    await vi.waitFor(
      async () => {
        const row = await here.db
          .selectFrom('call_listeners')
          .select('ended_at')
          .where('id', '=', listenerId)
          .executeTakeFirstOrThrow();
        expect(row.ended_at).not.toBeNull();
      },
      { timeout: 60_000 },
    );
    access.close();
  });
});

describe('a chat that was taken over', () => {
  const stateOf = async (id: string) => {
    const { state, taken_by: by } = await here.db
      .selectFrom('chats')
      .select(['state', 'taken_by'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return [state, by];
  };
  const deps = () => ({ db: here.db, clock: here.clock, log: silentLog });

  it('goes back to the agent when the session of its person ends, and stays with a person who goes on', async () => {
    const [left, stays] = [await createHoldings(elsewhere, tenant), await createHoldings(elsewhere, tenant)];
    const [leaver, other] = [await member('manager'), await member('manager')];
    await done(leaver.request('POST', `/api/v0/chat/${left.chat}/take-over`, { force: true }));
    await done(other.request('POST', `/api/v0/chat/${stays.chat}/take-over`, { force: true }));
    expect(await returnLostChats(deps())).toBe(false);
    await done(leaver.request('POST', '/dashboard-api/sign-out'));
    expect(await returnLostChats(deps())).toBe(true);
    expect(await stateOf(left.chat)).toEqual(['open', null]);
    expect(await stateOf(stays.chat)).toEqual(['with_person', other.person.email]);
    const log = await owner.request('GET', '/api/v0/workspace/audit-log?action=endTakeOver');
    expect(log.body['entries']).toMatchObject([
      { action: 'endTakeOver', objects: { chat_id: left.chat, reason: 'access_revoked' } },
    ]);
  });

  it('goes back to the agent when the key that took it over is revoked', async () => {
    const { chat } = await createHoldings(elsewhere, tenant);
    const { id, key } = await makeKey(elsewhere, tenant, ['chats:write']);
    await done(elsewhere.request('POST', `/api/v0/chat/${chat}/take-over`, { key, body: { force: true } }));
    await done(owner.request('DELETE', `/dashboard-api/keys/${id}`));
    await returnLostChats(deps());
    expect(await stateOf(chat)).toEqual(['open', null]);
  });

  it.each([
    [
      'is removed',
      ({ person }: Member) => owner.request('DELETE', `/dashboard-api/members/${person.userId}`),
    ],
    [
      'becomes a viewer',
      ({ person }: Member) =>
        owner.request('PATCH', `/dashboard-api/members/${person.userId}`, { role: 'viewer' }),
    ],
  ])('goes back to the agent when its person %s', async (_cause, revoke) => {
    const { chat } = await createHoldings(elsewhere, tenant);
    const manager = await member('manager');
    await done(manager.request('POST', `/api/v0/chat/${chat}/take-over`, { force: true }));
    expect((await stateOf(chat))[0]).toBe('with_person');
    await done(revoke(manager));
    await returnLostChats(deps());
    expect(await stateOf(chat)).toEqual(['open', null]);
  });
});
