import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Claimed } from '../../src/dialer/claim.ts';
import { markDialing } from '../../src/dialer/journal.ts';
import { reapOrphans } from '../../src/dialer/reaper.ts';
import { laneRow, startLane } from '../helpers/lanes.ts';
import { createNode, createWorkspace, MONDAY } from '../helpers/world.ts';
import { createDialing, type Dialing } from '../helpers/dialing.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());
const rate = { creditsPerMinute: 1, pulseSeconds: 60 };

describe('the last gate', () => {
  const one = async (
    options: Parameters<typeof startLane>[2] = {},
  ): Promise<{ lane: string; c: Claimed }> => {
    const w = await createWorkspace(dialing.db);
    const lane = await startLane({ db: dialing.db, clock: dialing.clock }, w, { contacts: 3, ...options });
    const [c] = await dialing.taken(1);
    if (c === undefined) throw new Error('nothing claimed');
    return { lane, c };
  };
  const isBack = async (c: Claimed): Promise<void> => {
    expect(
      await dialing.db.selectFrom('calls').selectAll().where('id', '=', c.callId).executeTakeFirst(),
    ).toMatchObject({
      status: 'registered',
      attempt: 0,
      reserved: 0,
      dialed_at: null,
    });
    expect(await dialing.db.selectFrom('call_attempts').selectAll().execute()).toEqual([]);
    expect(
      (await dialing.db.selectFrom('workspaces').select('locked_credits').executeTakeFirst())?.locked_credits,
    ).toBe(0);
    expect(await dialing.db.selectFrom('events').select('id').execute()).toEqual([]);
  };

  it('lets a running campaign’s call through', async () => {
    const { c } = await one();
    expect(await markDialing(dialing.deps, c)).toMatchObject({ go: true });
  });

  it.each(['paused', 'terminated', 'completed', 'insufficient_balance'] as const)(
    'turns calls of a campaign away that is %s by now',
    async (state) => {
      const { lane, c } = await one();
      await dialing.db.updateTable('campaigns').set({ state }).where('id', '=', lane).execute();
      expect(await markDialing(dialing.deps, c)).toEqual({ go: false, why: 'campaign_stopped' });
      await isBack(c);
    },
  );

  it('turns calls away after the campaign’s end, outside its window and of listed callees', async () => {
    const ending = await one({ endAt: new Date(MONDAY + 1000) });
    dialing.clock.advance(1000);
    expect(await markDialing(dialing.deps, ending.c)).toEqual({ go: false, why: 'campaign_stopped' });
    await isBack(ending.c);
    await sql`truncate calls, campaigns, campaign_numbers cascade`.execute(dialing.db);
    const closing = await one({ callConfig: { call_time: { call_end_time: '15:31' } } });
    dialing.clock.advance(60_000);
    expect(await markDialing(dialing.deps, closing.c)).toEqual({ go: false, why: 'window_closed' });
    await isBack(closing.c);
    await sql`truncate calls, campaigns, campaign_numbers cascade`.execute(dialing.db);
    const listed = await one();
    await dialing.db
      .insertInto('campaign_do_not_call')
      .values({
        workspace_id: listed.c.workspaceId,
        campaign_id: listed.lane,
        number: listed.c.toNumber,
        reason: 'test',
        created_at: new Date(MONDAY),
      })
      .execute();
    expect(await markDialing(dialing.deps, listed.c)).toEqual({ go: false, why: 'do_not_call' });
    expect(
      await dialing.db.selectFrom('calls').selectAll().where('id', '=', listed.c.callId).executeTakeFirst(),
    ).toMatchObject({ status: 'failed', sub_status: 'DND_SKIPPED' });
  });

  it('is waited for by whoever stops the campaign, and is closed once it is stopped', async () => {
    const { lane, c } = await one();
    const order: string[] = [];
    let dialling: Promise<unknown> = Promise.resolve();
    await dialing.db.transaction().execute(async (tx) => {
      await sql`select from campaigns where id = ${lane} for no key update`.execute(tx);
      dialling = markDialing(dialing.deps, c).then((decision) => order.push(JSON.stringify(decision)));
      await new Promise((done) => setTimeout(done, 100));
      await sql`update campaigns set state = 'terminated' where id = ${lane}`.execute(tx);
      order.push('stopped');
    });
    await dialling;
    expect(order).toEqual(['stopped', '{"go":false,"why":"campaign_stopped"}']);
  });

  it('a call of a dead process comes back to its campaign and is due at once', async () => {
    const { lane, c } = await one();
    await dialing.db
      .updateTable('nodes')
      .set({ fenced_at: new Date(dialing.clock.now()) })
      .execute();
    const settled = {
      db: dialing.db,
      clock: dialing.clock,
      rate,
      recordingUrl: () => 'http://localhost/recording',
    };
    // The other two have not been claimed; only the hint of the campaign tells of this one.
    await dialing.db
      .updateTable('calls')
      .set({ next_attempt_at: new Date(MONDAY + 3_600_000) })
      .where('status', '=', 'registered')
      .execute();
    await dialing.db
      .updateTable('campaigns')
      .set({ next_due_at: new Date(MONDAY + 3_600_000) })
      .execute();
    await dialing.db
      .updateTable('workspaces')
      .set({ next_due_at: new Date(MONDAY + 3_600_000) })
      .execute();
    expect(await reapOrphans(settled)).toBe(1);
    expect((await laneRow(dialing.db, lane)).next_due_at).toEqual(new Date(MONDAY));
    dialing.deps = { ...dialing.deps, nodeId: await createNode(dialing.db, 'successor') };
    expect((await dialing.taken()).map((call) => call.callId)).toEqual([c.callId]);
  });
});
