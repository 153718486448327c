import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { dial, markAnswered, markRinging } from '../../../src/domain/calls/attempt/dial.ts';
import { release } from '../../../src/domain/calls/attempt/release.ts';
import { createDialing, type Dialing } from '../../helpers/calls/claiming-node.ts';
import { createNode, createWorkspace, MONDAY, queueCalls } from '../../helpers/database/workspace.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

const call = (id: string) =>
  dialing.db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const workspace = (id: string) =>
  dialing.db.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('the journal of an attempt', () => {
  async function claimedCall(options: Parameters<typeof createWorkspace>[1] = {}): Promise<Claimed> {
    const w = await createWorkspace(dialing.db, options);
    await queueCalls(dialing.db, w, 1);
    const claimed = (await dialing.taken(100))[0];
    if (claimed === undefined) throw new Error('nothing claimed');
    return claimed;
  }
  const eventTypes = async (): Promise<string[]> =>
    (await dialing.db.selectFrom('events').select('event_type').orderBy('seq').execute()).map(
      (e) => e.event_type,
    );

  it('writes each step and its event once, in order', async () => {
    const c = await claimedCall();
    const closing = Date.UTC(2026, 0, 5, 15, 30);
    const permit = { go: true, at: dialing.clock.now(), inviteUntil: closing, ringUntil: closing };
    expect(await dial(dialing.deps, c, { sipCallId: 'abc' })).toEqual(permit);
    const dialled = { status: 'ongoing', subStatus: 'QUEUED' };
    expect(await dial(dialing.deps, c)).toEqual({ go: false, why: 'gone', stored: dialled });
    dialing.clock.advance(500);
    expect(await markRinging(dialing.deps, c, { sipCode: 180, at: dialing.clock.now() })).toBe(true);
    expect(await markRinging(dialing.deps, c, { sipCode: 180, at: dialing.clock.now() })).toBe(true);
    dialing.clock.advance(500);
    expect(await markAnswered(dialing.deps, c, { at: dialing.clock.now() })).toBe(true);
    expect(await markRinging(dialing.deps, c, { sipCode: 180, at: dialing.clock.now() })).toBe(false);
    expect(await markAnswered(dialing.deps, c, { at: dialing.clock.now() + 9000 })).toBe(true);
    expect(await eventTypes()).toEqual(['call_started', 'call_ringing', 'call_ongoing']);
    expect(await dialing.db.selectFrom('call_attempts').selectAll().executeTakeFirst()).toMatchObject({
      status: 'answered',
      sip_call_id: 'abc',
      dialed_at: new Date(MONDAY),
      ringing_at: new Date(MONDAY + 500),
      answered_at: new Date(MONDAY + 1000),
    });
    expect(await call(c.callId)).toMatchObject({
      sub_status: 'ACCEPTED',
      answered_at: new Date(MONDAY + 1000),
    });
  });

  it('refuses the dial after the window closed and releases money and attempt', async () => {
    const c = await claimedCall({ callConfig: { call_time: { call_end_time: '15:31' } } });
    dialing.clock.advance(60_000);
    expect(await dial(dialing.deps, c)).toEqual({
      go: false,
      why: 'window_closed',
      stored: { status: 'registered', subStatus: 'WINDOW_CLOSED' },
    });
    expect(await call(c.callId)).toMatchObject({
      status: 'registered',
      attempt: 0,
      sub_status: 'WINDOW_CLOSED',
      reserved: 0,
      next_attempt_at: new Date('2026-01-06T03:30:00Z'),
    });
    expect((await workspace(c.workspaceId)).locked_credits).toBe(0);
    expect(await eventTypes()).toEqual([]);
    dialing.clock.set(Date.UTC(2026, 0, 6, 3, 30));
    expect(await dialing.taken(100)).toMatchObject([{ callId: c.callId, attempt: 1 }]);
  });

  it('refuses the dial to a number that was added to the do-not-call list after the claim', async () => {
    const c = await claimedCall();
    await dialing.db
      .insertInto('do_not_call')
      .values({
        workspace_id: c.workspaceId,
        number: c.toNumber,
        reason: 'test',
        created_at: new Date(MONDAY),
      })
      .execute();
    expect(await dial(dialing.deps, c)).toEqual({
      go: false,
      why: 'do_not_call',
      stored: { status: 'failed', subStatus: 'DND_SKIPPED' },
    });
    expect(await call(c.callId)).toMatchObject({ status: 'failed', sub_status: 'DND_SKIPPED', reserved: 0 });
    expect((await workspace(c.workspaceId)).locked_credits).toBe(0);
    expect(await eventTypes()).toEqual(['call_completed', 'all_processing_completed']);
  });

  it('refuses the dial and the answer of a fenced node and of a node without the claim', async () => {
    const c = await claimedCall();
    const other = await createNode(dialing.db, 'other');
    const claimedStatus = { status: 'ongoing', subStatus: 'QUEUED' };
    expect(await dial(dialing.deps, { ...c, nodeId: other })).toEqual({
      go: false,
      why: 'gone',
      stored: claimedStatus,
    });
    expect(await markAnswered(dialing.deps, { ...c, nodeId: other }, { at: MONDAY })).toBe(false);
    await dialing.db
      .updateTable('nodes')
      .set({ fenced_at: new Date(MONDAY) })
      .where('id', '=', c.nodeId)
      .execute();
    expect(await dial(dialing.deps, c)).toEqual({ go: false, why: 'fenced', stored: claimedStatus });
  });

  it('releases an undialled claim; a dialled one only when its own process knows the INVITE was not sent', async () => {
    const QUEUED = { subStatus: 'QUEUED', dueAt: MONDAY };
    const queued = { status: 'registered', subStatus: 'QUEUED' };
    const c = await claimedCall();
    expect(await release(dialing.deps, c, QUEUED)).toEqual({ released: true, stored: queued });
    expect(await call(c.callId)).toMatchObject({ status: 'registered', attempt: 0 });
    expect(await dialing.db.selectFrom('ledger').selectAll().execute()).toEqual([]);
    const again = (await dialing.taken(100))[0];
    if (again === undefined) throw new Error('nothing claimed');
    await dial(dialing.deps, again);
    expect(await release(dialing.deps, again, QUEUED)).toEqual({
      released: false,
      stored: { status: 'ongoing', subStatus: 'QUEUED' },
    });
    // The dial is journalled, but the process that holds the attempt knows that no INVITE left.
    expect(await release(dialing.deps, again, { ...QUEUED, isUnsent: true })).toEqual({
      released: true,
      stored: queued,
    });
    expect(await call(c.callId)).toMatchObject({ status: 'registered', attempt: 0, dialed_at: null });
    expect(await dialing.db.selectFrom('call_attempts').selectAll().execute()).toEqual([]);
    const third = (await dialing.taken(100))[0];
    if (third === undefined) throw new Error('nothing claimed');
    expect(await dial(dialing.deps, third)).toMatchObject({ go: true });
    const started = await dialing.db.selectFrom('events').select('event_type').execute();
    expect(started).toEqual([{ event_type: 'call_started' }]);
  });
});
