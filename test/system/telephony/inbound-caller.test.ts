import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { settleAttempt } from '../../../src/domain/calls/attempt/settle.ts';
import { storeLateInbound, takeInbound } from '../../../src/domain/calls/take-inbound.ts';
import type { Tx } from '../../../src/store/database.ts';
import { eventually } from '../../helpers/service/service.ts';
import { openAgentDesk, type AgentDesk } from '../../helpers/agents/agent-api.ts';
import { createNode } from '../../helpers/database/workspace.ts';

let desk: AgentDesk;
beforeAll(async () => {
  desk = await openAgentDesk({ unlimited: true, agent: { agent_type: 'outbound_inbound' } });
  await desk.renew();
  await desk.edit({ operation: 'attach_inbound_number', number_id: desk.tenant.numberId });
});
afterAll(() => desk.api.close());

describe('the caller number of an inbound call', () => {
  it.each([
    ['+14155557777', '+14155557777'],
    ['14155557777', '+14155557777'],
    ['4155557777', '+14155557777'],
    ['0014155557777', '+14155557777'],
    ['0114915112345678', '+4915112345678'],
    ['anonymous', 'anonymous'],
    ['100', '100'],
  ])('%s is stored and returned as %s', async (from, kept) => {
    const nodeId = await createNode(desk.api.db, 'n', desk.api.clock.now());
    const decision = await takeInbound(
      {
        db: desk.api.db,
        clock: desk.api.clock,
        rate: { creditsPerMinute: 1, pulseSeconds: 60 },
        nodeId: () => nodeId,
      },
      {
        trunkIds: [desk.tenant.trunkId],
        from,
        to: desk.tenant.number,
        displayName: null,
        callId: newId(),
        sipCallId: `from ${from}`,
      },
    );
    if (!('taken' in decision)) throw new Error(decision.reason);
    expect(decision.taken.args['mobile_number']).toBe(kept);
    const path = `/api/v0/calling/call-details?id=${decision.taken.callId}`;
    const { body } = await desk.api.request('GET', path, { key: desk.tenant.key });
    expect(body['data']).toMatchObject({ from_number: kept, to_number: desk.tenant.number });
  });

  it('reaches the number on any trunk of the source, with the trunk of the number', async () => {
    const nodeId = await createNode(desk.api.db, 'shared', desk.api.clock.now());
    const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
    const deps = { db: desk.api.db, clock: desk.api.clock, rate, nodeId: () => nodeId };
    const call = {
      from: '+14155557777',
      to: desk.tenant.number,
      displayName: null,
      callId: newId(),
      sipCallId: 'shared',
    };
    const other = newId();
    const taken = await takeInbound(deps, { ...call, trunkIds: [other, desk.tenant.trunkId] });
    expect('taken' in taken && taken.taken.trunkId).toBe(desk.tenant.trunkId);
    expect(await takeInbound(deps, { ...call, trunkIds: [other] })).toMatchObject({ refuse: 404 });
  });
});

describe('the headers of an inbound call', () => {
  it('are variables of the call', async () => {
    const { db, clock } = desk.api;
    const nodeId = await createNode(db, 'headers', clock.now());
    const deps = { db, clock, rate: { creditsPerMinute: 1, pulseSeconds: 60 }, nodeId: () => nodeId };
    const { trunkId, number: to } = desk.tenant;
    const call = { from: '+14155557777', to, displayName: null, callId: newId(), sipCallId: newId() };
    const headers = { userToUser: 'case 42', divertedFrom: '4155558888' };
    const decision = await takeInbound(deps, { ...call, headers, trunkIds: [trunkId] });
    const variables = { user_to_user: 'case 42', diverted_from: '+14155558888' };
    expect(decision).toMatchObject({ taken: { args: { ...variables, mobile_number: '+14155557777' } } });
    const stored = await db
      .selectFrom('calls')
      .select('args')
      .where('id', '=', call.callId)
      .executeTakeFirstOrThrow();
    expect(stored.args).toMatchObject(variables);
    await db.updateTable('calls').set({ status: 'completed' }).where('id', '=', call.callId).execute();
  });
});

describe('the called number of an inbound call', () => {
  const INDIAN = '+919812345678';
  /** Takes a call to `to` on the trunk; the called number as stored, or the status of its refusal. */
  async function called(to: string): Promise<unknown> {
    const { db, clock } = desk.api;
    const nodeId = await createNode(db, `called ${to}`, clock.now());
    const deps = { db, clock, rate: { creditsPerMinute: 1, pulseSeconds: 60 }, nodeId: () => nodeId };
    const call = { from: '+14155557777', to, displayName: null, callId: newId(), sipCallId: newId() };
    const decision = await takeInbound(deps, { ...call, trunkIds: [desk.tenant.trunkId] });
    if ('refuse' in decision) return decision.refuse;
    // Its line is free for the next call.
    await db.updateTable('calls').set({ status: 'completed' }).where('id', '=', call.callId).execute();
    return decision.route.number;
  }
  beforeAll(async () => {
    const { numberId } = desk.tenant;
    await sql`update numbers set number = ${INDIAN} where id = ${numberId}`.execute(desk.api.db);
  });
  afterAll(async () => {
    const { number, numberId } = desk.tenant;
    await sql`update numbers set number = ${number} where id = ${numberId}`.execute(desk.api.db);
  });

  it.each(['+919812345678', '919812345678', '09812345678', '9812345678', '00919812345678'])(
    '%s reaches +919812345678',
    async (to) => expect(await called(to)).toBe(INDIAN),
  );

  it.each(['12345678', '0812345678', '345678', '+449812345678', 'anonymous', ''])(
    '%s reaches nobody',
    async (to) => expect(await called(to)).toBe(404),
  );
});

