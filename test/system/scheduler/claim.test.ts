import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimBatch, type ClaimDeps, type Batch } from '../../../src/scheduler/claim.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { settleAttempt } from '../../../src/domain/calls/attempt/settle.ts';
import { createNode, createWorkspace, MONDAY, queueCalls } from '../../helpers/database/workspace.ts';
import { createGround, type Ground } from '../../helpers/database/database-and-clock.ts';

const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
let ground: Ground;
let deps: ClaimDeps;

beforeAll(async () => {
  ground = await createGround({ maxConnections: 20 });
});
afterAll(() => ground.close());
beforeEach(async () => {
  await ground.renew();
  deps = { db: ground.db, clock: ground.clock, rate, nodeId: await createNode(ground.db) };
});

const claim = (more: Partial<Parameters<typeof claimBatch>[1]> = {}): Promise<Batch | null> =>
  claimBatch(deps, { visited: [], capacity: 100, ...more });

async function claimAll(capacity = 1000): Promise<Claimed[]> {
  const all: Claimed[] = [];
  for (let batches = 0; batches < 200; batches += 1) {
    const batch = await claim({ capacity: capacity - all.length });
    if (batch === null || batch.claimed.length + batch.passedOver === 0) break;
    all.push(...batch.claimed);
  }
  return all;
}

