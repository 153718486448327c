import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Claimed } from '../../src/dialer/claim.ts';
import {
  markAnswered,
  markDialing,
  markRinging,
  releaseClaim,
  releaseUnsent,
} from '../../src/dialer/journal.ts';
import { createDialing, type Dialing } from '../helpers/dialing.ts';
import { createNode, createWorkspace, MONDAY, queueCalls } from '../helpers/world.ts';

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

describe('journal', () => {
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

  it('tells the life of an attempt in order, each step once', async () => {
    const c = await claimedCall();
    const closing = Date.UTC(2026, 0, 5, 15, 30);
    const word = { go: true, at: dialing.clock.now(), inviteUntil: closing, ringUntil: closing };
    expect(await markDialing(dialing.deps, c, 'abc')).toEqual(word);
    expect(await markDialing(dialing.deps, c)).toEqual({ go: false, why: 'gone' });
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

  it('lets nothing be sent once the window has closed, and gives money and attempt back', async () => {
    const c = await claimedCall({ callConfig: { call_time: { call_end_time: '15:31' } } });
    dialing.clock.advance(60_000);
    expect(await markDialing(dialing.deps, c)).toEqual({ go: false, why: 'window_closed' });
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

  it('lets nothing be sent to a number listed after the claim', async () => {
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
    expect(await markDialing(dialing.deps, c)).toEqual({ go: false, why: 'do_not_call' });
    expect(await call(c.callId)).toMatchObject({ status: 'failed', sub_status: 'DND_SKIPPED', reserved: 0 });
    expect((await workspace(c.workspaceId)).locked_credits).toBe(0);
    expect(await eventTypes()).toEqual(['call_completed', 'all_processing_completed']);
  });

  it('is closed to a node that is fenced and to one that never had the call', async () => {
    const c = await claimedCall();
    const other = await createNode(dialing.db, 'other');
    expect(await markDialing(dialing.deps, { ...c, nodeId: other })).toEqual({ go: false, why: 'gone' });
    expect(await markAnswered(dialing.deps, { ...c, nodeId: other }, { at: MONDAY })).toBe(false);
    await dialing.db
      .updateTable('nodes')
      .set({ fenced_at: new Date(MONDAY) })
      .where('id', '=', c.nodeId)
      .execute();
    expect(await markDialing(dialing.deps, c)).toEqual({ go: false, why: 'fenced' });
  });

  it('releases a claim that was not dialled, never one that was', async () => {
    const c = await claimedCall();
    expect(await releaseClaim(dialing.deps, c, { subStatus: 'QUEUED', dueAt: MONDAY })).toBe(true);
    expect(await call(c.callId)).toMatchObject({ status: 'registered', attempt: 0 });
    expect(await dialing.db.selectFrom('ledger').selectAll().execute()).toEqual([]);
    const again = (await dialing.taken(100))[0];
    if (again === undefined) throw new Error('nothing claimed');
    await markDialing(dialing.deps, again);
    expect(await releaseClaim(dialing.deps, again, { subStatus: 'QUEUED', dueAt: MONDAY })).toBe(false);
    // Journalled, but its process knows that the INVITE has not left.
    expect(await releaseUnsent(dialing.deps, again, { subStatus: 'QUEUED', dueAt: MONDAY })).toBe(true);
    expect(await call(c.callId)).toMatchObject({ status: 'registered', attempt: 0, dialed_at: null });
    expect(await dialing.db.selectFrom('call_attempts').selectAll().execute()).toEqual([]);
    const third = (await dialing.taken(100))[0];
    if (third === undefined) throw new Error('nothing claimed');
    expect(await markDialing(dialing.deps, third)).toMatchObject({ go: true });
    const started = await dialing.db.selectFrom('events').select('event_type').execute();
    expect(started).toEqual([{ event_type: 'call_started' }]);
  });
});