describe('no refused inbound call', () => {
  it('gets the code of another cause', async () => {
    const { db, clock } = desk.api;
    const nodeId = await createNode(db, 'codes', clock.now());
    const deps = { db, clock, rate: { creditsPerMinute: 1, pulseSeconds: 60 }, nodeId: () => nodeId };
    const { trunkId, number, numberId, workspaceId } = desk.tenant;
    const take = async (to: string) => {
      const call = { from: '+14155558888', displayName: null, callId: newId(), sipCallId: newId() };
      const decision = await takeInbound(deps, { ...call, to, trunkIds: [trunkId] });
      return 'refuse' in decision ? decision.refuse : 'taken';
    };
    expect(await take('+14155559999')).toBe(404);
    await db.updateTable('workspaces').set({ call_limit: 0 }).where('id', '=', workspaceId).execute();
    expect(await take(number)).toBe(486);
    await desk.edit({ operation: 'remove_inbound_number', number_id: numberId });
    expect(await take(number)).toBe(480);
    expect(
      await takeInbound(
        { ...deps, nodeId: () => newId() },
        {
          from: '+14155558888',
          to: number,
          displayName: null,
          callId: newId(),
          sipCallId: newId(),
          trunkIds: [trunkId],
        },
      ),
    ).toMatchObject({ refuse: 503 });
  });
});

describe('a call that was answered while the database was away', () => {
  type Deps = Parameters<typeof storeLateInbound>[0];
  type Late = Parameters<typeof storeLateInbound>[1];
  const twice = async (deps: Deps, late: Late): Promise<void> => {
    await storeLateInbound(deps, late);
    await storeLateInbound(deps, late);
  };

  /** The second try begins before the first one, which the caller has given up, commits. */
  async function duringTheFirst(deps: Deps, late: Late): Promise<void> {
    const stored = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const db = new Proxy(deps.db, {
      get(target, name) {
        if (name !== 'transaction') return Reflect.get(target, name, target);
        return () => ({
          execute: (work: (tx: Tx) => Promise<unknown>) =>
            target.transaction().execute(async (tx) => {
              await work(tx);
              stored.resolve();
              await commit.promise;
            }),
        });
      },
    });
    const first = storeLateInbound({ ...deps, db }, late);
    await stored.promise;
    const second = storeLateInbound(deps, late);
    await eventually('the second try to wait for the first', async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(deps.db);
      return rows.length > 0 ? true : null;
    });
    commit.resolve();
    await Promise.all([first, second]);
  }

  /** Stores one of at most five minutes twice, and ends it after a minute; returns what it cost and what is locked. */
  async function storedLate(
    store: typeof twice = twice,
  ): Promise<{ locked: number; calls: number; cost: number; left: number }> {
    const { db, clock } = desk.api;
    const { workspaceId, numberId, number } = desk.tenant;
    const nodeId = await createNode(db, newId(), clock.now());
    const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
    const deps = { db, clock, rate, nodeId: () => nodeId };
    const { active_version_id: versionId } = await db
      .selectFrom('agents')
      .select('active_version_id')
      .where('id', '=', desk.agentId)
      .executeTakeFirstOrThrow();
    const ref = { workspaceId, callId: newId(), attempt: 1, nodeId };
    const late = {
      ref,
      route: { agentId: desk.agentId, versionId, numberId, number },
      caller: { name: 'Sam', number: '+14155558888' },
      sipCallId: 'late',
      at: clock.now(),
      talkMs: 300_000,
    };
    const { locked_credits: before } = await wallet();
    await store(deps, late);
    const { locked_credits: locked } = await wallet();
    await settleAttempt(
      { ...deps, recordingUrl: () => '' },
      {
        ...ref,
        end: { kind: 'answered', reason: 'USER_LEFT' },
        endedAt: clock.now() + 59_000,
        answeredAt: clock.now(),
        hangupBy: 'caller',
        sipCallId: 'late',
        sipCode: 200,
        reason: null,
        result: null,
      },
    );
    const { cost, status } = await db
      .selectFrom('calls')
      .select(['cost', 'status'])
      .where('id', '=', ref.callId)
      .executeTakeFirstOrThrow();
    expect(status).toBe('completed');
    const attempts = await db
      .selectFrom('call_attempts')
      .select('attempt')
      .where('call_id', '=', ref.callId)
      .execute();
    const { locked_credits: left } = await wallet();
    return { locked: locked - before, calls: attempts.length, cost, left: left - before };
  }
  const wallet = () =>
    desk.api.db
      .selectFrom('workspaces')
      .select(['credits', 'locked_credits'])
      .where('id', '=', desk.tenant.workspaceId)
      .executeTakeFirstOrThrow();
  const setCredits = (credits: number) =>
    desk.api.db
      .updateTable('workspaces')
      .set({ unlimited: false, credits, call_limit: 50 })
      .where('id', '=', desk.tenant.workspaceId)
      .execute();

  it('is stored once, with its price locked, and is charged by its settlement', async () => {
    await setCredits(100_000_000);
    expect(await storedLate()).toEqual({ locked: 5_000_000, calls: 1, cost: 1_000_000, left: 0 });
    expect(await wallet()).toMatchObject({ credits: 99_000_000 });
  });

  it('is stored once, with its price locked once, when the first try commits during the second', async () => {
    await setCredits(100_000_000);
    const once = { locked: 5_000_000, calls: 1, cost: 1_000_000, left: 0 };
    expect(await storedLate(duringTheFirst)).toEqual(once);
  });

  it('costs a workspace nothing whose balance is used up meanwhile', async () => {
    await setCredits(0);
    expect(await storedLate()).toEqual({ locked: 0, calls: 1, cost: 0, left: 0 });
    expect(await wallet()).toMatchObject({ credits: 0 });
  });
});
