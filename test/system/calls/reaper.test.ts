import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { dial, markAnswered } from '../../../src/domain/calls/attempt/dial.ts';
import { Reaper, reapOrphans } from '../../../src/dialer/reaper.ts';
import { settleAttempt, type SettleDeps } from '../../../src/domain/calls/attempt/settle.ts';
import { takeWebCall } from '../../../src/domain/web-calls/take-web-call.ts';
import { newId, sha256 } from '../../../src/shared/ids.ts';
import { insertWebCallToken } from '../../../src/store/calls/web-calls.ts';
import { beat, fenceNode, registerNode } from '../../../src/store/nodes.ts';
import { livingNodes } from '../../helpers/calls/living-nodes.ts';
import { createNode, createWorkspace, MONDAY, queueCalls } from '../../helpers/database/workspace.ts';
import { createGround, type Ground } from '../../helpers/database/database-and-clock.ts';

/** What a heartbeat writes beside its time. */
const FIGURES = {
  version: '1',
  liveCalls: 0,
  freeCalls: 1,
  rtpPorts: null,
  rtpPortsInUse: 0,
};

const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
let ground: Ground;
let deps: SettleDeps;

beforeAll(async () => {
  ground = await createGround();
});
afterAll(() => ground.close());
beforeEach(async () => {
  await ground.renew();
  deps = { db: ground.db, clock: ground.clock, rate, recordingUrl: () => 'http://localhost/r' };
});

async function claimed(
  nodeId: string,
  options: Parameters<typeof createWorkspace>[1] = {},
): Promise<Claimed> {
  const w = await createWorkspace(ground.db, options);
  await queueCalls(ground.db, w, 1);
  const turn = await claimBatch(
    { db: ground.db, clock: ground.clock, rate, nodeId },
    { visited: [], capacity: 1 },
  );
  const c = turn?.claimed[0];
  if (c === undefined) throw new Error('nothing claimed');
  return c;
}
const callOf = (c: Claimed) =>
  ground.db.selectFrom('calls').selectAll().where('id', '=', c.callId).executeTakeFirstOrThrow();
const locked = async (c: Claimed): Promise<number> =>
  (
    await ground.db
      .selectFrom('workspaces')
      .select('locked_credits')
      .where('id', '=', c.workspaceId)
      .executeTakeFirstOrThrow()
  ).locked_credits;
const eventTypes = async (): Promise<string[]> =>
  (await ground.db.selectFrom('events').select('event_type').orderBy('seq').execute()).map(
    (event) => event.event_type,
  );

