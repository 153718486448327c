import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Chats } from '../../../src/app/chats.ts';
import { TurnGate } from '../../../src/chat/turn-gate.ts';
import { hold, NOTHING, paid, releaseExpired, settleHold } from '../../../src/domain/admission/holds.ts';
import { holdEmbeddings } from '../../../src/domain/knowledge/embedding-charges.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import {
  createTestAgent,
  createTestApi,
  createTenant,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';
import { offlineChats } from '../../helpers/agents/offline-chats.ts';

const CREDIT = 1_000_000;
const unitPrices = { modelTurn: 0.5, analysis: 0.25, thousandEmbeddings: 100, preview: 2 };
const SCRIPT = {
  intro_message: 'Hello, this is Asha from City Dental.',
  task: '1. Ask: "Does Monday at ten suit you?"\n2. Say goodbye.',
};

let api: TestApi;
let clock: ManualClock;
let chats: Chats;
let tenant: Tenant;
let agentId: string;
beforeAll(async () => {
  const database = await createTestDatabase();
  clock = new ManualClock();
  chats = offlineChats({ db: database.db, clock, unitPrices });
  api = await createTestApi({ chats: chats.desk, unitPrices, clock }, database);
});
afterAll(async () => {
  await api?.close();
  await chats?.stop();
});
beforeEach(async () => {
  tenant = await createTenant(api);
  ({ agentId } = await createTestAgent(api, tenant, SCRIPT));
});

const deps = () => ({ db: api.db, clock });
const setUp = (credits: number, limits: object = {}) =>
  sql`update workspaces set unlimited = false, credits = ${credits * CREDIT},
    settings = settings || ${JSON.stringify({ limits })}::jsonb where id = ${tenant.workspaceId}`.execute(
    api.db,
  );
const test = (body: object) =>
  api.request('POST', `/api/v0/agent/${agentId}/test`, { key: tenant.key, body });
const money = async () =>
  (
    await sql<{ credits: number; locked: number; turns: number; holds: number }>`
      select credits::float8 / 1000000 as credits, locked_credits::float8 / 1000000 as locked, turns_today as turns,
        (select count(*)::int from holds h where h.workspace_id = w.id) as holds
      from workspaces w where id = ${tenant.workspaceId}`.execute(api.db)
  ).rows[0];

/** A page with the public key of the agent opens a chat. */
async function openPage() {
  await api.request('PATCH', '/api/v0/agent/v1', {
    key: tenant.key,
    body: {
      operation: 'edit_agent_whitelisted_domains',
      agent_id: agentId,
      whitelisted_domains: ['http://callwright.test'],
    },
  });
  const { body } = await api.request('GET', `/api/v0/agent/${agentId}`, { key: tenant.key });
  const key = (body['agents'] as { webcall_public_key: string }).webcall_public_key;
  return api.request('POST', '/api/v0/chat/web', {
    key,
    headers: { origin: 'http://callwright.test' },
    body: { agent_id: agentId },
  });
}

describe('a conversation by text that costs the workspace or the operator a model', () => {
  it('charges each reply of an agent test, and shows it in the ledger', async () => {
    await setUp(10);
    const { status, body } = await test({ message: 'Yes, speaking.' });
    expect([status, body['turns']]).toMatchObject([200, [{ message: null }, { message: 'Yes, speaking.' }]]);
    expect(await money()).toEqual({ credits: 9.5, locked: 0, turns: 1, holds: 0 });
    const ledger = await api.request('GET', '/api/v0/workspace/credits', { key: tenant.key });
    expect(ledger.body['entries']).toMatchObject([
      { call_id: agentId, kind: 'test', credits: 0.5, to_number: '', campaign_id: null },
    ]);
  });

  it('refuses an agent test without balance and stores nothing of it', async () => {
    await setUp(0.4);
    const refused = await test({ message: 'Yes, speaking.' });
    expect([refused.status, refused.body['code']]).toEqual([402, 'INSUFFICIENT_BALANCE']);
    expect(
      await sql`select from chats where workspace_id = ${tenant.workspaceId}`.execute(api.db),
    ).toMatchObject({
      rows: [],
    });
    expect(await money()).toEqual({ credits: 0.4, locked: 0, turns: 0, holds: 0 });
  });

  it('takes no more than model_turns_per_day turns, also in an unlimited workspace', async () => {
    await setUp(0, { model_turns_per_day: 2 });
    await sql`update workspaces set unlimited = true where id = ${tenant.workspaceId}`.execute(api.db);
    const first = await test({ message: 'Yes, speaking.' });
    const session_id = first.body['session_id'];
    expect((await test({ session_id, message: 'Yes, that suits me.' })).status).toBe(200);
    const refused = await test({ session_id, message: 'Thank you.' });
    expect([refused.status, refused.body['code']]).toEqual([429, 'DAILY_TURNS_REACHED']);
    expect(await money()).toMatchObject({ credits: 0, locked: 0, turns: 2 });
    clock.advance(86_400_000);
    expect((await test({})).status).toBe(200);
  });

  it('opens no chat for a page when the workspace cannot pay for a turn', async () => {
    await setUp(0);
    expect((await openPage()).status).toBe(402);
  });

  it('stops the chats of visitors at the caps of the day for strangers, and tests of members go on', async () => {
    await setUp(100, { stranger_credits_per_day: 3 });
    const gate = new TurnGate({ ...deps(), log: silentLog, prices: unitPrices });
    const turn = { workspaceId: tenant.workspaceId, id: newId(), agentId, channel: 'web', turn: 1 } as const;
    await gate.admit(turn);
    expect(await money()).toEqual({ credits: 100, locked: 3, turns: 6, holds: 1 });
    await expect(gate.admit({ ...turn, turn: 2 })).rejects.toMatchObject({
      reason: 'stranger_credits_per_day',
    });
    expect((await openPage()).body['code']).toBe('DAILY_SPEND_REACHED');
    expect((await test({ message: 'Yes, speaking.' })).status).toBe(200);
    expect(await money()).toEqual({ credits: 99.5, locked: 3, turns: 7, holds: 1 });
  });
});