const call = (id: string) =>
  ground.db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const workspace = (id: string) =>
  ground.db.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('claim', () => {
  it('starts a due call, journals its attempt and locks its money in one transaction', async () => {
    const w = await createWorkspace(ground.db);
    const [id = ''] = await queueCalls(ground.db, w, 1);
    const batch = await claim();
    expect(batch?.claimed).toMatchObject([
      {
        workspaceId: w.id,
        callId: id,
        attempt: 1,
        toNumber: '+12125550000',
        capMs: 240_000,
        agentName: 'Asha',
      },
    ]);
    expect(await call(id)).toMatchObject({
      status: 'ongoing',
      attempt: 1,
      reserved: 4_000_000,
      next_attempt_at: null,
    });
    expect(await ground.db.selectFrom('call_attempts').selectAll().execute()).toMatchObject([
      { call_id: id, attempt: 1, status: 'claimed', dialed_at: null },
    ]);
    expect(await ground.db.selectFrom('ledger').selectAll().execute()).toMatchObject([
      { kind: 'lock', amount: 4_000_000 },
    ]);
    expect((await workspace(w.id)).locked_credits).toBe(4_000_000);
    expect(await claim()).toBeNull();
  });

  it('claims nothing before its due time or for a fenced or draining node', async () => {
    const w = await createWorkspace(ground.db);
    await queueCalls(ground.db, w, 1, { dueAt: MONDAY + 60_000 });
    expect(await claim()).toBeNull();
    ground.clock.advance(60_000);
    await ground.db.updateTable('nodes').set({ draining: true }).execute();
    expect(await claim()).toBeNull();
    await ground.db
      .updateTable('nodes')
      .set({ draining: false, fenced_at: new Date(ground.clock.now()) })
      .execute();
    expect(await claim()).toBeNull();
    await ground.db.updateTable('nodes').set({ fenced_at: null }).execute();
    expect((await claim())?.claimed).toHaveLength(1);
  });

  it('serves a small workspace right after a large one (fairness)', async () => {
    const big = await createWorkspace(ground.db, { callLimit: 1000 });
    await queueCalls(ground.db, big, 100, { dueAt: MONDAY - 3_600_000 });
    const small = await createWorkspace(ground.db);
    await queueCalls(ground.db, small, 2);
    const first = await claim();
    const second = await claim({ visited: [first?.workspaceId ?? ''] });
    expect(new Set([first?.workspaceId, second?.workspaceId])).toEqual(new Set([big.id, small.id]));
  });

  it('stops at the limits of workspace, number and trunk and marks waiting calls LIMIT_REACHED', async () => {
    const w = await createWorkspace(ground.db, {
      callLimit: 5,
      numbers: [{ callLimit: 2 }, { trunk: 'narrow' }],
      trunks: { narrow: { max_calls: 1 } },
    });
    await queueCalls(ground.db, w, 10, { number: 0 });
    await queueCalls(ground.db, w, 10, { number: 1 });
    const claimed = await claimAll();
    expect(claimed.filter((c) => c.numberId === w.numberIds[0])).toHaveLength(2);
    expect(claimed.filter((c) => c.numberId === w.numberIds[1])).toHaveLength(1);
    const waiting = await ground.db
      .selectFrom('calls')
      .select('sub_status')
      .where('status', '=', 'registered')
      .execute();
    expect(waiting.filter((row) => row.sub_status === 'LIMIT_REACHED')).toHaveLength(17);
    const other = await createWorkspace(ground.db, { callLimit: 3, numbers: [{ trunk: 'narrow' }, {}] });
    await queueCalls(ground.db, other, 4, { number: 0 });
    await queueCalls(ground.db, other, 9, { number: 1 });
    // The trunk is full for all workspaces. The second number is bounded by the workspace's limit of three.
    expect((await claimAll()).filter((c) => c.workspaceId === other.id).map((c) => c.numberId)).toEqual(
      Array.from({ length: 3 }, () => other.numberIds[1]),
    );
  });

  it('leaves calls QUEUED that only the batch quota holds back', async () => {
    const w = await createWorkspace(ground.db, { callLimit: 50 });
    await queueCalls(ground.db, w, 20);
    // A batch gets an eighth of the node's free capacity, at least eight.
    expect((await claim({ capacity: 64 }))?.claimed).toHaveLength(8);
    expect((await claim({ capacity: 2 }))?.claimed).toHaveLength(2);
    const waiting = await ground.db
      .selectFrom('calls')
      .select('sub_status')
      .distinct()
      .where('status', '=', 'registered')
      .execute();
    expect(waiting).toEqual([{ sub_status: 'QUEUED' }]);
  });

  it('claims no more than the node’s free capacity', async () => {
    const w = await createWorkspace(ground.db);
    await queueCalls(ground.db, w, 9);
    expect((await claim({ capacity: 2 }))?.claimed).toHaveLength(2);
    expect((await claim({ capacity: 0 }))?.claimed).toHaveLength(0);
  });

  it('keeps a trunk’s calls per second across workspaces and processes', async () => {
    const trunks = { paced: { calls_per_second: 3 } };
    const numbers = [{ trunk: 'paced' }];
    for (let n = 0; n < 2; n += 1)
      await queueCalls(ground.db, await createWorkspace(ground.db, { numbers, trunks }), 9);
    const other: ClaimDeps = { ...deps, nodeId: await createNode(ground.db, 'another') };
    const taken = async (visited: string[] = []): Promise<number> => {
      const batch = await claimBatch(visited.length > 0 ? other : deps, { visited, capacity: 100 });
      if (batch === null) return 0;
      return batch.claimed.length + (await taken([...visited, batch.workspaceId]));
    };
    expect(await taken()).toBe(3);
    expect(await taken()).toBe(0);
    expect((await claim())?.waitMs).toBe(334);
    ground.clock.advance(700);
    expect(await taken()).toBe(2);
    ground.clock.advance(60_000);
    expect(await taken()).toBe(3);
  });

  it('defers a call outside its window to the next opening', async () => {
    const w = await createWorkspace(ground.db, {
      callConfig: { call_time: { call_start_time: '09:00', call_end_time: '12:00' } },
    });
    const [id = ''] = await queueCalls(ground.db, w, 1);
    expect(await claim()).toMatchObject({ claimed: [], passedOver: 1 });
    expect(await call(id)).toMatchObject({
      status: 'registered',
      sub_status: 'WINDOW_CLOSED',
      next_attempt_at: new Date('2026-01-06T03:30:00Z'),
    });
    expect((await workspace(w.id)).next_due_at).toEqual(new Date('2026-01-06T03:30:00Z'));
    ground.clock.set(Date.UTC(2026, 0, 6, 3, 30));
    expect((await claim())?.claimed).toHaveLength(1);
  });

  it("overrides the agent's window with the call's, key by key", async () => {
    const w = await createWorkspace(ground.db, { callConfig: { call_time: { call_end_time: '12:00' } } });
    await queueCalls(ground.db, w, 1, { callConfig: { call_time: { call_end_time: '18:00' } } });
    expect((await claim())?.claimed).toHaveLength(1);
  });

  it('cancels a call to a number on the do-not-call list', async () => {
    const w = await createWorkspace(ground.db);
    const [id = ''] = await queueCalls(ground.db, w, 1);
    await ground.db
      .insertInto('do_not_call')
      .values({ workspace_id: w.id, number: '+12125550000', reason: 'test', created_at: new Date(MONDAY) })
      .execute();
    expect(await claim()).toMatchObject({ claimed: [], passedOver: 1 });
    expect(await call(id)).toMatchObject({ status: 'cancelled', sub_status: 'DND_SKIPPED' });
    expect(
      (await ground.db.selectFrom('events').select('event_type').orderBy('seq').execute()).map(
        (e) => e.event_type,
      ),
    ).toEqual(['call_completed', 'all_processing_completed']);
  });

  it('caps a call at the balance, defers others while locked money may return, then ends them', async () => {
    const w = await createWorkspace(ground.db, { credits: 6 });
    const ids = await queueCalls(ground.db, w, 3);
    const batch = await claim();
    expect(batch?.claimed.map((c) => c.capMs)).toEqual([240_000, 120_000]);
    expect(await call(ids[2] ?? '')).toMatchObject({
      status: 'registered',
      sub_status: 'INSUFFICIENT_BALANCE',
    });
    for (const c of batch?.claimed ?? []) {
      await settleAttempt(settleDeps(), {
        ...refOf(c),
        end: { kind: 'answered', reason: 'USER_LEFT' },
        endedAt: ground.clock.now() + c.capMs,
        answeredAt: ground.clock.now(),
        hangupBy: 'caller',
        sipCallId: null,
        sipCode: 200,
        reason: null,
        result: null,
      });
    }
    expect(await workspace(w.id)).toMatchObject({ credits: 0, locked_credits: 0 });
    ground.clock.advance(15_000);
    await claim();
    expect(await call(ids[2] ?? '')).toMatchObject({ status: 'error', sub_status: 'INSUFFICIENT_BALANCE' });
  });

  it('locks no money for an unlimited workspace', async () => {
    const w = await createWorkspace(ground.db, { unlimited: true, credits: 0 });
    await queueCalls(ground.db, w, 1);
    expect((await claim())?.claimed).toMatchObject([{ capMs: 240_000 }]);
    expect((await workspace(w.id)).locked_credits).toBe(0);
  });

  it(
    'eight concurrent claimers never claim a call twice or exceed a limit',
    { timeout: 400_000 },
    async () => {
      const limits = [3, 7, 12];
      const worlds = [];
      for (const callLimit of limits) {
        const w = await createWorkspace(ground.db, {
          callLimit,
          unlimited: true,
          numbers: [{ callLimit: 4 }, { callLimit: 5, trunk: 'shared' }],
          trunks: { shared: { max_calls: 6 } },
        });
        await queueCalls(ground.db, w, 60, { number: 0 });
        await queueCalls(ground.db, w, 60, { number: 1 });
        worlds.push(w);
      }
      const seen: string[] = [];
      let over = 0;
      const watch = async (): Promise<void> => {
        const { rows } = await sql<{ n: number; cap: number }>`
        select count(*)::int as n, w.call_limit as cap from calls c join workspaces w on w.id = c.workspace_id
          where c.status = 'ongoing' group by w.id
        union all select count(*)::int, n.call_limit from calls c join numbers n on n.id = c.number_id
          where c.status = 'ongoing' group by n.id, n.call_limit
        union all select count(*)::int, 6 from calls c join numbers n on n.id = c.number_id
          join trunks t on t.id = n.trunk_id where c.status = 'ongoing' and t.name = 'shared'`.execute(
          ground.db,
        );
        over += rows.filter((row) => row.n > row.cap).length;
      };
      const claimer = async (): Promise<void> => {
        for (let idle = 0; idle < 60;) {
          const batch = await claim();
          await watch();
          if (batch === null || batch.claimed.length === 0) idle += 1;
          else idle = 0;
          for (const c of batch?.claimed ?? []) {
            seen.push(`${c.callId}:${c.attempt}`);
            await settleAttempt(settleDeps(), {
              ...refOf(c),
              end: { kind: 'not_answered', failure: 'invalid_number' },
              endedAt: ground.clock.now(),
              answeredAt: null,
              hangupBy: null,
              sipCallId: null,
              sipCode: 404,
              reason: null,
              result: null,
            });
          }
        }
      };
      await Promise.all(Array.from({ length: 8 }, claimer));
      expect(seen).toHaveLength(360);
      expect(new Set(seen).size).toBe(360);
      expect(over).toBe(0);
      expect(
        await ground.db.selectFrom('calls').select('id').where('status', '!=', 'failed').execute(),
      ).toEqual([]);
      expect((await workspace(worlds[0]?.id ?? '')).locked_credits).toBe(0);
    },
  );
});

const settleDeps = () => ({
  db: ground.db,
  clock: ground.clock,
  rate,
  recordingUrl: () => 'http://localhost/recording',
});
const refOf = (c: Claimed) => ({
  workspaceId: c.workspaceId,
  callId: c.callId,
  attempt: c.attempt,
  nodeId: c.nodeId,
});