describe('the reaper', () => {
  it('settles or releases the calls of a predecessor with the same name at once', async () => {
    const old = newId();
    await registerNode(
      ground.db,
      { id: old, name: 'host:/data', roles: 'all' },
      new Date(ground.clock.now()),
    );
    const rung = await claimed(old);
    await dial(deps, rung);
    const talking = await claimed(old);
    await dial(deps, talking);
    await markAnswered(deps, talking, { at: ground.clock.now() });
    const waiting = await claimed(old);
    ground.clock.advance(70_000);
    await beat(ground.db, old, FIGURES, new Date(ground.clock.now()));
    ground.clock.advance(3_000);

    const young = newId();
    await registerNode(
      ground.db,
      { id: young, name: 'host:/data', roles: 'all' },
      new Date(ground.clock.now()),
    );
    expect(await reapOrphans(deps)).toBe(3);

    // Dialled and unanswered: unknown outcome, no redial, no charge.
    expect(await callOf(rung)).toMatchObject({ status: 'error', sub_status: 'UNKNOWN_AFTER_CRASH', cost: 0 });
    expect(await locked(rung)).toBe(0);
    // In conversation: charged until the last heartbeat, 70 s: two pulses.
    expect(await callOf(talking)).toMatchObject({ status: 'error', duration_ms: 70_000, cost: 2_000_000 });
    // Claimed only: released, as if it had never been claimed.
    expect(await callOf(waiting)).toMatchObject({
      status: 'registered',
      attempt: 0,
      reserved: 0,
      node_id: null,
    });
    expect(await locked(waiting)).toBe(0);
    expect((await eventTypes()).filter((type) => type === 'call_completed')).toHaveLength(2);
    // The answered call's recording is on the dead node's disk: all_processing_completed waits for its repair.
    expect((await eventTypes()).filter((type) => type === 'all_processing_completed')).toHaveLength(1);
    const jobs = await ground.db.selectFrom('jobs').select(['kind', 'due_at']).execute();
    const dueAt = new Date(ground.clock.now() + 120_000);
    expect(jobs).toEqual([{ kind: 'call.analyse', due_at: dueAt }]);
    expect(await reapOrphans(deps)).toBe(0);
    const again = await claimBatch(
      { db: ground.db, clock: ground.clock, rate, nodeId: young },
      { visited: [], capacity: 5 },
    );
    expect(again?.claimed.map((c) => c.callId)).toEqual([waiting.callId]);
  });

  it('settles a browser call whose process died, and frees its credits', async () => {
    const world = await createWorkspace(ground.db, {});
    const dead = newId();
    const register = (id: string) =>
      registerNode(ground.db, { id, name: 'host:/data', roles: 'all' }, new Date(ground.clock.now()));
    await register(dead);
    const [callId, token] = [newId(), 'T'.repeat(43)];
    const at = new Date(ground.clock.now());
    await insertWebCallToken(
      ground.db,
      {
        tokenHash: sha256(token),
        workspaceId: world.id,
        callId,
        agentId: world.agentId,
        versionId: world.versionId,
        origin: 'https://www.example.com',
        mediaType: 'audio',
        args: {},
        maxMs: null,
        byStranger: true,
        expiresAt: new Date(ground.clock.now() + 60_000),
      },
      at,
    );
    const taken = await takeWebCall(
      { db: ground.db, clock: ground.clock, rate, nodeId: () => dead },
      { token, origin: 'https://www.example.com' },
    );
    if ('refuse' in taken) throw new Error(taken.reason);
    await markAnswered(deps, taken.taken, { at: ground.clock.now() });
    ground.clock.advance(30_000);
    await beat(ground.db, dead, FIGURES, new Date(ground.clock.now()));
    await register(newId());
    expect(await reapOrphans(deps)).toBe(1);
    const call = await ground.db.selectFrom('calls').selectAll().where('id', '=', callId).executeTakeFirst();
    expect(call).toMatchObject({
      call_type: 'webcall',
      status: 'error',
      duration_ms: 30_000,
      cost: 1_000_000,
    });
    const workspace = ground.db.selectFrom('workspaces').select('locked_credits').where('id', '=', world.id);
    expect(await workspace.executeTakeFirst()).toEqual({ locked_credits: 0 });
    const types = await eventTypes();
    expect(types.filter((type) => type === 'call_completed')).toHaveLength(1);
  });

  it('waits for no recording of an agent whose calls are not recorded', async () => {
    const register = (id: string) =>
      registerNode(ground.db, { id, name: 'host:/data', roles: 'all' }, new Date(ground.clock.now()));
    const dead = newId();
    await register(dead);
    const talking = await claimed(dead);
    await sql`update agent_versions set config = jsonb_set(config, '{call_config}',
      coalesce(config -> 'call_config', '{}') || '{"recording": {"enabled": false}}')`.execute(ground.db);
    await dial(deps, talking);
    await markAnswered(deps, talking, { at: ground.clock.now() });
    ground.clock.advance(20_000);
    await register(newId());
    expect(await reapOrphans(deps)).toBe(1);
    const files = ground.db.selectFrom('recording_files').select('path');
    expect(await files.where('call_id', '=', talking.callId).execute()).toEqual([]);
    const types = await ground.db
      .selectFrom('events')
      .select('event_type')
      .where('call_id', '=', talking.callId)
      .execute();
    expect(types.map((event) => event.event_type)).toContain('all_processing_completed');
  });

  it('fences a node after fifteen seconds without a heartbeat and leaves a live node alone', async () => {
    const me = await createNode(ground.db, 'me');
    const live = await createNode(ground.db, 'live');
    const silent = await createNode(ground.db, 'silent');
    const lost = await claimed(silent);
    await dial(deps, lost);
    const kept = await claimed(live);
    await dial(deps, kept);
    const reaper = new Reaper(deps, me);
    for (let second = 0; second < 15; second += 1) {
      expect(await reaper.run()).toBe(0);
      ground.clock.advance(1000);
      await beat(ground.db, live, FIGURES, new Date(ground.clock.now()));
    }
    expect(await reaper.run()).toBe(1);
    expect(await callOf(lost)).toMatchObject({ status: 'error', sub_status: 'UNKNOWN_AFTER_CRASH' });
    expect(await callOf(kept)).toMatchObject({ status: 'ongoing' });
    expect((await livingNodes(ground.db)).map((node) => node.id).sort()).toEqual([me, live].sort());
  });

  it('looks every second while another node lives, and every three seconds when it is alone', async () => {
    const me = await createNode(ground.db, 'me');
    const reaper = new Reaper(deps, me);
    await reaper.run();
    expect(reaper.waitMs).toBe(3_000);
    await createNode(ground.db, 'other');
    await reaper.run();
    expect(reaper.waitMs).toBe(1_000);
  });

  it('looks every fifteen seconds while the heartbeats look for it', async () => {
    const me = await createNode(ground.db, 'me');
    const own = { nodeId: () => me, holds: () => false, isLooking: () => true };
    const reaper = new Reaper(deps, me, own);
    await reaper.run();
    expect(reaper.waitMs).toBe(15_000);
    await createNode(ground.db, 'other');
    await reaper.run();
    expect(reaper.waitMs).toBe(1_000);
  });

  it('stores the end of a listener whose process died, at the end of the call and with the reason', async () => {
    const me = await createNode(ground.db, 'me');
    const dead = await createNode(ground.db, 'dead');
    const call = await claimed(dead);
    await dial(deps, call);
    const { workspaceId, callId } = call;
    const now = (): Date => new Date(ground.clock.now());
    const listener = newId();
    await sql`
      insert into call_listeners (workspace_id, id, call_id, listener, token_hash, origin, created_at, expires_at, started_at)
      values (${workspaceId}, ${listener}, ${callId}, 'owner@example.com', ${sha256(newId())}, 'http://x', ${now()},
        ${now()}, ${now()})`.execute(ground.db);
    const reaper = new Reaper(deps, me);
    await beat(ground.db, dead, FIGURES, new Date(ground.clock.now() + 4_000));
    await fenceNode(
      ground.db,
      dead,
      new Date(ground.clock.now() + 4_000),
      new Date(ground.clock.now() + 5_000),
    );
    ground.clock.advance(6_000);
    expect(await reaper.run()).toBe(1);
    ground.clock.advance(10_000);
    await reaper.run();
    await reaper.run();
    const { rows } = await sql<{ isSame: boolean }>`
      select l.ended_at = a.ended_at as "isSame" from call_listeners l
      join call_attempts a on a.call_id = l.call_id where l.id = ${listener}`.execute(ground.db);
    expect(rows).toEqual([{ isSame: true }]);
    const entries = await ground.db.selectFrom('audit_log').select(['action', 'actor', 'objects']).execute();
    expect(entries).toMatchObject([
      {
        action: 'endListening',
        actor: 'owner@example.com',
        objects: { call_id: callId, listener_id: listener, reason: 'process_lost' },
      },
    ]);
  });

  it('a fenced node can neither journal nor settle', async () => {
    const node = await createNode(ground.db, 'slow');
    const c = await claimed(node);
    await dial(deps, c);
    await fenceNode(ground.db, node, new Date(MONDAY), new Date(ground.clock.now()));
    expect(await beat(ground.db, node, FIGURES, new Date(ground.clock.now()))).toBe(false);
    await reapOrphans(deps);
    const credits = await ground.db.selectFrom('workspaces').selectAll().execute();
    expect(await markAnswered(deps, c, { at: ground.clock.now() })).toBe(false);
    expect(
      await settleAttempt(deps, {
        ...c,
        end: { kind: 'answered', reason: 'USER_LEFT' },
        endedAt: ground.clock.now() + 60_000,
        answeredAt: ground.clock.now(),
        hangupBy: 'caller',
        sipCallId: null,
        sipCode: 200,
        reason: null,
        result: null,
      }),
    ).toEqual({ settled: false, stored: { status: 'error', subStatus: 'UNKNOWN_AFTER_CRASH' } });
    expect(await ground.db.selectFrom('workspaces').selectAll().execute()).toEqual(credits);
    expect(await callOf(c)).toMatchObject({ status: 'error' });
  });

  it('settles or releases calls of its own node that the process does not hold', async () => {
    const me = await createNode(ground.db, 'me');
    const held = await claimed(me);
    const unjournalled = await claimed(me);
    const unsettled = await claimed(me);
    await dial(deps, held);
    await dial(deps, unsettled);
    const own = { nodeId: () => me, holds: (callId: string) => callId === held.callId };
    const reaper = new Reaper(deps, me, own);
    ground.clock.advance(30_000);
    expect(await reaper.run()).toBe(0);
    ground.clock.advance(1);
    expect(await reaper.run()).toBe(2);
    expect(await callOf(held)).toMatchObject({ status: 'ongoing' });
    expect(await callOf(unjournalled)).toMatchObject({ status: 'registered', attempt: 0 });
    expect(await callOf(unsettled)).toMatchObject({ status: 'error', sub_status: 'UNKNOWN_AFTER_CRASH' });
    expect([await locked(unjournalled), await locked(unsettled)]).toEqual([0, 0]);
  });

  it('does not fence a node whose heartbeat changed since it was read', async () => {
    const node = await createNode(ground.db, 'quick');
    await beat(ground.db, node, FIGURES, new Date(MONDAY + 1));
    expect(await fenceNode(ground.db, node, new Date(MONDAY), new Date(MONDAY + 2))).toBe(false);
  });

  it('a call released after its window closed waits for the next opening', async () => {
    const node = await createNode(ground.db, 'gone');
    const c = await claimed(node, { callConfig: { call_time: { call_end_time: '15:31' } } });
    await fenceNode(ground.db, node, new Date(MONDAY), new Date(MONDAY));
    ground.clock.advance(60_000);
    await reapOrphans(deps);
    expect(await callOf(c)).toMatchObject({
      status: 'registered',
      sub_status: 'WINDOW_CLOSED',
      next_attempt_at: new Date('2026-01-06T03:30:00Z'),
    });
  });
});