describe('credits that are held for what is no call', () => {
  it('are settled once, at most for what was held', async () => {
    await setUp(10);
    const request = {
      workspaceId: tenant.workspaceId,
      kind: 'chat',
      subjectId: newId(),
      step: 3,
      price: { each: CREDIT, most: 6 },
      byStranger: true,
      lifeMs: 1000,
    } as const;
    const answer = await hold(deps(), request);
    if (!answer.admitted) throw new Error(answer.reason);
    expect(await money()).toEqual({ credits: 10, locked: 6, turns: 6, holds: 1 });
    const settle = () =>
      api.db
        .transaction()
        .execute((tx) => settleHold(tx, deps(), answer.held, { amount: 99 * CREDIT, turns: 2 }));
    await Promise.all([settle(), settle(), settle()]);
    expect(await money()).toEqual({ credits: 4, locked: 0, turns: 2, holds: 0 });
  });

  it('return without a charge when their process died', async () => {
    await setUp(10);
    const held = await hold(deps(), {
      workspaceId: tenant.workspaceId,
      kind: 'test',
      subjectId: agentId,
      price: { each: CREDIT, most: 2 },
      byStranger: false,
      lifeMs: 1000,
    });
    expect(await releaseExpired(deps())).toBe(0);
    clock.advance(1001);
    expect(await releaseExpired(deps())).toBe(1);
    expect(await money()).toEqual({ credits: 10, locked: 0, turns: 0, holds: 0 });
    const late = api.db
      .transaction()
      .execute((tx) => settleHold(tx, deps(), held.admitted ? held.held : null, NOTHING));
    await expect(late).resolves.toBeUndefined();
  });

  it('pay for a preview that was made, and for no other', async () => {
    await setUp(10);
    const preview = {
      workspaceId: tenant.workspaceId,
      kind: 'preview',
      subjectId: newId(),
      price: { amount: 2 * CREDIT },
      byStranger: false,
      lifeMs: 1000,
    } as const;
    await paid(deps(), preview, () => Promise.resolve('sound'));
    await expect(paid(deps(), preview, () => Promise.reject(new Error('no voice')))).rejects.toThrow(
      'no voice',
    );
    expect(await money()).toMatchObject({ credits: 8, locked: 0 });
    await setUp(1);
    await expect(paid(deps(), preview, () => Promise.resolve('sound'))).rejects.toMatchObject({
      status: 402,
    });
  });

  it('let texts of other workspaces be embedded when one cannot pay', async () => {
    await setUp(0);
    const rich = await createTenant(api);
    await sql`update workspaces set unlimited = false, credits = ${CREDIT} where id = ${rich.workspaceId}`.execute(
      api.db,
    );
    const source = (workspaceId: string) => ({
      workspaceId,
      kbId: newId(),
      sourceId: newId(),
      writtenAt: new Date(0),
      tries: 1,
    });
    const [poor, paying] = [source(tenant.workspaceId), source(rich.workspaceId)];
    const charge = await holdEmbeddings({ ...deps(), prices: unitPrices }, [poor, paying, paying], 1000);
    expect(charge.refused).toEqual([poor]);
    await charge.settle(true);
    const { rows } = await sql<{ credits: number; locked: number }>`
      select credits, locked_credits as locked from workspaces where id = ${rich.workspaceId}`.execute(
      api.db,
    );
    expect(rows).toEqual([{ credits: 800_000, locked: 0 }]);
  });
});
